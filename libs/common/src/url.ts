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
