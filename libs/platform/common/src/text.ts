import anyAscii from 'any-ascii';
import { asciiAddress } from './domain-names.js';

/** Returns the normalized form of an email address for comparisons: lower case, NFC, with the domain in ASCII. */
export const emailKey = (email: string): string => asciiAddress(email.normalize('NFC')).toLowerCase();

/** Letters of the Latin script, which have a base letter ("ł", "ø", "ß"), dashes and quotation marks. */
const WITH_ASCII_FORM = /[\p{Script=Latin}\p{Pd}\p{Pi}\p{Pf}\u02b9-\u02bf]/gu;

/** Returns a text without differences of case. Goes through upper case, which different lowercase letters share: "ß", "ẞ" and "SS" become "ss". */
const foldCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase().replace(/ς/g, 'σ');

/**
 * Returns the normalized form of a text for searches: in lower case, without accents, strokes, ligatures and invisible characters, with single
 * spaces. Letters of other scripts stay in their script. Stored search texts and search terms are compared in this form.
 */
export const searchKey = (text: string): string =>
  foldCase(text.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, ''))
    .replace(WITH_ASCII_FORM, (letter) => (letter <= '\x7f' ? letter : anyAscii(letter).toLowerCase()))
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the normalized form of a name for comparisons that ignore case. Unlike in `searchKey`, accents count. */
export const nameKey = (name: string): string => foldCase(name.normalize('NFKC')).normalize('NFKC');

/** Returns the lowercase ASCII letters and digits of a text in any script, as words joined by hyphens. */
export const asciiWords = (text: string): string =>
  anyAscii(text.normalize('NFKC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '-'))
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '')
    .replace(/-{2,}/g, '-');

/**
 * Control characters, line and paragraph separators, characters that change the direction of the text around them, byte order marks, tags,
 * annotations and noncharacters. They have no place in a name: they forge lines of logs and hide what a name says.
 */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Noncharacter_Code_Point}]/u;

/** Returns whether a text is one line of well-formed Unicode without characters that only control how it is shown. */
export const isSafeLine = (text: string): boolean => text.isWellFormed() && !UNSAFE.test(text);

/** As `isSafeLine`, for texts of several lines, which can contain line breaks and tabs. */
export const isSafeText = (text: string): boolean => isSafeLine(text.replace(/[\n\r\t]/g, ' '));

/** Returns whether a text has a visible character. A name without one shows as nothing. */
export const isVisible = (text: string): boolean => /[^\s\p{Default_Ignorable_Code_Point}]/u.test(text);

/** Escapes `%`, `_` and `\` for a LIKE pattern. */
export const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`);
