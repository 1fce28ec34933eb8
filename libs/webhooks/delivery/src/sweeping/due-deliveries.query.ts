import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import { type Backlog, BACKLOG_COUNTED_MAX } from '../telemetry/delivery-metrics.js';
import type { DeliveryJob } from '../queue/index.js';

/** The last delivery that was read from the list of due deliveries. */
export interface DueCursor {
  readonly dueAt: string;
  readonly deliveryId: string;
}

const FROM_THE_START: DueCursor = { dueAt: '-infinity', deliveryId: '' };

/** Time after which a due delivery is enqueued, in milliseconds. Deliveries that became due more recently are still in the queue. */
const SETTLING_MS = 1_000;

/** Maximum number of index entries of the outbox that one statement reads, and maximum number of statements. */
const OUTBOX_ENTRIES_PER_READ = 1_000;
const OUTBOX_READS_MAX = 20;

const JOB_FIELDS = {
  tenant_id: column.text(),
  event_id: column.text(),
  id: column.text(),
  webhook_id: column.text(),
  generation: column.integer(),
  attempt_count: column.integer(),
  booked_for_ms: column.nullable(column.float()),
};
const JOB = row(JOB_FIELDS);
const DUE = row({ ...JOB_FIELDS, due_at: column.text(), delay_ms: column.float() });
const BACKLOG = row({
  due: column.integer(),
  pending: column.integer(),
  oldestDueMs: column.float(),
});
const OUTBOX = row({
  events: column.integer(),
  lastTenantId: column.nullable(column.text()),
  lagMs: column.nullable(column.float()),
});

/** Finds deliveries of all tenants that are due now or soon. Locks nothing. */
@Injectable()
export class DueDeliveriesQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the backlog of all tenants. Counts stop at a limit. */
  async backlog(ctx: RequestContext): Promise<Backlog> {
    const [backlog] = await this.query(
      ctx,
      BACKLOG,
      `SELECT (SELECT count(*)::int FROM (SELECT 1 FROM deliveries WHERE status = 'pending' AND next_attempt_at <= now() LIMIT $1) d) AS due,
         (SELECT count(*)::int FROM (SELECT 1 FROM deliveries WHERE status = 'pending' LIMIT $1) d) AS pending,
         COALESCE((SELECT extract(epoch FROM now() - next_attempt_at)::float8 * 1000 FROM deliveries
           WHERE status = 'pending' AND next_attempt_at <= now() ORDER BY next_attempt_at, id LIMIT 1), 0) AS "oldestDueMs"`,
      [BACKLOG_COUNTED_MAX],
    );
    return { ...(backlog ?? { due: 0, pending: 0, oldestDueMs: 0 }), outboxLagMs: await this.outboxLagMs(ctx) };
  }

  /**
   * Returns the age of the oldest event without a position, in milliseconds. Each statement reads a limited number of index entries and
   * continues with the next tenant, so that a long backlog of one tenant neither costs more nor hides the events of others.
   */
  private async outboxLagMs(ctx: RequestContext): Promise<number> {
    let lagMs = 0;
    let tenantId = '';
    for (let reads = 0; reads < OUTBOX_READS_MAX; reads++) {
      const [read] = await this.query(
        ctx,
        OUTBOX,
        `SELECT count(*)::int AS events, max(tenant_id) AS "lastTenantId", extract(epoch FROM now() - min(created_at))::float8 * 1000 AS "lagMs"
         FROM (SELECT tenant_id, created_at FROM events WHERE position IS NULL AND tenant_id > $1 ORDER BY tenant_id, seq LIMIT $2) waiting`,
        [tenantId, OUTBOX_ENTRIES_PER_READ],
      );
      lagMs = Math.max(lagMs, read?.lagMs ?? 0);
      if (!read || read.events < OUTBOX_ENTRIES_PER_READ) break;
      tenantId = read.lastTenantId ?? '';
    }
    return lagMs;
  }

  /** Returns the next due deliveries that no worker has claimed, longest due first. */
  async findDue(
    ctx: RequestContext,
    after: DueCursor | undefined,
    withinMs: number,
    limit: number,
  ): Promise<(DeliveryJob & { cursor: DueCursor })[]> {
    const { dueAt, deliveryId } = after ?? FROM_THE_START;
    const rows = await this.query(
      ctx,
      DUE,
      `SELECT ${JOB_COLUMNS}, next_attempt_at::text AS due_at,
         GREATEST(0, extract(epoch FROM next_attempt_at - clock_timestamp())::float8 * 1000) AS delay_ms
       FROM deliveries
       WHERE status = 'pending' AND next_attempt_at <= now() + $3 * interval '1 ms' AND next_attempt_at >= $1::timestamptz
         AND (next_attempt_at, id) > ($1::timestamptz, $2) AND (lease_until IS NULL OR lease_until < now())
         AND next_attempt_at NOT BETWEEN now() - ${SETTLING_MS} * interval '1 ms' AND now()
       ORDER BY next_attempt_at, id LIMIT $4`,
      [dueAt, deliveryId, withinMs, limit],
    );
    return rows.map((row) => ({ ...jobOf(row), delayMs: row.delay_ms, cursor: { dueAt: row.due_at, deliveryId: row.id } }));
  }

  /** Returns the oldest due deliveries of a webhook that no worker has claimed. */
  async findDueOf(ctx: RequestContext, tenantId: string, webhookId: string, limit: number): Promise<DeliveryJob[]> {
    const rows = await this.query(
      ctx,
      JOB,
      `SELECT ${JOB_COLUMNS} FROM deliveries
       WHERE tenant_id = $1 AND webhook_id = $2 AND status = 'pending' AND next_attempt_at <= now()
         AND (lease_until IS NULL OR lease_until < now())
       ORDER BY id LIMIT $3`,
      [tenantId, webhookId, limit],
    );
    return rows.map(jobOf);
  }
}

const JOB_COLUMNS = `tenant_id, event_id, id, webhook_id, generation, attempt_count,
  CASE WHEN slot_at = next_attempt_at THEN round(extract(epoch FROM slot_at) * 1000)::float8 END AS booked_for_ms`;

function jobOf(found: RowOf<typeof JOB>): DeliveryJob {
  return {
    tenantId: found.tenant_id,
    eventId: found.event_id,
    deliveryId: found.id,
    webhookId: found.webhook_id,
    generation: found.generation,
    attempt: found.attempt_count + 1,
    ...(found.booked_for_ms === null ? {} : { bookedForMs: found.booked_for_ms }),
  };
}
