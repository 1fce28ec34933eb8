import { column, row } from '../row-type.js';
import type { RowKey } from './history-batch.js';
import { keyColumnsOf, type TrackedTable } from './tracked-tables.js';

export const CHANGED_KEY_ROW = row({
  changedTable: column.text(),
  tenantId: column.text(),
  key: column.arrayOf(column.text()),
});

/** Returns the SQL of the key of a changed row, for `RETURNING` and `SELECT` (`BaseQuery.executeRowChanges`). */
export function changedKey(table: TrackedTable, alias: string): string {
  const key = keyColumnsOf(table).map((name) => `${alias}.${name}`);
  return `'${table}'::text AS "changedTable", ${alias}.tenant_id AS "tenantId", ARRAY[${key.join(', ')}] AS key`;
}

export function keyOfChange(table: TrackedTable, tenantId: string, key: readonly string[]): RowKey {
  return { tenant_id: tenantId, ...Object.fromEntries(keyColumnsOf(table).map((name, index) => [name, key[index]])) };
}
