import { stringify } from 'csv-stringify/sync';

/** Matches cells that a spreadsheet would run as a formula (OWASP, CSV injection), with or without leading apostrophes. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** Puts an apostrophe before a cell that a spreadsheet would run as a formula. */
export const neutralized = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell);

/** Removes the apostrophe of `neutralized`, so that an export can be imported without changes. */
export const restored = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);

/** Returns rows as the lines of a CSV file, which end with CR and LF (RFC 4180). Spreadsheets run no cell as a formula. */
export const csvLines = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => row.map(neutralized)),
    { record_delimiter: 'windows' },
  );
