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
  const name = domainToASCII(text);
  return name.length <= MAX_LENGTH && NAME.test(name) ? name : undefined;
}

/** The scripts that domains of one language combine with Latin letters (UTS #39, "highly restrictive"). */
const LATIN_OR_EAST_ASIAN =
  /^[\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{sc=Common}\p{sc=Inherited}]*$/u;
const WITHOUT_LATIN = [/^[^\p{sc=Latin}\p{sc=Greek}]*$/u, /^[^\p{sc=Latin}\p{sc=Cyrillic}]*$/u];

/** Returns whether no label mixes scripts with letters that look alike, such as Latin and Cyrillic. */
const hasPlainLabels = (name: string): boolean =>
  name.split('.').every((label) => LATIN_OR_EAST_ASIAN.test(label) || WITHOUT_LATIN.some((scripts) => scripts.test(label)));

/**
 * Returns a domain name, in Unicode or in ASCII, in the form that people read. Like browsers, stays in ASCII for a name whose labels mix scripts with
 * letters that look alike. Returns other texts unchanged.
 */
export function unicodeDomain(text: string): string {
  const name = asciiDomain(text);
  if (name === undefined) return text;
  const unicode = domainToUnicode(name);
  return hasPlainLabels(unicode) ? unicode : name;
}

/**
 * Returns whether a text shows the domain that it names: it is in ASCII, or it differs from `unicodeDomain` only in case. Excludes invisible
 * characters, other forms of letters and dots, and labels that mix scripts.
 */
export const isPlainDomain = (text: string): boolean =>
  asciiDomain(text) !== undefined && (/^[\x21-\x7e]+$/.test(text) || lowercase(text) === lowercase(unicodeDomain(text)));

const lowercase = (text: string): string => text.normalize('NFC').toLowerCase().replace(/ς/g, 'σ');

/** Returns the domain of an email address in ASCII, or undefined if the text has none. */
export const domainOfEmail = (email: string): string | undefined => asciiDomain(email.slice(email.lastIndexOf('@') + 1).trim());

/** Returns an email address with its domain as people read it. */
export const unicodeAddress = (email: string): string => {
  const at = email.lastIndexOf('@') + 1;
  return `${email.slice(0, at)}${unicodeDomain(email.slice(at))}`;
};

/** Returns an email address with its domain in ASCII, as mail servers expect it. Returns other texts unchanged. */
export function asciiAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = at < 0 ? undefined : asciiDomain(email.slice(at + 1));
  return domain === undefined ? email : `${email.slice(0, at)}@${domain}`;
}
