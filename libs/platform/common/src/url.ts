/**
 * Reads an absolute URL (WHATWG); undefined when it is none. Not `URL.canParse`: once V8 has optimised a caller, Node.js 20 says false for
 * any URL that holds a Latin-1 character outside ASCII.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads an absolute URL as it is written; undefined also for white space and control characters, which the WHATWG parser drops silently:
 * whoever wrote them meant something else.
 */
export const parseUrlAsWritten = (text: string): URL | undefined => (/[\p{Cc}\s]/u.test(text) ? undefined : parseUrl(text));

/** One of the characters of RFC 3986 that stand for themselves or are encoded, or one of those that part the rest. */
const characterOr = (others: string): string => String.raw`(?:[\w.~!$&'()*+,;=${others}-]|%[\dA-F]{2})`;
const USER = `(?:${characterOr(':')}*@)?`;
const HOST = String.raw`(?:${characterOr('')}+|\[[\dA-F:.]+\])(?::\d*)?`;
const PATH = `${characterOr(':@/')}*`;
const QUERY = `${characterOr(':@/?')}*`;
const WEB_URI = new RegExp(String.raw`^https?://${USER}${HOST}(?:/${PATH})?(?:\?${QUERY})?(?:#${QUERY})?$`, 'i');

/** What the WHATWG parser leaves in paths, queries and fragments although no URI has it there. */
const NOT_IN_URIS = /%(?![\dA-Fa-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/g;

/**
 * An absolute http or https address as a URI (RFC 3986): one that is a URI already stays as it is; in others (IRIs, and what people paste)
 * names of hosts get their ASCII form and the rest is percent-encoded. Undefined for what is none as it is written.
 */
export function webUri(text: string): string | undefined {
  const url = parseUrlAsWritten(text);
  if (!url || WEB_URI.test(text)) return url && text;
  const encoded = (part: string): string => part.replace(NOT_IN_URIS, encodeURIComponent);
  url.pathname = encoded(url.pathname);
  url.search = encoded(url.search);
  url.hash = encoded(url.hash.slice(1));
  return WEB_URI.test(url.href) ? url.href : undefined;
}
