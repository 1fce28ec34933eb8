import { type SecretSealer, SecretUnreadable } from '#platform/crypto';
import type { Client } from 'pg';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.js';

const BATCH_SIZE = 500;
const MAX_PASSES = 20;
const PAUSE_BETWEEN_PASSES_MS = 250;

/** What became of one column. */
export interface ResealedColumn {
  /** `table.column`. */
  readonly name: string;
  resealed: number;
  /** What does not open though its key is there, by the contexts that it should open for. */
  readonly unreadable: Set<string>;
  /** Still under other keys than the newest, by the key's name. */
  left: Readonly<Record<string, number>>;
}

interface SealedRow {
  readonly place: string;
  readonly sealed: string;
  readonly context: string;
  readonly [key: `key${number}`]: unknown;
}

/**
 * Seals all that an older key sealed under the newest one, while the service reads and writes it. Each batch is a short transaction, so an
 * end at any moment loses nothing and another run goes on; rows that somebody writes at the moment are passed by and met again, so several
 * runs at once, and the service, never wait for one another.
 */
export async function resealAll(client: Client, sealer: SecretSealer): Promise<ResealedColumn[]> {
  const results: ResealedColumn[] = [];
  for (const column of SEALED_COLUMNS) {
    const result = { name: `${column.table}.${column.column}`, resealed: 0, unreadable: new Set<string>(), left: {} };
    await resealColumn(client, sealer, column, result);
    results.push(result);
  }
  return results;
}

async function resealColumn(client: Client, sealer: SecretSealer, column: SealedColumn, result: ResealedColumn): Promise<void> {
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    let last: SealedRow | undefined;
    do last = await resealBatch(client, sealer, column, result, last);
    while (last);
    result.left = await countLeft(client, sealer, column);
    const openable = sealer.olderKeyIds.reduce((sum, id) => sum + (result.left[id] ?? 0), 0);
    if (openable <= result.unreadable.size) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_BETWEEN_PASSES_MS));
  }
}

/** Seals the next rows behind `after` anew; gives the last of them, or nothing when there are none. */
async function resealBatch(
  client: Client,
  sealer: SecretSealer,
  column: SealedColumn,
  result: ResealedColumn,
  after: SealedRow | undefined,
): Promise<SealedRow | undefined> {
  await client.query('BEGIN');
  try {
    const rows = await lockNext(client, sealer.olderKeyIds, column, after);
    const resealed = rows.flatMap((row) => {
      const text = sealedAnew(sealer, row);
      if (text === undefined) result.unreadable.add(row.context);
      return text === undefined ? [] : [{ ...row, text }];
    });
    await client.query(
      `UPDATE ${column.table} t SET ${column.column} = v.text
       FROM unnest($1::text[]::tid[], $2::text[], $3::text[]) v (place, sealed, text)
       WHERE t.ctid = v.place AND t.${column.column} = v.sealed`,
      [resealed.map(({ place }) => place), resealed.map(({ sealed }) => sealed), resealed.map(({ text }) => text)],
    );
    await client.query('COMMIT');
    result.resealed += resealed.length;
    return rows.at(-1);
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function lockNext(
  client: Client,
  olderKeyIds: readonly string[],
  { table, column, key, context }: SealedColumn,
  after: SealedRow | undefined,
): Promise<SealedRow[]> {
  const names = key.join(', ');
  const behind = after ? `AND (${names}) > (${key.map((_, index) => `$${index + 3}`).join(', ')})` : '';
  const { rows } = await client.query<SealedRow>(
    `SELECT ctid::text AS place, ${column} AS sealed, ${context} AS context, ${key.map((name, i) => `${name} AS key${i}`).join(', ')}
     FROM ${table} WHERE split_part(${column}, '.', 2) = ANY ($1::text[]) ${behind}
     ORDER BY ${names} LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
    [olderKeyIds, BATCH_SIZE, ...(after ? key.map((_, index) => after[`key${index}`]) : [])],
  );
  return rows;
}

function sealedAnew(sealer: SecretSealer, { sealed, context }: SealedRow): string | undefined {
  try {
    return sealer.seal(sealer.open(sealed, context), context);
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined;
    throw error;
  }
}

async function countLeft(client: Client, sealer: SecretSealer, { table, column }: SealedColumn): Promise<Record<string, number>> {
  const { rows } = await client.query<{ id: string; count: number }>(
    `SELECT split_part(${column}, '.', 2) AS id, count(*)::int AS count FROM ${table}
     WHERE ${column} <> '' AND split_part(${column}, '.', 2) <> $1 GROUP BY 1`,
    [sealer.sealingKeyId],
  );
  return Object.fromEntries(rows.map(({ id, count }) => [id, count]));
}
