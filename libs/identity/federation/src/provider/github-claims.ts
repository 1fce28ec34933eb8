import { domainOfEmail } from '#platform/common';
import { type IdentityClaims, identityClaims } from './identity-claims.js';

type Fields = Partial<Record<string, unknown>>;

/** GitHub can't deliver mail to these addresses, which hide the address of a person. */
const NO_REPLY = 'users.noreply.';

/**
 * Returns the claims of a person from the responses of GitHub. The subject is the id, because another person can get the login name. Only
 * verified addresses count: an address in a trusted domain, or else the primary address.
 * @throws Error if a response is invalid
 */
export function githubClaims(user: unknown, emails: unknown, trustedDomains: readonly string[]): IdentityClaims {
  const { id, name, avatar_url: picture } = fieldsOf(user);
  if (!Number.isSafeInteger(id) || Number(id) <= 0) throw new Error('The user has no valid id.');
  const addresses = verifiedAddresses(emails);
  const email = addresses.find((address) => trustedDomains.includes(domainOfEmail(address) ?? '')) ?? addresses[0];
  return identityClaims({ sub: String(id), name, picture, email, email_verified: true }, undefined);
}

/** Returns the verified addresses, the primary address first. */
function verifiedAddresses(emails: unknown): string[] {
  if (!Array.isArray(emails)) throw new Error('The response has no list of email addresses.');
  const verified = emails.map(fieldsOf).filter((entry) => entry['verified'] === true);
  return verified
    .toSorted((first, second) => Number(second['primary'] === true) - Number(first['primary'] === true))
    .map(({ email }) => email)
    .filter((email) => typeof email === 'string')
    .filter((email) => !domainOfEmail(email)?.startsWith(NO_REPLY));
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? value : {});
