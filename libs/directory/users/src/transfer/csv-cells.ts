import { MalformedJson, readJson } from '#platform/http';

/** Matches cells that a spreadsheet would run as a formula (OWASP, CSV injection), with or without leading apostrophes. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** Puts an apostrophe before a cell that a spreadsheet would run as a formula. */
export const neutralized = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

/** Removes the apostrophe of `neutralized`, so that an export can be imported without changes. */
export const restored = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);

/** Returns a cell with a list: `member;billing`, or JSON if an item contains a semicolon or looks like JSON. */
export const listCell = (items: readonly string[]): string =>
  items.some((item) => item.includes(';') || item.startsWith('[')) ? JSON.stringify(items) : items.join(';');

/** Reads a list from a cell. Invalid JSON stays text, which the validation rejects. */
export function itemsOf(cell: string, pointer: string): unknown {
  if (cell.startsWith('[')) return jsonOf(cell, pointer);
  return cell
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/**
 * Reads JSON from a cell. Invalid JSON stays text, which the validation rejects.
 * @throws JsonTooDeep, JsonTooWide, InvalidRequest for other JSON that `readJson` rejects
 */
export function jsonOf(cell: string, pointer: string): unknown {
  try {
    return readJson(Buffer.from(cell), { pointer });
  } catch (error) {
    if (error instanceof MalformedJson) return cell;
    throw error;
  }
}

export const booleanOf = (cell: string): unknown => {
  const word = cell.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : cell;
};
