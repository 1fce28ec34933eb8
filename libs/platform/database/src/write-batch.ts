import type { HistoryBatch } from './history/history-batch.js';

/** Translates a database error of deferred rows. Returns undefined for all other errors. */
export type ErrorMeaning = (error: unknown) => Error | undefined;

/**
 * A statement and its rows. The rows are passed as a JSON array (`$1`): `INSERT INTO … SELECT … FROM json_to_recordset($1::json) AS r (…)`.
 */
export interface DeferredRows {
  readonly sql: string;
  readonly rows: readonly object[];
  readonly errorMeaning?: ErrorMeaning | undefined;
}

export interface BatchStatement {
  readonly text: string;
  readonly values: unknown[];
  /** Returns the translated error, or the original error if no `errorMeaning` translates the error. */
  readonly errorMeaning: (error: unknown) => unknown;
}

/** Collects deferred rows of several statements. Rows of one statement keep their order. The order of the statements is undefined. */
export class WriteBatch {
  private rows = new Map<string, object[]>();
  private meanings: ErrorMeaning[] = [];

  /** `isDistributed` is whether the tables are distributed with Citus. */
  constructor(private readonly isDistributed: boolean) {}

  get isEmpty(): boolean {
    return this.rows.size === 0;
  }

  add({ sql, rows, errorMeaning }: DeferredRows): void {
    if (rows.length === 0) return;
    const collected = this.rows.get(sql);
    if (collected) collected.push(...rows);
    else this.rows.set(sql, [...rows]);
    if (errorMeaning) this.meanings.push(errorMeaning);
  }

  /** Drops the rows. */
  clear(): void {
    this.rows = new Map();
    this.meanings = [];
  }

  /** Returns the statement for all rows. With `history`, the same statement also writes the history of new rows. */
  take(history?: HistoryBatch): BatchStatement {
    const parts = [...this.rows];
    const meanings = this.meanings;
    this.clear();
    const tenants = this.isDistributed ? tenantsOf(parts.flatMap(([, rows]) => rows)) : [];
    const values = [...parts.map(([, rows]) => JSON.stringify(rows)), ...tenants];
    const inserts = parts.map(([sql, rows], index) => ({ name: `w${index + 1}`, sql, count: rows.length }));
    // Citus would send returned rows to the coordinator and back.
    const past = history?.take(values.length, this.isDistributed ? [] : inserts);
    return {
      text: textOf(
        inserts.map(({ name, sql }) => (past?.returning.has(name) ? `${sql} RETURNING *` : sql)),
        tenants.length,
        past?.parts ?? [],
      ),
      values: [...values, ...(past?.values ?? [])],
      errorMeaning: (error) => meanings.map((meaning) => meaning(error)).find((meaning) => meaning !== undefined) ?? error,
    };
  }
}

/**
 * Combines statements into one, as parts of a `WITH` clause. Each part has its own parameter. On Citus, the tenants of all rows follow.
 *
 * The last part, which is only for Citus, changes nothing. It marks the connections to the workers as changed: without it, Citus does not prepare the
 * transaction of a worker that was read before these inserts, and the commit succeeds although a worker that fails at this moment loses its rows.
 */
function textOf(statements: readonly string[], tenants: number, historyParts: readonly string[]): string {
  const parts = statements.map((sql, index) => `w${index + 1} AS (${sql.replaceAll('$1', `$${index + 1}`)})`);
  if (tenants > 0) {
    const list = Array.from({ length: tenants }, (_, index) => `$${statements.length + index + 1}`).join(', ');
    parts.push(`mark AS (DELETE FROM event_streams WHERE tenant_id IN (${list}) AND last_position < 0)`);
  }
  return `WITH ${[...parts, ...historyParts].join(', ')} SELECT`;
}

const tenantsOf = (rows: readonly object[]): string[] => [
  ...new Set(rows.flatMap((row) => (row as { tenant_id?: string }).tenant_id ?? [])),
];
