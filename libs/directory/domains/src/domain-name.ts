import { asciiDomain, InvalidRequest } from '#platform/common';

/** Returns a domain name in ASCII (punycode) and lowercase. @throws InvalidRequest (400) */
export function domainNameOf(text: string): string {
  const name = asciiDomain(text.trim().replace(/\.$/, ''));
  if (name !== undefined) return name;
  const message = 'Must be a domain name such as example.com, without a protocol, a path or an email address.';
  throw new InvalidRequest([{ pointer: '/name', code: 'invalid_domain', message }]);
}
