/** Text for HTML content and quoted attributes; also in the quotes of `srcdoc`. */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/**
 * Makes an inserted value one line of plain text. Line breaks and control characters could begin a new header or a paragraph of the
 * sender's own; marks of writing direction could make a line read differently from what it says.
 */
export const singleLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
