/** Returns the normalized form of an email address (lower case, NFC) for comparisons. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();

/** Returns the normalized form of a text for searches: without accents, in lower case (final sigma as sigma), with single spaces. */
export const searchKey = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/ς/g, 'σ')
    .replace(/\s+/g, ' ')
    .trim();

/** Escapes `%`, `_` and `\` for a LIKE pattern. */
export const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`);
