import { MalformedJson, readJson } from '#platform/http';

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
