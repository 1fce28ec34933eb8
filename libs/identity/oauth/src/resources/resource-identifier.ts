/**
 * Returns an identifier in the form in which identifiers are compared. An API can accept an audience that differs from its identifier in
 * the case, a trailing slash or an encoded character, so such audiences are the same here.
 */
export function comparableIdentifier(identifier: string): string {
  const { href } = URL.canParse(identifier) ? new URL(identifier) : { href: identifier };
  const characters = decoded(href).toLowerCase();
  let end = characters.length;
  while (characters[end - 1] === '/') end -= 1;
  return characters.slice(0, end);
}

/** Returns whether an audience is a base URL or an address below it. */
export function isBelow(baseUrl: string, audience: string): boolean {
  const base = comparableIdentifier(baseUrl);
  const compared = comparableIdentifier(audience);
  return compared === base || ['/', '?', '#'].some((separator) => compared.startsWith(base + separator));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
