import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';
import { type Backlog, BACKLOG_COUNTED_MAX } from '../delivery-metrics.js';
import type { DeliveryJob } from '../queue/index.js';

/** Where a walk over the due deliveries stands. */
export interface DueCursor {
  readonly dueAt: string;
  readonly deliveryId: string;
}

const FROM_THE_START: DueCursor = { dueAt: '-infinity', deliveryId: '' };

/** What became due so recently is on its way through the queue. */
const SETTLING_MS = 1_000;

const OUTBOX_TENANTS_MAX = 1_000;

/** Finds deliveries that are due or soon will be, over all tenants; nothing is locked. */
@Injectable()
export class DueDeliveriesRead extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** How much waits, over all tenants; counts end at a limit, and of the outbox so many tenants are looked at, from one to the next in the index. */
  async backlog(ctx: RequestContext): Promise<Backlog> {
    const [row] = await this.query<Backlog>(
      ctx,
      `WITH RECURSIVE waiting AS (
         (SELECT tenant_id, created_at, 1 AS hops FROM events WHERE position IS NULL ORDER BY tenant_id, seq LIMIT 1)
         UNION ALL
         SELECT e.tenant_id, e.created_at, w.hops + 1 FROM waiting w CROSS JOIN LATERAL (
           SELECT tenant_id, created_at FROM events WHERE position IS NULL AND tenant_id > w.tenant_id ORDER BY tenant_id, seq LIMIT 1
         ) e WHERE w.hops < ${OUTBOX_TENANTS_MAX}
       )
       SELECT (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE status = 'pending' AND next_attempt_at <= now() LIMIT $1) d) AS due,
         (SELECT count(*)::int FROM (SELECT FROM deliveries WHERE status = 'pending' LIMIT $1) d) AS pending,
         COALESCE((SELECT extract(epoch FROM now() - next_attempt_at)::float8 * 1000 FROM deliveries
           WHERE status = 'pending' AND next_attempt_at <= now() ORDER BY next_attempt_at, id LIMIT 1), 0) AS "oldestDueMs",
         COALESCE((SELECT extract(epoch FROM clock_timestamp() - min(created_at))::float8 * 1000 FROM waiting), 0) AS "outboxLagMs"`,
      [BACKLOG_COUNTED_MAX],
    );
    return row!;
  }

  /** The next ones that nobody is sending, the longest due first. */
  async findDue(
    ctx: RequestContext,
    after: DueCursor | undefined,
    withinMs: number,
    limit: number,
  ): Promise<(DeliveryJob & { cursor: DueCursor })[]> {
    const { dueAt, deliveryId } = after ?? FROM_THE_START;
    const rows = await this.query<DueRow>(
      ctx,
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

  /** The oldest of a webhook that are due and that nobody is sending. */
  async findDueOf(ctx: RequestContext, tenantId: string, webhookId: string, limit: number): Promise<DeliveryJob[]> {
    const rows = await this.query<JobRow>(
      ctx,
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
  CASE WHEN slot_at = next_attempt_at THEN round(extract(epoch FROM slot_at) * 1000)::float8 END AS slot`;

function jobOf(row: JobRow): DeliveryJob {
  return {
    tenantId: row.tenant_id,
    eventId: row.event_id,
    deliveryId: row.id,
    webhookId: row.webhook_id,
    generation: row.generation,
    attempt: row.attempt_count + 1,
    ...(row.slot === null ? {} : { slot: row.slot }),
  };
}

interface JobRow {
  tenant_id: string;
  event_id: string;
  id: string;
  webhook_id: string;
  generation: number;
  attempt_count: number;
  slot: number | null;
}

interface DueRow extends JobRow {
  due_at: string;
  delay_ms: number;
}
