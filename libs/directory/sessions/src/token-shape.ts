/** Returns whether a text has the form of a random token (256 bits in base64url). Other texts need no lookup in the database. */
export const isTokenShaped = (text: string): boolean => /^[\w-]{43}$/.test(text);
