import { Injectable } from '@nestjs/common';
import { firstIdAt, type RequestContext } from '#platform/common';
import { SqlRepository, ensurePartitions, listPartitions, type Partition } from '#platform/database';
import { DataSource } from 'typeorm';

const LOCK_TIMEOUT_MS = 500;
const RETENTION_LOCK = 'retention';

/** What is kept where, and its removal. Deliveries and attempts lie in the week of their event. */
@Injectable()
export class RetentionRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  partitions(ctx: RequestContext): Promise<Partition[]> {
    return listPartitions((sql) => this.query(ctx, sql));
  }

  async makePartitions(ctx: RequestContext, now: Date): Promise<void> {
    await ensurePartitions((sql) => this.query(ctx, sql), now);
  }

  /** Keeps other workers from removing at the same time, and makes all waits of the transaction short; its work may take long. */
  async begin(ctx: RequestContext): Promise<void> {
    // Whoever waits for a whole table holds up everybody else behind it.
    await this.query(ctx, `SET LOCAL lock_timeout = '${LOCK_TIMEOUT_MS}ms'; SET LOCAL statement_timeout = 0`);
    await this.lockWords(ctx, RETENTION_LOCK);
  }

  /** Whether deliveries of the week's events are still to be made: they need the events. */
  async hasPendingDeliveries(ctx: RequestContext, week: Partition): Promise<boolean> {
    const rows = await this.query(
      ctx,
      `SELECT FROM deliveries WHERE event_id >= $1 AND event_id < $2 AND status = 'pending' LIMIT 1`,
      [firstIdAt('event', week.start), firstIdAt('event', week.end)],
    );
    return rows.length > 0;
  }

  /** Whether a week has events that are not numbered and linked yet. */
  async hasUnlinkedEvents(ctx: RequestContext, week: Partition): Promise<boolean> {
    const rows = await this.query(ctx, `SELECT FROM ${week.name} WHERE position IS NULL OR chain_hash IS NULL LIMIT 1`);
    return rows.length > 0;
  }

  /** Writes down what the chain needs once the week's events are gone: each run of positions, and the link of its last. */
  async anchor(ctx: RequestContext, source: string, where = 'true'): Promise<void> {
    await this.query(
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

  /** Nobody reads or writes the table until the transaction ends. */
  async lockTable(ctx: RequestContext, { table }: Partition): Promise<void> {
    await this.query(ctx, `LOCK TABLE ONLY ${table} IN ACCESS EXCLUSIVE MODE`);
  }

  async drop(ctx: RequestContext, { name }: Partition): Promise<void> {
    await this.query(ctx, `DROP TABLE IF EXISTS ${name}`);
  }

  async isEmpty(ctx: RequestContext, { name }: Partition): Promise<boolean> {
    return (await this.query(ctx, `SELECT FROM ${name} LIMIT 1`)).length === 0;
  }

  /** What lies outside of all weeks, where none had been made in time: rows of before the given moments go, as weeks do. */
  async removeFromDefaults(ctx: RequestContext, before: { events: Date; deliveries: Date }): Promise<void> {
    const [events, deliveries] = [firstIdAt('event', before.events), firstIdAt('event', before.deliveries)];
    const pending = (of: string) =>
      `EXISTS (SELECT FROM deliveries d WHERE d.tenant_id = ${of}.tenant_id AND d.event_id = ${of}.event_id AND d.status = 'pending')`;
    await this.query(ctx, `DELETE FROM delivery_attempts_default a WHERE a.event_id < $1 AND NOT ${pending('a')}`, [deliveries]);
    await this.query(ctx, `DELETE FROM deliveries_default WHERE event_id < $1 AND status <> 'pending'`, [deliveries]);
    const old = `id < '${events}' AND chain_hash IS NOT NULL AND NOT EXISTS (SELECT FROM deliveries d
      WHERE d.tenant_id = events_default.tenant_id AND d.event_id = events_default.id AND d.status = 'pending')`;
    await this.anchor(ctx, 'events_default', old);
    await this.query(ctx, `DELETE FROM events_default WHERE ${old}`);
  }

  /** Who was redacted need not be known once none of their events are left. */
  async forgetRedactions(ctx: RequestContext, before: Date): Promise<void> {
    await this.query(
      ctx,
      `DELETE FROM event_redactions r WHERE r.completed_at < $1
         AND NOT EXISTS (SELECT FROM events e WHERE e.position IS NOT NULL AND e.user_id = r.user_id)
         AND NOT EXISTS (SELECT FROM events e WHERE e.position IS NOT NULL AND e.actor_id = r.user_id)`,
      [before],
    );
  }
}
