import { domainToASCII, domainToUnicode } from 'node:url';

const MAX_LENGTH = 253;
const NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Characters of URLs and email addresses, which `domainToASCII` would interpret. */
const OTHER_SYNTAX = /[\s/:@?#\\%[\]]/;

/**
 * Returns a domain name in ASCII (punycode, UTS #46) and lowercase, or undefined if the text is not a domain name. Every comparison of domains
 * and of email addresses uses this form.
 */
export function asciiDomain(text: string): string | undefined {
  // Longer texts can't become shorter than the limit in ASCII, except by ignored characters.
  if (text.length > MAX_LENGTH || OTHER_SYNTAX.test(text)) return undefined;
  const name = domainToASCII(text.toLowerCase());
  return name.length <= MAX_LENGTH && NAME.test(name) ? name : undefined;
}

/** Returns a domain name, in Unicode or in ASCII, in the form that people read. Returns other texts unchanged. */
export function unicodeDomain(text: string): string {
  const name = asciiDomain(text);
  return name === undefined ? text : domainToUnicode(name);
}

/** Returns the domain of an email address in ASCII, or undefined if the text has none. */
export const domainOfEmail = (email: string): string | undefined => asciiDomain(email.slice(email.lastIndexOf('@') + 1).trim());

/** Returns an email address with its domain in ASCII, as mail servers expect it. Returns other texts unchanged. */
export function asciiAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = at < 0 ? undefined : asciiDomain(email.slice(at + 1));
  return domain === undefined ? email : `${email.slice(0, at)}@${domain}`;
}
