import { Injectable } from '@nestjs/common';
import { firstIdAt, type RequestContext } from '#platform/common';
import { BaseQuery, column, ensurePartitions, listPartitions, lockKey, type Partition, row } from '#platform/database';
import { DataSource } from 'typeorm';

const LOCK_TIMEOUT_MS = 500;
const RETENTION_LOCK = 'retention';

const NAME_ROW = row({ name: column.text() });
/** The row of a query that only checks whether rows exist. */
const EMPTY_ROW = row({});

/** Creates and drops weekly partitions. The week of a delivery or attempt is the week of its event. */
@Injectable()
export class RetentionQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  listPartitions(ctx: RequestContext): Promise<Partition[]> {
    return listPartitions((sql) => this.query(ctx, NAME_ROW, sql));
  }

  async createPartitions(ctx: RequestContext, now: Date): Promise<void> {
    await ensurePartitions((sql) => this.execute(ctx, sql), now);
  }

  /**
   * Prepares a transaction of retention. Only one process runs retention at a time. Statements have no time limit but wait at most 500
   * ms for a lock. A longer wait would block other transactions on the table.
   */
  async begin(ctx: RequestContext): Promise<void> {
    await this.execute(ctx, `SET LOCAL lock_timeout = '${LOCK_TIMEOUT_MS}ms'; SET LOCAL statement_timeout = 0`);
    await lockKey(ctx, RETENTION_LOCK);
  }

  async hasPendingDeliveries(ctx: RequestContext, week: Partition): Promise<boolean> {
    const rows = await this.query(
      ctx,
      EMPTY_ROW,
      `SELECT FROM deliveries WHERE event_id >= $1 AND event_id < $2 AND status = 'pending' LIMIT 1`,
      [firstIdAt('event', week.start), firstIdAt('event', week.end)],
    );
    return rows.length > 0;
  }

  /** Returns whether the week has events that have no position or are not linked yet. */
  async hasUnlinkedEvents(ctx: RequestContext, week: Partition): Promise<boolean> {
    const sql = `SELECT FROM ${week.name} WHERE position IS NULL OR chain_hash IS NULL LIMIT 1`;
    return (await this.query(ctx, EMPTY_ROW, sql)).length > 0;
  }

  /** Inserts anchors for events that will be deleted: for each range of positions, the hash of its last event. */
  async insertAnchors(ctx: RequestContext, source: string, where = 'true'): Promise<void> {
    await this.execute(
      ctx,
      `INSERT INTO event_anchors (tenant_id, from_position, to_position, chain_hash)
       SELECT run.tenant_id, run.first, run.last, e.chain_hash FROM (
         SELECT tenant_id, min(position) AS first, max(position) AS last FROM (
           SELECT tenant_id, position, position - row_number() OVER (PARTITION BY tenant_id ORDER BY position) AS run
           FROM ${source} WHERE ${where}
         ) numbered GROUP BY tenant_id, run
       ) run JOIN ${source} e ON e.tenant_id = run.tenant_id AND e.position = run.last
       ON CONFLICT DO NOTHING`,
    );
  }

  /** Locks the partitioned table against reads and writes until the transaction ends. */
  async lockTable(ctx: RequestContext, { table }: Partition): Promise<void> {
    await this.execute(ctx, `LOCK TABLE ONLY ${table} IN ACCESS EXCLUSIVE MODE`);
  }

  async drop(ctx: RequestContext, { name }: Partition): Promise<void> {
    await this.execute(ctx, `DROP TABLE IF EXISTS ${name}`);
  }

  async isEmpty(ctx: RequestContext, { name }: Partition): Promise<boolean> {
    return (await this.query(ctx, EMPTY_ROW, `SELECT FROM ${name} LIMIT 1`)).length === 0;
  }

  /**
   * Deletes expired rows from the default partitions, under the conditions for dropping a week. Default partitions contain rows of
   * weeks without a partition.
   */
  async deleteFromDefaults(ctx: RequestContext, before: { events: Date; deliveries: Date }): Promise<void> {
    const [events, deliveries] = [firstIdAt('event', before.events), firstIdAt('event', before.deliveries)];
    const isPending = (alias: string) =>
      `EXISTS (SELECT FROM deliveries d WHERE d.tenant_id = ${alias}.tenant_id AND d.event_id = ${alias}.event_id AND d.status = 'pending')`;
    await this.execute(ctx, `DELETE FROM delivery_attempts_default a WHERE a.event_id < $1 AND NOT ${isPending('a')}`, [
      deliveries,
    ]);
    await this.execute(ctx, `DELETE FROM deliveries_default WHERE event_id < $1 AND status <> 'pending'`, [deliveries]);
    const isExpired = `id < '${events}' AND chain_hash IS NOT NULL AND NOT EXISTS (SELECT FROM deliveries d
      WHERE d.tenant_id = events_default.tenant_id AND d.event_id = events_default.id AND d.status = 'pending')`;
    await this.insertAnchors(ctx, 'events_default', isExpired);
    await this.execute(ctx, `DELETE FROM events_default WHERE ${isExpired}`);
  }
}
