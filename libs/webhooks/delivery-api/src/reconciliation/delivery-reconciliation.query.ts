import { Injectable } from '@nestjs/common';
import { firstIdAt, type RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import type { WebhookDetails } from '#webhooks/webhooks';
import { DataSource } from 'typeorm';
import { type EventRange, idsOf } from './undelivered-events.query.js';

/**
 * Returns the condition for pending deliveries that wait for a retry: not for a time within the rate limit of their webhook, and not claimed
 * by a worker.
 */
export const waitsForRetry = (table: string): string =>
  `(${table}.attempt_count > ${table}.attempts_before AND ${table}.next_attempt_at > statement_timestamp()
    AND ${table}.slot_at IS DISTINCT FROM ${table}.next_attempt_at
    AND (${table}.lease_until IS NULL OR ${table}.lease_until < statement_timestamp()))`;

/** Numbers of deliveries of a range of events, by status. `retrying` is the part of `pending` that waits for a retry. */
const COUNTS = row({
  delivered: column.integer(),
  pending: column.integer(),
  retrying: column.integer(),
  failed: column.integer(),
  skipped: column.integer(),
});
export type DeliveryCounts = RowOf<typeof COUNTS>;

/** An event that has not been delivered. */
export interface Undelivered {
  readonly eventId: string;
  readonly eventType: string;
  /** Null if the event has no delivery. */
  readonly deliveryId: string | null;
  readonly status: 'pending' | 'failed' | 'skipped' | 'missing';
}

const UNDELIVERED = row({
  eventId: column.text(),
  eventType: column.text(),
  deliveryId: column.text(),
  status: column.text<'pending' | 'failed' | 'skipped'>(),
});

/**
 * Maximum difference between the clocks of processes, in milliseconds. Without it, the ID of a delivery is newer than the ID of its event.
 */
const CLOCKS_APART_MAX_MS = 3_600_000;

const IN_RANGE = `tenant_id = $1 AND webhook_id = $2 AND NOT test AND id >= $3 AND event_id >= $4 AND event_id < $5`;

/** Reads the deliveries of a range of events. */
@Injectable()
export class DeliveryReconciliationQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Makes all statements of the transaction read one snapshot. Must be the first statement of the transaction. */
  async takeSnapshot(ctx: RequestContext): Promise<void> {
    await this.execute(ctx, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  }

  async counts(ctx: RequestContext, webhook: WebhookDetails, range: EventRange): Promise<DeliveryCounts> {
    const [counts] = await this.query(
      ctx,
      COUNTS,
      `SELECT count(*) FILTER (WHERE status = 'succeeded')::int AS delivered, count(*) FILTER (WHERE status = 'pending')::int AS pending,
         count(*) FILTER (WHERE status = 'pending' AND ${waitsForRetry('deliveries')})::int AS retrying,
         count(*) FILTER (WHERE status = 'failed')::int AS failed, count(*) FILTER (WHERE status = 'skipped')::int AS skipped
       FROM deliveries WHERE ${IN_RANGE}`,
      parameters(webhook, range),
    );
    return counts ?? { delivered: 0, pending: 0, retrying: 0, failed: 0, skipped: 0 };
  }

  /** Returns the deliveries that did not succeed, newest event first, for events before the cursor. */
  async undelivered(
    ctx: RequestContext,
    webhook: WebhookDetails,
    range: EventRange,
    beforeEventId: string | undefined,
    limit: number,
  ): Promise<Undelivered[]> {
    return this.query(
      ctx,
      UNDELIVERED,
      `SELECT event_id AS "eventId", event_type AS "eventType", id AS "deliveryId", status FROM deliveries
       WHERE ${IN_RANGE} AND status <> 'succeeded' AND ($6::text IS NULL OR event_id < $6) ORDER BY event_id DESC LIMIT $7`,
      [...parameters(webhook, range), beforeEventId ?? null, limit],
    );
  }
}

function parameters({ tenantId, id }: WebhookDetails, range: EventRange): unknown[] {
  const earliest = firstIdAt('delivery', new Date(range.since.getTime() - CLOCKS_APART_MAX_MS));
  return [tenantId, id, earliest, ...idsOf(range)];
}
