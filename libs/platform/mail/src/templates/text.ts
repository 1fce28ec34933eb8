/**
 * Converts a value to one line of plain text. Line breaks and control characters could start a new header or paragraph. Marks of
 * writing direction could change how a line is read.
 */
export const singleLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
