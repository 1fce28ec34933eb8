/**
 * Returns a regular expression of PostgreSQL that finds a word in the values of a JSON text, and not in the names of its fields: after the
 * rest of the value and its quotation mark comes no colon. Ignores case in all scripts, whatever the locale of the database.
 */
export const wordPattern = (word: string): string =>
  `${Array.from(JSON.stringify(word).slice(1, -1), inAnyCase).join('')}(?:[^"\\\\]|\\\\.)*"(?!:)`;

function inAnyCase(character: string): string {
  const forms = new Set([character, character.toLowerCase(), character.toUpperCase()].filter((form) => [...form].length === 1));
  if (forms.size > 1) return `[${[...forms].join('')}]`;
  return /[\p{L}\p{N}]/u.test(character) ? character : `\\${character}`;
}
