import { domainToASCII, domainToUnicode } from 'node:url';
import { InvalidRequest } from '#platform/common';

const MAX_LENGTH = 253;
const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Characters of URLs and email addresses, which `domainToASCII` would interpret. */
const OTHER_SYNTAX = /[\s/:@?#\\%[\]]/;

/** Returns a domain name in ASCII (punycode) and lowercase. @throws InvalidRequest (400) */
export function domainNameOf(text: string): string {
  const trimmed = text.trim().replace(/\.$/, '').toLowerCase();
  const name = OTHER_SYNTAX.test(trimmed) ? '' : domainToASCII(trimmed);
  if (name.length <= MAX_LENGTH && NAME.test(name)) return name;
  const message = 'Must be a domain name such as example.com, without a protocol, a path or an email address.';
  throw new InvalidRequest([{ pointer: '/name', code: 'invalid_domain', message }]);
}

/** Returns the domain of an email address in ASCII, or undefined if the text has none. */
export function domainOfEmail(email: string): string | undefined {
  const name = domainToASCII(
    email
      .slice(email.lastIndexOf('@') + 1)
      .trim()
      .toLowerCase(),
  );
  return NAME.test(name) ? name : undefined;
}

export const unicodeNameOf = (name: string): string => domainToUnicode(name);
