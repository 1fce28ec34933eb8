import type { DataSource } from 'typeorm';
import { historyColumnsOf, historyTableOf, keyColumnsOf, metadataOf, type TrackedTable } from './tracked-tables.js';

/** The key of a row, by column name. Includes `tenant_id`. */
export type RowKey = Readonly<Record<string, unknown>>;

interface HistoryStatement {
  readonly text: string;
  readonly values: unknown[];
  /** Whether to prepare the statement, so that each connection plans it only once. */
  readonly isPrepared: boolean;
}

interface ChangedRows {
  readonly table: TrackedTable;
  readonly tenantId: string;
  readonly isNew: boolean;
  readonly keys: RowKey[];
}

/**
 * Collects the keys of the rows that a transaction inserts, updates or deletes. One statement immediately before the commit copies these
 * rows to the history, with the time of this statement. All changes of a transaction therefore have the same time, and the changes of a row
 * have the order of the transactions, which wait for each other's locks.
 */
export class HistoryBatch {
  /** By table and tenant, then by key. The value is whether the transaction inserted the row. */
  private groups = new Map<string, { table: TrackedTable; tenantId: string; rows: Map<string, { key: RowKey; isNew: boolean }> }>();

  constructor(private readonly dataSource: DataSource) {}

  get isEmpty(): boolean {
    return this.groups.size === 0;
  }

  has(table: TrackedTable): boolean {
    return [...this.groups.values()].some((group) => group.table === table);
  }

  add(table: TrackedTable, keys: readonly RowKey[], isNew = false): void {
    for (const key of keys) {
      const tenantId = String(key.tenant_id);
      const groupKey = `${table} ${tenantId}`;
      let group = this.groups.get(groupKey);
      if (!group) this.groups.set(groupKey, (group = { table, tenantId, rows: new Map() }));
      const columns = Object.fromEntries(keyColumnsOf(table).map((name) => [name, key[name]]));
      const rowKey = Object.values(columns).join(' ');
      // A row that existed before can be deleted and inserted again.
      if (!group.rows.has(rowKey) || !isNew) group.rows.set(rowKey, { key: columns, isNew });
    }
  }

  /** Returns the statement that writes the history of the collected rows. */
  take(): HistoryStatement {
    const groups = [...this.groups.values()].flatMap(({ table, tenantId, rows }): ChangedRows[] => {
      const keysWhere = (isNew: boolean) => [...rows.values()].filter((row) => row.isNew === isNew).map(({ key }) => key);
      return [true, false]
        .map((isNew) => ({ table, tenantId, isNew, keys: keysWhere(isNew) }))
        .filter(({ keys }) => keys.length > 0);
    });
    this.groups = new Map();
    return statementOf(this.dataSource, groups);
  }
}

/** The name of the advisory lock that a transaction holds from the moment of its history to the end of the commit. */
export const historyLock = (tenant: string): string => `hashtextextended('history|' || ${tenant}, 0)`;

/**
 * Each group has its own parts, so that Citus sends each part to the shard of its tenant. A group of one row has its key as parameters, so
 * that every plan of the prepared statement uses the primary key. With groups of several rows, the best plan depends on the sizes of the
 * tables, so the statement is planned each time.
 */
function statementOf(dataSource: DataSource, groups: readonly ChangedRows[]): HistoryStatement {
  const values: unknown[] = [];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const tenantIds = [...new Set(groups.map(({ tenantId }) => tenantId))];
  const tenants = new Map(tenantIds.map((tenantId) => [tenantId, parameter(tenantId)]));
  // The time is read after all locks were acquired: a reader that gets a lock knows that all transactions of earlier moments have ended.
  const locked = [...tenants.values()].map((tenant) => `SELECT pg_advisory_xact_lock_shared(${historyLock(`${tenant}::text`)})`);
  const parts = [
    `moment AS MATERIALIZED (SELECT clock_timestamp() AS at
      FROM (SELECT count(*) AS locks FROM (${locked.join(' UNION ALL ')} OFFSET 0) l) c WHERE c.locks > 0)`,
  ];
  for (const group of groups) {
    const tenant = tenants.get(group.tenantId) ?? '';
    const [key] = group.keys;
    const names = keyColumnsOf(group.table);
    const isOne = group.keys.length === 1 && key !== undefined;
    const keyOf = isOne ? new Map(names.map((name) => [name, parameter(key[name])])) : new Map(names.map((name) => [name, `k.${name}`]));
    const rows = isOne
      ? ''
      : `, json_to_recordset(${parameter(JSON.stringify(group.keys))}::json) AS k (${names.map((name) => `${name} text`).join(', ')})`;
    const matches = (alias: string) =>
      [`${alias}.tenant_id = ${tenant}`, ...names.map((name) => `${alias}.${name} = ${keyOf.get(name)}`)].join(' AND ');
    parts.push(...partsOf(dataSource, group, { rows, matches, index: parts.length }));
  }
  const isPrepared = groups.every(({ keys }) => keys.length === 1);
  return { text: `WITH ${parts.join(', ')} SELECT`, values, isPrepared };
}

function partsOf(
  dataSource: DataSource,
  { table, isNew }: ChangedRows,
  { rows, matches, index }: { readonly rows: string; readonly matches: (alias: string) => string; readonly index: number },
): string[] {
  const history = historyTableOf(table);
  const columns = historyColumnsOf(table, metadataOf(dataSource, table));
  const closed = `closed${index} AS (UPDATE ${history} h SET valid_to = moment.at FROM moment${rows}
    WHERE ${matches('h')} AND h.valid_to = 'infinity' RETURNING h.tenant_id)`;
  // The count makes PostgreSQL close the previous versions first.
  const [closedFirst, isAfterClosing] = isNew
    ? ['', '']
    : [`, (SELECT count(*) AS closed FROM closed${index}) previous`, ' AND previous.closed >= 0'];
  const opened = `opened${index} AS (INSERT INTO ${history} (${columns.join(', ')}, valid_from, valid_to)
    SELECT ${columns.map((name) => `t.${name}`).join(', ')}, moment.at, 'infinity' FROM ${table} t, moment${rows}${closedFirst}
    WHERE ${matches('t')}${isAfterClosing})`;
  return isNew ? [opened] : [closed, opened];
}
