import { firstIdAt } from '#common';

const WEEK_MS = 7 * 24 * 3_600_000;
const WEEKS_AHEAD = 8;
export const PARTITIONED_TABLES = ['events', 'deliveries', 'delivery_attempts'] as const;

/**
 * Makes this week's partition and those of the next eight weeks where they are missing. Rows outside go to the default partition, so
 * no write ever fails for want of one.
 */
export async function ensurePartitions(query: (sql: string) => Promise<unknown>, now: Date): Promise<void> {
  const thisWeek = Math.floor(now.getTime() / WEEK_MS) * WEEK_MS;
  for (let week = 0; week <= WEEKS_AHEAD; week++) {
    const start = new Date(thisWeek + week * WEEK_MS);
    const name = start.toISOString().slice(0, 10).replaceAll('-', '');
    const from = firstIdAt('event', start);
    const to = firstIdAt('event', new Date(start.getTime() + WEEK_MS));
    for (const table of PARTITIONED_TABLES) {
      await query(`CREATE TABLE IF NOT EXISTS ${table}_${name} PARTITION OF ${table} FOR VALUES FROM ('${from}') TO ('${to}')`);
    }
  }
}
