/** Returns whether a text has the form of a random token (256 bits in base64url). Any other text needs no database lookup. */
export const isTokenShaped = (text: string): boolean => /^[\w-]{43}$/.test(text);
