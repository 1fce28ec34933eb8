import type { QueryRunner } from 'typeorm';
import { ASCII_FORMS } from './letters.js';

/** The functions of the service at the time of the migrations in which names and search texts were folded anew. */

const foldCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase().replace(/ς/g, 'σ');

export const nameKey = (name: string): string => foldCase(name.normalize('NFKC')).normalize('NFKC');

export const searchKey = (text: string): string =>
  Array.from(
    foldCase(text.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '')),
    (character) => ASCII_FORMS.get(character) ?? character,
  )
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

type Row = Record<string, unknown>;

const BATCH_SIZE = 5_000;

/** The table to change in batches. `key` are its columns without `tenant_id`. An index begins with the first column. */
interface Rows {
  readonly table: string;
  readonly key: readonly string[];
  readonly columns: readonly string[];
  /** A condition for the rows that can change. */
  readonly where: string;
  /** Returns the new values of columns, or undefined if the row stays as it is. */
  readonly change: (row: Row) => Row | undefined;
}

/** Changes rows in batches by key, each batch in a statement of its own, so that writers wait for one batch at most. */
export async function changeRows(queryRunner: QueryRunner, { table, key, columns, where, change }: Rows): Promise<void> {
  const keys = [...key, 'tenant_id'];
  let after: Row | undefined;
  do {
    const condition = after
      ? `${key[0]} >= $1 AND (${keys.join(', ')}) > (${keys.map((_, index) => `$${index + 1}`).join(', ')}) AND`
      : '';
    const rows = (await queryRunner.query(
      `SELECT ${[...keys, ...columns].join(', ')} FROM ${table} WHERE ${condition} ${where} ORDER BY ${keys.join(', ')} LIMIT ${BATCH_SIZE}`,
      after && keys.map((name) => after?.[name]),
    )) as Row[];
    const changed = rows.flatMap((row) => {
      const values = change(row);
      return values
        ? [{ ...row, ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`new_${name}`, value])) }]
        : [];
    });
    if (changed.length > 0) await writeBatch(queryRunner, table, keys, changed);
    after = rows.length === BATCH_SIZE ? rows.at(-1) : undefined;
  } while (after);
}

/** Writes the columns `new_…` of rows. */
async function writeBatch(queryRunner: QueryRunner, table: string, keys: readonly string[], rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0]!).filter((name) => name.startsWith('new_'));
  const types = [...keys, ...columns].map((name) => `${name} ${Array.isArray(rows[0]![name]) ? 'text[]' : 'text'}`).join(', ');
  await queryRunner.query(
    `UPDATE ${table} t SET ${columns.map((name) => `${name.slice('new_'.length)} = r.${name}`).join(', ')}
     FROM json_to_recordset($1::json) AS r (${types})
     WHERE t.tenant_id = ANY ($2) AND ${keys.map((name) => `t.${name} = r.${name}`).join(' AND ')}`,
    [JSON.stringify(rows), [...new Set(rows.map((row) => row['tenant_id']))]],
  );
}
