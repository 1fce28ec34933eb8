/** Lower-cased, composed form of an e-mail address: what uniqueness and look-ups compare. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();

/** Folds text for searching: no accents, no case (the two small sigmas are one, for both have one capital), single spaces. */
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
