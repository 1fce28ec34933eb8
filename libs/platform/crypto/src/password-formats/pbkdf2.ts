import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { constantTimeEqual } from '../tokens.js';
import { base64OfHex, bytesOf, type PasswordFormat, type ReadHash } from './password-format.js';

const derive = promisify(pbkdf2);

/** Maximum of rounds times blocks of the digest. A hash with this cost takes a second. */
const MAX_ROUNDS = 2_000_000;

const BLOCK_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const;
type Digest = keyof typeof BLOCK_BYTES;

/** `$pbkdf2-sha256$i=600000$salt$hash` (PHC) and `$pbkdf2-sha256$600000$salt$hash` (Passlib). In Passlib, `pbkdf2` is SHA-1. */
const PHC_FORM =
  /^\$pbkdf2(?:-(?<digest>sha1|sha256|sha512))?\$(?:i=)?(?<rounds>[1-9]\d{0,8})(?:,l=(?<length>\d{1,2}))?\$(?<salt>[A-Za-z0-9+/.]{2,172}={0,2})\$(?<hash>[A-Za-z0-9+/.]{22,86}={0,2})$/;

/** `pbkdf2_sha256$600000$salt$hash` (Django). The salt is plain text. */
const DJANGO_FORM =
  /^pbkdf2_(?<digest>sha1|sha256|sha512)\$(?<rounds>[1-9]\d{0,8})\$(?<salt>[^$]{1,128})\$(?<hash>[A-Za-z0-9+/]{22,86}={0,2})$/;

/** `pbkdf2:sha256:600000$salt$hash` (Werkzeug). The salt is plain text, the hash is in hexadecimal. */
const WERKZEUG_FORM =
  /^pbkdf2:(?<digest>sha1|sha256|sha512):(?<rounds>[1-9]\d{0,8})\$(?<salt>[^$]{1,128})\$(?<hash>(?:[0-9a-f]{2}){16,64})$/;

type PhcGroups = Record<'rounds' | 'salt' | 'hash', string> & { digest?: Digest; length?: string };
type DjangoGroups = Record<'rounds' | 'salt' | 'hash', string> & { digest: Digest };

/** PBKDF2 (RFC 8018) with HMAC-SHA-1, -SHA-256 or -SHA-512, for imported users. */
export const PBKDF2: PasswordFormat = {
  read(hash) {
    const phc = PHC_FORM.exec(hash)?.groups as PhcGroups | undefined;
    if (phc) {
      if (phc.length !== undefined && Number(phc.length) !== bytesOf(phc.hash)?.length) return undefined;
      return readHash(phc.digest ?? 'sha1', phc.rounds, bytesOf(phc.salt), phc.hash);
    }
    const django = DJANGO_FORM.exec(hash)?.groups as DjangoGroups | undefined;
    if (django) return readHash(django.digest, django.rounds, Buffer.from(django.salt), django.hash);
    const werkzeug = WERKZEUG_FORM.exec(hash)?.groups as DjangoGroups | undefined;
    return werkzeug && readHash(werkzeug.digest, werkzeug.rounds, Buffer.from(werkzeug.salt), base64OfHex(werkzeug.hash));
  },
};

function readHash(digest: Digest, roundsText: string, salt: Buffer | undefined, hash: string): ReadHash | undefined {
  const expected = bytesOf(hash);
  if (!salt || !expected) return undefined;
  const rounds = Number(roundsText);
  const blocks = Math.ceil(expected.length / BLOCK_BYTES[digest]);
  return {
    isTooCostly: rounds * blocks > MAX_ROUNDS,
    verify: async (password) => constantTimeEqual(await derive(password, salt, rounds, expected.length, digest), expected),
  };
}
