import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import type { SealedColumn } from './sealed-columns.js';

/** The place of the ID in `v1.<key id>.…`. `substr` does not read the rest of a long text. */
const [KEY_ID_START, KEY_ID_LENGTH] = ['v1.'.length + 1, 8];
const MAX_ROWS_READ = 100_000;

const SEALED_ROW = row({
  sealed: column.text(),
  /** The context with which the text is sealed. */
  context: column.text(),
  /** The values of the primary key. */
  key: column.arrayOf(column.text()),
});
export type SealedRow = RowOf<typeof SEALED_ROW>;

/** A row with its text sealed again. */
export interface ResealedRow extends SealedRow {
  readonly resealed: string;
}

/** Reads and writes sealed columns. The names in the statements come from `SEALED_COLUMNS`. */
export class ResealingQuery extends BaseQuery {
  /** Returns the next rows whose text is sealed with one of the keys, after the primary key `after`. */
  async listNext(
    ctx: RequestContext,
    { table, column, key, context }: SealedColumn,
    keyIds: readonly string[],
    after: readonly string[] | undefined,
    limit: number,
  ): Promise<SealedRow[]> {
    const names = key.join(', ');
    const isNext = after ? `AND (${names}) > (${key.map((_, index) => `$${index + 3}`).join(', ')})` : '';
    return this.query(
      ctx,
      SEALED_ROW,
      `SELECT ${column} AS sealed, ${context} AS context, ARRAY[${key.map((name) => `${name}::text`).join(', ')}] AS key
       FROM ${table} WHERE split_part(${column}, '.', 2) = ANY ($1::text[]) ${isNext}
       ORDER BY ${names} LIMIT $2`,
      [keyIds, limit, ...(after ?? [])],
    );
  }

  /** Writes the texts that did not change since they were read. Returns their number. */
  async update(ctx: RequestContext, { table, column, key }: SealedColumn, rows: readonly ResealedRow[]): Promise<number> {
    const arrays = key.map((name, index) => `$${index + 3}::${name.endsWith('_hash') ? 'bytea' : 'text'}[]`);
    return this.execute(
      ctx,
      `UPDATE ${table} t SET ${column} = v.resealed
       FROM unnest($1::text[], $2::text[], ${arrays.join(', ')}) v (sealed, resealed, ${key.join(', ')})
       WHERE ${key.map((name) => `t.${name} = v.${name}`).join(' AND ')} AND t.${column} = v.sealed`,
      [
        rows.map(({ sealed }) => sealed),
        rows.map(({ resealed }) => resealed),
        ...key.map((_, index) => rows.map((row) => row.key[index])),
      ],
    );
  }

  /** Returns the IDs of the keys that sealed the texts of a column. Reads a limited number of rows, so that a start takes no longer. */
  async listKeyIds(ctx: RequestContext, { table, column: name }: SealedColumn): Promise<string[]> {
    const ids = await this.query(
      ctx,
      row({ id: column.text() }),
      `SELECT DISTINCT id FROM (SELECT substr(${name}, ${KEY_ID_START}, ${KEY_ID_LENGTH}) AS id FROM ${table} WHERE ${name} <> ''
       LIMIT ${MAX_ROWS_READ}) AS sealed`,
    );
    return ids.map(({ id }) => id);
  }

  /** Deletes the rows whose text is sealed with a key. Returns their number. */
  async deleteByKey(ctx: RequestContext, { table, column }: SealedColumn, keyId: string): Promise<number> {
    return this.execute(ctx, `DELETE FROM ${table} WHERE split_part(${column}, '.', 2) = $1`, [keyId]);
  }

  /** Removes the texts that are sealed with a key from their rows. Returns the number of rows. */
  async clearByKey(ctx: RequestContext, { table, column }: SealedColumn, keyId: string): Promise<number> {
    return this.execute(ctx, `UPDATE ${table} SET ${column} = NULL WHERE split_part(${column}, '.', 2) = $1`, [keyId]);
  }

  /** Returns the number of texts sealed with any key except `keyId`, by the id of the key. */
  async countByOtherKeys(
    ctx: RequestContext,
    { table, column: name }: SealedColumn,
    keyId: string,
  ): Promise<Record<string, number>> {
    const counts = await this.query(
      ctx,
      row({ id: column.text(), count: column.integer() }),
      `SELECT split_part(${name}, '.', 2) AS id, count(*)::int AS count FROM ${table}
       WHERE ${name} <> '' AND split_part(${name}, '.', 2) <> $1 GROUP BY 1`,
      [keyId],
    );
    return Object.fromEntries(counts.map(({ id, count }) => [id, count]));
  }
}
