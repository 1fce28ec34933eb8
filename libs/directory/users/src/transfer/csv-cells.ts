/** Cells that spreadsheets would take for a formula (OWASP, CSV injection), and those that were kept from it already. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** Puts an apostrophe before what a spreadsheet would run as a formula. */
export const neutralised = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

/** Takes the apostrophe of `neutralised` away again, so that an export can be imported as it is. */
export const restored = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);

/** How lists stand in a cell: `member;billing`, or as JSON where an item has a semicolon in it or looks like JSON. */
export const listCell = (items: readonly string[]): string =>
  items.some((item) => item.includes(';') || item.startsWith('[')) ? JSON.stringify(items) : items.join(';');

/** Reads a list from its cell; a text that looks like JSON and is not stays as it is, to be refused. */
export function itemsOf(cell: string): unknown {
  if (cell.startsWith('[')) return jsonOf(cell);
  return cell
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Reads JSON from a cell; what is none stays text, to be refused. */
export function jsonOf(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

export const booleanOf = (cell: string): unknown => {
  const word = cell.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : cell;
};
