/** Columns by heading. Each function returns the value for a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => unknown>>;

export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Prints to standard error, so that standard output can be piped. */
export const note = (line: string): void => void process.stderr.write(`${line}\n`);

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

/** Replaces control characters of terminals with question marks, because other people can have written the text. */
export const visible = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, '?');

export function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map((each) => shown(each)).join(', ');
  if (typeof value === 'object') {
    const { name } = value as { name?: unknown };
    return typeof name === 'string' ? visible(name) : visible(JSON.stringify(value));
  }
  return visible(String(value));
}

export function table<Row>(rows: readonly Row[], columns: Columns<Row>): string[] {
  const headings = Object.keys(columns);
  const cells = rows.map((row) => headings.map((heading) => shown(columns[heading]!(row))));
  const widths = headings.map((heading, index) => Math.max(heading.length, ...cells.map((row) => [...row[index]!].length)));
  return [headings.map((heading) => heading.toUpperCase()), ...cells].map((row) =>
    row
      .map((cell, index) => cell + ' '.repeat(widths[index]! - [...cell].length))
      .join('  ')
      .trimEnd(),
  );
}

export function fields(resource: object): string[] {
  const names = Object.keys(resource);
  const width = Math.max(0, ...names.map((name) => name.length));
  return names.map((name) => `${name.padEnd(width)}  ${shown((resource as Record<string, unknown>)[name])}`);
}
