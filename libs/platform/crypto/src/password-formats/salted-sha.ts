import { createHash } from 'node:crypto';
import { constantTimeEqual } from '../tokens.js';
import { bytesOf, type PasswordFormat, type ReadHash } from './password-format.js';

const DIGEST_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;
type Digest = keyof typeof DIGEST_BYTES;

/** `{SSHA}`, `{SSHA256}` and `{SSHA512}` of LDAP directories: the digest of password and salt, then the salt. */
const LDAP_FORM = /^\{SSHA(?<bits>256|512)?\}(?<value>[A-Za-z0-9+/]{28,260}={0,2})$/;

/** `$sha256$prefix$salt$hash` and `$sha256$suffix$salt$hash`, also with `sha512`. The salt stands before or after the password. */
const SALTED_FORM =
  /^\$(?<digest>sha256|sha512)\$(?<position>prefix|suffix)\$(?<salt>[A-Za-z0-9+/]{2,172}={0,2})\$(?<hash>[A-Za-z0-9+/]{43,86}={0,2})$/;

const LDAP_DIGESTS = { '256': 'sha256', '512': 'sha512' } as const;

type LdapGroups = { value: string; bits?: keyof typeof LDAP_DIGESTS };
type SaltedGroups = Record<'salt' | 'hash', string> & { digest: Digest; position: 'prefix' | 'suffix' };

/** One round of SHA-1 or SHA-2 over password and salt, for imported users. */
export const SALTED_SHA: PasswordFormat = {
  read(hash) {
    const ldap = LDAP_FORM.exec(hash)?.groups as LdapGroups | undefined;
    if (ldap) {
      const digest = ldap.bits === undefined ? 'sha1' : LDAP_DIGESTS[ldap.bits];
      const bytes = bytesOf(ldap.value);
      const length = DIGEST_BYTES[digest];
      return bytes && readHash(digest, bytes.subarray(0, length), { after: bytes.subarray(length) });
    }
    const salted = SALTED_FORM.exec(hash)?.groups as SaltedGroups | undefined;
    const [salt, expected] = [salted && bytesOf(salted.salt), salted && bytesOf(salted.hash)];
    if (!salted || !salt || !expected) return undefined;
    return readHash(salted.digest, expected, salted.position === 'prefix' ? { before: salt } : { after: salt });
  },
};

const NO_SALT = Buffer.alloc(0);

/** Returns undefined without a salt, or for a digest of another length. */
function readHash(
  digest: Digest,
  expected: Buffer,
  { before = NO_SALT, after = NO_SALT }: { readonly before?: Buffer; readonly after?: Buffer },
): ReadHash | undefined {
  if (expected.length !== DIGEST_BYTES[digest] || before.length + after.length === 0) return undefined;
  return {
    isTooCostly: false,
    verify: async (password) =>
      constantTimeEqual(createHash(digest).update(before).update(password).update(after).digest(), expected),
  };
}
