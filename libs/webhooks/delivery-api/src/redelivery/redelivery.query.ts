import { Injectable } from '@nestjs/common';
import { firstIdAt, type RequestContext } from '#platform/common';
import { BaseQuery, column, lockKey, row } from '#platform/database';
import { DataSource } from 'typeorm';
import type { DeliveryJob } from '#webhooks/delivery';
import { waitsForRetry } from '../reconciliation/delivery-reconciliation.query.js';
import { type EventRange, idsOf } from '../reconciliation/undelivered-events.query.js';

interface WebhookKey {
  readonly tenantId: string;
  readonly id: string;
}

/** The deliveries that a replay sends. */
export interface ReplayedDeliveries extends EventRange {
  readonly statuses: readonly ('pending' | 'succeeded' | 'failed' | 'skipped')[];
  /** Default: all types. */
  readonly eventTypes?: readonly string[];
}

/**
 * Maximum difference between the clocks of processes, in milliseconds. Without it, the ID of a delivery is newer than the ID of its event.
 */
const CLOCKS_APART_MAX_MS = 3_600_000;

const RESTARTED = row({ generation: column.integer(), attempt_count: column.integer() });
const COUNT = row({ count: column.integer() });

/** The condition for deliveries `d` of a replay whose event exists: finished deliveries, or deliveries that wait for a retry. */
const CHOSEN = `d.tenant_id = $1 AND d.webhook_id = $2 AND d.id >= $3 AND d.event_id >= $4 AND d.event_id < $5
  AND d.status = ANY ($6::text[]) AND (d.status <> 'pending' OR ${waitsForRetry('d')}) AND NOT d.test AND ($7::text[] IS NULL OR d.event_type = ANY ($7::text[]))
  AND EXISTS (SELECT FROM events e WHERE e.tenant_id = d.tenant_id AND e.id = d.event_id AND e.id >= $4 AND e.id < $5)`;

/**
 * Starts a new round of attempts for existing deliveries. The row, the event ID and the sequence number stay. The generation increases, so
 * that jobs of the previous round are ignored.
 */
@Injectable()
export class RedeliveryQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Makes a delivery due now. Returns null if a worker has claimed the delivery or its event was deleted. */
  async restart(ctx: RequestContext, webhook: WebhookKey, eventId: string, deliveryId: string): Promise<DeliveryJob | null> {
    const [restarted] = await this.query(
      ctx,
      RESTARTED,
      `UPDATE deliveries d SET status = 'pending', generation = generation + 1, attempts_before = attempt_count, next_attempt_at = now(),
         lease_owner = NULL, lease_until = NULL, completed_at = NULL
       WHERE tenant_id = $1 AND event_id = $2 AND id = $3 AND webhook_id = $4 AND NOT test
         AND (lease_until IS NULL OR lease_until < statement_timestamp())
         AND EXISTS (SELECT FROM events e WHERE e.tenant_id = $1 AND e.id = $2)
       RETURNING generation, attempt_count`,
      [webhook.tenantId, eventId, deliveryId, webhook.id],
    );
    if (!restarted) return null;
    const { generation, attempt_count: attemptCount } = restarted;
    return { tenantId: webhook.tenantId, eventId, deliveryId, webhookId: webhook.id, generation, attempt: attemptCount + 1 };
  }

  /** Locks the replays of a webhook until the transaction ends. */
  async lockReplays(ctx: RequestContext, { id }: WebhookKey): Promise<void> {
    await lockKey(ctx, 'replay', id);
  }

  /** Counts the matching deliveries, but at most `max` + 1. */
  async count(ctx: RequestContext, webhook: WebhookKey, wanted: ReplayedDeliveries, max: number): Promise<number> {
    const [counted] = await this.query(
      ctx,
      COUNT,
      `SELECT count(*)::int AS count FROM (SELECT FROM deliveries d WHERE ${CHOSEN} LIMIT $8) AS chosen`,
      [...parameters(webhook, wanted), max + 1],
    );
    return counted?.count ?? 0;
  }

  /** Makes the deliveries pending without a time. The sweeper makes them due at a limited rate. */
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
