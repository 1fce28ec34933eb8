import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import type { SealedColumn } from './sealed-columns.js';

const SEALED_ROW = row({
  /** The `ctid`, which identifies this version of the row. */
  location: column.text(),
  sealed: column.text(),
  /** The context with which the text is sealed. */
  context: column.text(),
  key: column.arrayOf(column.text()),
});
export type SealedRow = RowOf<typeof SEALED_ROW>;

/** A row with its text sealed again. */
export interface ResealedRow extends SealedRow {
  readonly resealed: string;
}

/** Reads and writes sealed columns. The names in the statements come from `SEALED_COLUMNS`. */
export class ResealingQuery extends BaseQuery {
  /**
   * Locks and returns the next rows whose text is sealed with one of the keys, after the primary key `after`. Skips locked rows.
   */
  async lockNext(
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
      `SELECT ctid::text AS location, ${column} AS sealed, ${context} AS context, ARRAY[${key.map((name) => `${name}::text`).join(', ')}] AS key
       FROM ${table} WHERE split_part(${column}, '.', 2) = ANY ($1::text[]) ${isNext}
       ORDER BY ${names} LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
      [keyIds, limit, ...(after ?? [])],
    );
  }

  async update(ctx: RequestContext, { table, column }: SealedColumn, rows: readonly ResealedRow[]): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE ${table} t SET ${column} = v.resealed
       FROM unnest($1::text[]::tid[], $2::text[], $3::text[]) v (location, sealed, resealed)
       WHERE t.ctid = v.location AND t.${column} = v.sealed`,
      [rows.map(({ location }) => location), rows.map(({ sealed }) => sealed), rows.map(({ resealed }) => resealed)],
    );
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
