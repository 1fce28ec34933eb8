/** Whether a text can be one of our random tokens at all (256 bits in base64url): anything else is refused without asking the database. */
export const isTokenShaped = (text: string): boolean => /^[\w-]{43}$/.test(text);
