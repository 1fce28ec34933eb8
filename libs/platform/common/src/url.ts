/**
 * Parses an absolute URL (WHATWG). Returns undefined for all other texts. Does not use `URL.canParse`, which has a bug in Node.js 20: after
 * V8 has optimized the caller, `URL.canParse` returns false for every URL with a Latin-1 character outside ASCII.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Parses an absolute URL. Returns undefined for texts with whitespace or control characters, which the WHATWG parser would remove. */
export const parseUrlAsWritten = (text: string): URL | undefined => (/[\p{Cc}\s]/u.test(text) ? undefined : parseUrl(text));

/** Returns a pattern for one character of a URI component (RFC 3986), percent-encoded or not. `others` are additional characters. */
const characterOr = (others: string): string => String.raw`(?:[\w.~!$&'()*+,;=${others}-]|%[\dA-F]{2})`;
const USER = `(?:${characterOr(':')}*@)?`;
const HOST = String.raw`(?:${characterOr('')}+|\[[\dA-F:.]+\])(?::\d*)?`;
const PATH = `${characterOr(':@/')}*`;
const QUERY = `${characterOr(':@/?')}*`;
const WEB_URI = new RegExp(String.raw`^https?://${USER}${HOST}(?:/${PATH})?(?:\?${QUERY})?(?:#${QUERY})?$`, 'i');

/** Characters that the WHATWG parser does not encode in paths, queries and fragments, although URIs can't contain them. */
const NOT_IN_URIS = /%(?![\dA-Fa-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/g;

/**
 * Converts an absolute http or https URL to a URI (RFC 3986). Does not change URIs. For other texts, such as IRIs, converts the host to
 * ASCII and percent-encodes the rest. Returns undefined if the text is not an http or https URL.
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
