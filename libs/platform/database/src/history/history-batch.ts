import type { DataSource } from 'typeorm';
import { historyColumnsOf, historyTableOf, keyColumnsOf, metadataOf, type TrackedTable } from './tracked-tables.js';

/** The key of a row, by column name. Includes `tenant_id`. */
export type RowKey = Readonly<Record<string, unknown>>;

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
  take(): { text: string; values: unknown[] } {
    const groups = [...this.groups.values()].flatMap(({ table, tenantId, rows }): ChangedRows[] => {
      const keysWhere = (isNew: boolean) => [...rows.values()].filter((row) => row.isNew === isNew).map(({ key }) => key);
      return [true, false]
        .map((isNew) => ({ table, tenantId, isNew, keys: keysWhere(isNew) }))
        .filter(({ keys }) => keys.length > 0);
    });
    const tenantIds = [...new Set(groups.map(({ tenantId }) => tenantId))];
    this.groups = new Map();
    const shape = groups.map(({ table, tenantId, isNew }) => ({ table, isNew, tenant: tenantIds.indexOf(tenantId) }));
    return {
      text: textOf(this.dataSource, shape, tenantIds.length),
      values: [...tenantIds, ...groups.map(({ keys }) => JSON.stringify(keys))],
    };
  }
}

/** The name of the advisory lock that a transaction holds from the moment of its history to the end of the commit. */
export const historyLock = (tenant: string): string => `hashtextextended('history|' || ${tenant}, 0)`;

type Shape = readonly { readonly table: TrackedTable; readonly isNew: boolean; readonly tenant: number }[];

/**
 * Each group has its own parts, so that Citus sends each part to the shard of its tenant. `$1` and following are the tenants, then the keys
 * of the groups follow.
 */
function textOf(dataSource: DataSource, groups: Shape, tenantCount: number): string {
  const tenants = Array.from({ length: tenantCount }, (_, index) => `$${index + 1}`);
  // The time is read after all locks were acquired: a reader that gets a lock knows that all transactions of earlier moments have ended.
  const locked = tenants.map((tenant) => `SELECT pg_advisory_xact_lock_shared(${historyLock(`${tenant}::text`)})`).join(' UNION ALL ');
  const parts = [
    `moment AS MATERIALIZED (SELECT clock_timestamp() AS at FROM (SELECT count(*) AS locks FROM (${locked} OFFSET 0) l) c WHERE c.locks > 0)`,
  ];
  groups.forEach(({ table, isNew, tenant }, index) => {
    const history = historyTableOf(table);
    const keyColumns = keyColumnsOf(table);
    const columns = historyColumnsOf(table, metadataOf(dataSource, table));
    const keys = `json_to_recordset($${tenantCount + index + 1}::json) AS k (${keyColumns.map((name) => `${name} text`).join(', ')})`;
    const matches = (alias: string) =>
      [`${alias}.tenant_id = ${tenants[tenant]}`, ...keyColumns.map((name) => `${alias}.${name} = k.${name}`)].join(' AND ');
    if (!isNew) {
      parts.push(`closed${index} AS (UPDATE ${history} h SET valid_to = moment.at FROM moment, ${keys}
        WHERE ${matches('h')} AND h.valid_to = 'infinity' RETURNING h.tenant_id)`);
    }
    // The count makes PostgreSQL close the previous versions first.
    const closedFirst = isNew ? '' : `, (SELECT count(*) AS closed FROM closed${index}) previous`;
    const isAfterClosing = isNew ? '' : ' AND previous.closed >= 0';
    parts.push(`opened${index} AS (INSERT INTO ${history} (${columns.join(', ')}, valid_from, valid_to)
      SELECT ${columns.map((name) => `t.${name}`).join(', ')}, moment.at, 'infinity' FROM ${keys}, ${table} t, moment${closedFirst}
      WHERE ${matches('t')}${isAfterClosing})`);
  });
  return `WITH ${parts.join(', ')} SELECT`;
}
