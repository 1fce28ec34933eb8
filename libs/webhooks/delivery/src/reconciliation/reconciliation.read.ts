import { Injectable } from '@nestjs/common';
import { firstIdAt, type RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import type { WebhookDetails } from '#webhooks/webhooks';
import { DataSource } from 'typeorm';
import { type EventRange, idsOf } from './undelivered-events.read.js';

/** How many deliveries of a range of events are in which state. */
export interface DeliveryCounts {
  delivered: number;
  pending: number;
  failed: number;
  skipped: number;
}

/** An event that has not been delivered. */
export interface Undelivered {
  readonly eventId: string;
  readonly eventType: string;
  /** Null as long as there is no delivery. */
  readonly deliveryId: string | null;
  readonly status: 'pending' | 'failed' | 'skipped' | 'missing';
}

/** A delivery is written after its event got its id; clocks of processes are never further apart than this. */
const CLOCKS_APART_MAX_MS = 3_600_000;

const IN_RANGE = `tenant_id = $1 AND webhook_id = $2 AND NOT test AND id >= $3 AND event_id >= $4 AND event_id < $5`;

/** What became of the events of a range, as far as they have deliveries. */
@Injectable()
export class ReconciliationRead extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** All that this transaction reads from here on is of one moment. It must be the first statement in it. */
  async takeSnapshot(ctx: RequestContext): Promise<void> {
    await this.query(ctx, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  }

  async counts(ctx: RequestContext, webhook: WebhookDetails, range: EventRange): Promise<DeliveryCounts> {
    const [row] = await this.query<DeliveryCounts>(
      ctx,
      `SELECT count(*) FILTER (WHERE status = 'succeeded')::int AS delivered, count(*) FILTER (WHERE status = 'pending')::int AS pending,
         count(*) FILTER (WHERE status = 'failed')::int AS failed, count(*) FILTER (WHERE status = 'skipped')::int AS skipped
       FROM deliveries WHERE ${IN_RANGE}`,
      parameters(webhook, range),
    );
    return row!;
  }

  /** Those not delivered, newest event first, older than the event given. */
  async undelivered(
    ctx: RequestContext,
    webhook: WebhookDetails,
    range: EventRange,
    beforeEventId: string | undefined,
    limit: number,
  ): Promise<Undelivered[]> {
    return this.query<Undelivered>(
      ctx,
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
