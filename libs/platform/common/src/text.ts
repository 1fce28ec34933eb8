/** Returns the normalized form of an email address (lower case, NFC), by which addresses are compared. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();

/** Returns the normalized form of a text for search: without accents, in lower case (final sigma as sigma), with single spaces. */
export const searchKey = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/ς/g, 'σ')
    .replace(/\s+/g, ' ')
    .trim();

/** Escapes `%`, `_` and `\` for a LIKE pattern, so that they are plain characters. */
export const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`);
