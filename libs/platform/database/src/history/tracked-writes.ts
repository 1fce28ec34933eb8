import type { QueryResult } from 'pg';
import type { HistoryBatch } from './history-batch.js';
import { isExcluded, isTracked, TRACKED_TABLES, type TrackedTable } from './tracked-tables.js';

const WRITES = new RegExp(`\\b(?:INSERT INTO|UPDATE|DELETE FROM) "?(${Object.keys(TRACKED_TABLES).join('|')})"?\\b`, 'g');
/** An update of a single column. */
const SINGLE_COLUMN = /^UPDATE (\w+) \w+ SET (\w+) = \S+\s+(?:FROM|WHERE)\b/;

let isVerifying = false;

/** Enables the check that all changes of tables with a history are tracked. Only for tests. */
export function verifyTrackedWrites(): void {
  isVerifying = true;
}

function tablesWrittenBy(text: string): TrackedTable[] {
  const [, updated = '', column = ''] = SINGLE_COLUMN.exec(text) ?? [];
  if (isTracked(updated) && isExcluded(updated, column)) return [];
  return [...text.matchAll(WRITES)].map(([, table]) => table as TrackedTable);
}

/** Checks in tests that a transaction tracks the changes of its statements. */
export class TrackedWrites {
  private readonly writes: { readonly text: string; readonly tables: TrackedTable[]; rowCount: number }[] = [];

  /** Returns undefined before `verifyTrackedWrites`. */
  static open(): TrackedWrites | undefined {
    return isVerifying ? new TrackedWrites() : undefined;
  }

  /** @throws Error if a statement without a transaction writes a table with a history */
  static assertNone(text: string): void {
    if (isVerifying && tablesWrittenBy(text).length > 0) throw new Error(`A transaction must track this change: ${text}`);
  }

  add(text: string, result: Promise<QueryResult>): void {
    const tables = tablesWrittenBy(text);
    if (tables.length === 0) return;
    const write = { text, tables, rowCount: 0 };
    this.writes.push(write);
    result.then(
      ({ rowCount }) => void (write.rowCount = rowCount ?? 0),
      () => undefined,
    );
  }

  /** @throws Error if a statement changed rows that the history lacks */
  assertTracked(history: HistoryBatch): void {
    const missed = this.writes.find(({ tables, rowCount }) => rowCount > 0 && !tables.some((table) => history.has(table)));
    if (missed) throw new Error(`The history lacks this change: ${missed.text}`);
  }
}
