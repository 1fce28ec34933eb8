import { Injectable } from '@nestjs/common';
import { firstIdAt, type RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';
import type { DeliveryJob } from '../queue/index.js';
import { type EventRange, idsOf } from '../reconciliation/undelivered-events.read.js';

interface WebhookKey {
  readonly tenantId: string;
  readonly id: string;
}

/** Which deliveries a replay sends again. */
export interface ReplayedDeliveries extends EventRange {
  readonly statuses: readonly ('succeeded' | 'failed' | 'skipped')[];
  /** Any, when absent. */
  readonly eventTypes?: readonly string[];
}

/** A delivery is written after its event got its id; clocks of processes are never further apart than this. */
const CLOCKS_APART_MAX_MS = 3_600_000;

/** `d` are finished deliveries whose event is still there. */
const CHOSEN = `d.tenant_id = $1 AND d.webhook_id = $2 AND d.id >= $3 AND d.event_id >= $4 AND d.event_id < $5
  AND d.status = ANY ($6::text[]) AND NOT d.test AND ($7::text[] IS NULL OR d.event_type = ANY ($7::text[]))
  AND EXISTS (SELECT FROM events e WHERE e.tenant_id = d.tenant_id AND e.id = d.event_id AND e.id >= $4 AND e.id < $5)`;

/**
 * Begins a new round of attempts for deliveries that are there: the same row, event id and number, the next generation, so that jobs of
 * the round before come to nothing.
 */
@Injectable()
export class RedeliveryRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Makes one due now; null when somebody is sending it, or its event is gone. */
  async restart(ctx: RequestContext, webhook: WebhookKey, eventId: string, deliveryId: string): Promise<DeliveryJob | null> {
    const [row] = await this.query<{ generation: number; attempt_count: number }>(
      ctx,
      `UPDATE deliveries d SET status = 'pending', generation = generation + 1, attempts_before = attempt_count, next_attempt_at = now(),
         lease_owner = NULL, lease_until = NULL, completed_at = NULL
       WHERE tenant_id = $1 AND event_id = $2 AND id = $3 AND webhook_id = $4 AND NOT test
         AND (lease_until IS NULL OR lease_until < clock_timestamp())
         AND EXISTS (SELECT FROM events e WHERE e.tenant_id = $1 AND e.id = $2)
       RETURNING generation, attempt_count`,
      [webhook.tenantId, eventId, deliveryId, webhook.id],
    );
    if (!row) return null;
    const { generation, attempt_count: attemptCount } = row;
    return { tenantId: webhook.tenantId, eventId, deliveryId, webhookId: webhook.id, generation, attempt: attemptCount + 1 };
  }

  /** Makes other replays of the same webhook wait until the transaction ends. */
  async lockReplays(ctx: RequestContext, { id }: WebhookKey): Promise<void> {
    await this.lockWords(ctx, 'replay', id);
  }

  /** How many match, counted no further than to one more than `max`. */
  async count(ctx: RequestContext, webhook: WebhookKey, wanted: ReplayedDeliveries, max: number): Promise<number> {
    const [row] = await this.query<{ count: number }>(
      ctx,
      `SELECT count(*)::int AS count FROM (SELECT FROM deliveries d WHERE ${CHOSEN} LIMIT $8) AS chosen`,
      [...parameters(webhook, wanted), max + 1],
    );
    return row?.count ?? 0;
  }

  /** Has them wait to be sent again; the sweeper makes them due at its limited rate. */
  async hold(ctx: RequestContext, webhook: WebhookKey, wanted: ReplayedDeliveries): Promise<number> {
    return this.execute(
      ctx,
      `UPDATE deliveries d SET status = 'pending', generation = generation + 1, attempts_before = attempt_count, next_attempt_at = NULL,
         lease_owner = NULL, lease_until = NULL, completed_at = NULL
       WHERE ${CHOSEN}`,
      parameters(webhook, wanted),
    );
  }
}

function parameters(webhook: WebhookKey, wanted: ReplayedDeliveries): unknown[] {
  const earliest = firstIdAt('delivery', new Date(wanted.since.getTime() - CLOCKS_APART_MAX_MS));
  return [webhook.tenantId, webhook.id, earliest, ...idsOf(wanted), wanted.statuses, wanted.eventTypes ?? null];
}
