import { firstIdAt } from '#platform/common';

const WEEK_MS = 7 * 24 * 3_600_000;
const WEEKS_AHEAD = 8;
export const PARTITIONED_TABLES = ['events', 'deliveries', 'delivery_attempts'] as const;
export type PartitionedTable = (typeof PARTITIONED_TABLES)[number];

/**
 * A delivery is written three times: at creation, claim and end. Half of each page stays free, so that new row versions stay on the page
 * and a claim updates no index (heap-only tuple). PostgreSQL accepts this setting only for partitions.
 */
const STORAGE: Partial<Record<PartitionedTable, string>> = { deliveries: 'fillfactor = 50' };

export interface Partition {
  readonly table: PartitionedTable;
  readonly name: string;
  readonly start: Date;
  readonly end: Date;
}

/** Returns the partition of the week that begins at `start`. The name contains this day, for example `events_20260115`. */
function weekOf(table: PartitionedTable, start: Date): Partition {
  const name = `${table}_${start.toISOString().slice(0, 10).replaceAll('-', '')}`;
  return { table, name, start, end: new Date(start.getTime() + WEEK_MS) };
}

/** Creates the missing partitions of this week and the next eight weeks. Rows of other weeks go to the default partition. */
export async function ensurePartitions(query: (sql: string) => Promise<unknown>, now: Date): Promise<void> {
  const thisWeek = Math.floor(now.getTime() / WEEK_MS) * WEEK_MS;
  for (let week = 0; week <= WEEKS_AHEAD; week++) {
    for (const table of PARTITIONED_TABLES) {
      const { name, start, end } = weekOf(table, new Date(thisWeek + week * WEEK_MS));
      const bounds = `FROM ('${firstIdAt('event', start)}') TO ('${firstIdAt('event', end)}')`;
      const storage = STORAGE[table] ? ` WITH (${STORAGE[table]})` : '';
      await query(`CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table} FOR VALUES ${bounds}${storage}`);
    }
  }
}

/** Returns all weekly partitions, oldest first. */
export async function listPartitions(query: (sql: string) => Promise<{ name: string }[]>): Promise<Partition[]> {
  const rows = await query(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
     WHERE p.relkind = 'p' AND p.relnamespace = current_schema()::regnamespace ORDER BY right(c.relname, 8), c.relname`,
  );
  return rows.flatMap(({ name }) => {
    const [, table, year, month, day] = /^(\w+)_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
    const partitioned = PARTITIONED_TABLES.find((each) => each === table);
    return partitioned ? [weekOf(partitioned, new Date(`${year}-${month}-${day}T00:00:00Z`))] : [];
  });
}
