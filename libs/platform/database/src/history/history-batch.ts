import type { DataSource, EntityMetadata } from 'typeorm';
import { columnTypesOf, entityInsertOf } from '../entity-statements.js';
import { historyColumnsOf, historyTableOf, keyColumnsOf, metadataOf, type TrackedTable } from './tracked-tables.js';

/** The key of a row, by column name. Includes `tenant_id`. */
export type RowKey = Readonly<Record<string, unknown>>;

/** The parts of a `WITH` clause that writes the history. */
export interface HistoryParts {
  readonly parts: readonly string[];
  readonly values: readonly unknown[];
  /** Names of the inserts that must return their rows. */
  readonly returning: ReadonlySet<string>;
  /** Whether to prepare the statement, so that each connection plans it only once. */
  readonly isPrepared: boolean;
}

/** A part of a `WITH` clause that inserts rows. */
export interface InsertPart {
  readonly name: string;
  readonly sql: string;
  readonly count: number;
}

/**
 * How the history gets a row: `changed` ends the previous version and reads the row, `new` only reads the row, `values` has all columns of a
 * new row.
 */
type Source = 'changed' | 'new' | 'values';
const SOURCES: readonly Source[] = ['values', 'new', 'changed'];

interface ChangedRows {
  readonly table: TrackedTable;
  readonly tenantId: string;
  readonly source: Source;
  /** The keys, or all columns of new rows. */
  readonly rows: RowKey[];
}

export interface TrackOptions {
  /** Whether the transaction has inserted the rows. */
  readonly isNew?: boolean;
  /** Whether the keys have all columns of the rows. */
  readonly isComplete?: boolean;
}

/**
 * Collects the keys of the rows that a transaction inserts, updates or deletes. The last statement before the commit copies these rows to
 * the history, with the time of this statement. All changes of a transaction therefore have the same time, and the changes of a row
 * have the order of the transactions, which wait for each other's locks.
 */
export class HistoryBatch {
  /** By table and tenant, then by key. */
  private groups = new Map<
    string,
    { table: TrackedTable; tenantId: string; rows: Map<string, { row: RowKey; source: Source }> }
  >();

  constructor(private readonly dataSource: DataSource) {}

  get isEmpty(): boolean {
    return this.groups.size === 0;
  }

  /** Whether one statement can insert the new rows and their history, because no row must be read. */
  get isComplete(): boolean {
    return [...this.groups.values()].every(({ rows }) => [...rows.values()].every(({ source }) => source === 'values'));
  }

  has(table: TrackedTable): boolean {
    return [...this.groups.values()].some((group) => group.table === table);
  }

  add(table: TrackedTable, keys: readonly RowKey[], { isNew = false, isComplete = false }: TrackOptions = {}): void {
    const source = isNew ? (isComplete ? 'values' : 'new') : 'changed';
    for (const key of keys) {
      const tenantId = String(key.tenant_id);
      const groupKey = `${table} ${tenantId}`;
      let group = this.groups.get(groupKey);
      if (!group) this.groups.set(groupKey, (group = { table, tenantId, rows: new Map() }));
      const columns = Object.fromEntries(keyColumnsOf(table).map((name) => [name, key[name]]));
      const rowKey = Object.values(columns).join(' ');
      // A row that existed before can be deleted and inserted again.
      if (!group.rows.has(rowKey) || !isNew) group.rows.set(rowKey, { row: isComplete ? key : columns, source });
    }
  }

  /**
   * Returns the statement that writes the history of the collected rows. The statement has `parameterCount` parameters before. `inserts` are
   * the inserts of the same statement.
   */
  take(parameterCount = 0, inserts: readonly InsertPart[] = []): HistoryParts {
    const groups = [...this.groups.values()].flatMap(({ table, tenantId, rows }): ChangedRows[] => {
      const all = [...rows.values()];
      return SOURCES.map((source) => ({
        table,
        tenantId,
        source,
        rows: all.filter((each) => each.source === source).map(({ row }) => row),
      })).filter((group) => group.rows.length > 0);
    });
    this.groups = new Map();
    return partsOfAll(this.dataSource, groups, parameterCount, inserts);
  }
}

/** The name of the advisory lock that a transaction holds from the moment of its history to the end of the commit. */
export const historyLock = (tenant: string): string => `hashtextextended('history|' || ${tenant}, 0)`;

/**
 * Each group has its own parts, so that Citus sends each part to the shard of its tenant. A group of one row has its key as parameters, so
 * that every plan of the prepared statement uses the primary key. With groups of several rows, the best plan depends on the sizes of the
 * tables, so the statement is planned each time.
 */
function partsOfAll(
  dataSource: DataSource,
  groups: readonly ChangedRows[],
  parameterCount: number,
  inserts: readonly InsertPart[],
): HistoryParts {
  const values: unknown[] = [];
  const returning = new Set<string>();
  const parameter = (value: unknown): string => `$${parameterCount + values.push(value)}`;
  const tenantIds = [...new Set(groups.map(({ tenantId }) => tenantId))];
  const tenants = new Map(tenantIds.map((tenantId) => [tenantId, parameter(tenantId)]));
  // The time is read after all locks were acquired: a reader that gets a lock knows that all transactions of earlier moments have ended.
  const locked = [...tenants.values()].map((tenant) => `SELECT pg_advisory_xact_lock_shared(${historyLock(`${tenant}::text`)})`);
  const parts = [
    `moment AS MATERIALIZED (SELECT clock_timestamp() AS at
      FROM (SELECT count(*) AS locks FROM (${locked.join(' UNION ALL ')} OFFSET 0) l) c WHERE c.locks > 0)`,
  ];
  for (const group of groups) {
    if (group.source === 'values') {
      const metadata = metadataOf(dataSource, group.table);
      const { sql } = entityInsertOf(metadata);
      // All rows of the insert are in the group if their number is equal.
      const insert = inserts.find((each) => each.sql === sql && each.count === group.rows.length);
      if (insert) returning.add(insert.name);
      parts.push(
        `opened${parts.length} AS (${insertOfNewRows(group.table, metadata, insert?.name ?? parameter(JSON.stringify(group.rows)))})`,
      );
      continue;
    }
    const tenant = tenants.get(group.tenantId) ?? '';
    const [key] = group.rows;
    const names = keyColumnsOf(group.table);
    const isOne = group.rows.length === 1 && key !== undefined;
    const keyOf = isOne
      ? new Map(names.map((name) => [name, parameter(key[name])]))
      : new Map(names.map((name) => [name, `k.${name}`]));
    const rows = isOne
      ? ''
      : `, json_to_recordset(${parameter(JSON.stringify(group.rows))}::json) AS k (${names.map((name) => `${name} text`).join(', ')})`;
    const matches = (alias: string) =>
      [`${alias}.tenant_id = ${tenant}`, ...names.map((name) => `${alias}.${name} = ${keyOf.get(name)}`)].join(' AND ');
    parts.push(...partsOf(dataSource, group, { rows, matches, index: parts.length }));
  }
  const isPrepared = groups.every(({ source, rows }) => source === 'values' || rows.length === 1);
  return { parts, values, returning, isPrepared };
}

function partsOf(
  dataSource: DataSource,
  { table, source }: ChangedRows,
  { rows, matches, index }: { readonly rows: string; readonly matches: (alias: string) => string; readonly index: number },
): string[] {
  const history = historyTableOf(table);
  const columns = historyColumnsOf(table, metadataOf(dataSource, table));
  const closed = `closed${index} AS (UPDATE ${history} h SET valid_to = moment.at FROM moment${rows}
    WHERE ${matches('h')} AND h.valid_to = 'infinity' RETURNING h.tenant_id)`;
  // The count makes PostgreSQL close the previous versions first.
  const [closedFirst, isAfterClosing] =
    source === 'new' ? ['', ''] : [`, (SELECT count(*) AS closed FROM closed${index}) previous`, ' AND previous.closed >= 0'];
  const opened = `opened${index} AS (INSERT INTO ${history} (${columns.join(', ')}, valid_from, valid_to)
    SELECT ${columns.map((name) => `t.${name}`).join(', ')}, moment.at, 'infinity' FROM ${table} t, moment${rows}${closedFirst}
    WHERE ${matches('t')}${isAfterClosing})`;
  return source === 'new' ? [opened] : [closed, opened];
}

const newRowTexts = new WeakMap<EntityMetadata, { readonly insert: string; readonly types: string }>();

/** Returns the statement that inserts the history of new rows. `rows` is the part that returns the rows, or the placeholder of a JSON array. */
function insertOfNewRows(table: TrackedTable, metadata: EntityMetadata, rows: string): string {
  let texts = newRowTexts.get(metadata);
  if (!texts) {
    const columns = historyColumnsOf(table, metadata);
    const types = columnTypesOf(metadata).filter(({ name }) => columns.includes(name));
    texts = {
      insert: `INSERT INTO ${historyTableOf(table)} (${columns.join(', ')}, valid_from, valid_to)
        SELECT ${columns.map((name) => `r.${name}`).join(', ')}, moment.at, 'infinity'`,
      types: types.map(({ name, type }) => `${name} ${type}`).join(', '),
    };
    newRowTexts.set(metadata, texts);
  }
  const source = rows.startsWith('$') ? `json_to_recordset(${rows}::json) AS r (${texts.types})` : `${rows} r`;
  return `${texts.insert} FROM ${source}, moment`;
}
