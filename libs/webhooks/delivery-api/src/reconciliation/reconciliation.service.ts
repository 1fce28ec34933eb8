import { Injectable } from '@nestjs/common';
import { InvalidCursor, InvalidRequest, isId, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { type WebhookDetails, WebhooksService } from '#webhooks/webhooks';
import { type DeliveryCounts, DeliveryReconciliationQuery, type Undelivered } from './delivery-reconciliation.query.js';
import { type EventRange, UndeliveredEventsQuery } from './undelivered-events.query.js';

/** The deliveries of the events of a range: matched = delivered + pending + failed + skipped + missing. */
export interface Reconciliation extends DeliveryCounts {
  readonly since: Date;
  readonly until: Date;
  readonly matched: number;
  /** Number of relayed events that match and have no delivery. 0, unless the database lost rows. */
  readonly missing: number;
  /** Undelivered events, newest first. */
  readonly undelivered: readonly Undelivered[];
  readonly hasMore: boolean;
}

export interface ReconciliationRequest {
  /** Default: the retention period of deliveries. */
  readonly since?: Date;
  /** Default: now. */
  readonly until?: Date;
  readonly limit: number;
  /** The event id of the last item of the previous page. */
  readonly after?: string;
}

/** Compares the event log with the deliveries of a webhook, in one snapshot. */
@Injectable()
export class ReconciliationService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveryReconciliationQuery,
    private readonly events: UndeliveredEventsQuery,
    private readonly work: UnitOfWork,
    private readonly config: AppConfig,
  ) {}

  /** Returns the reconciliation of a webhook. @throws ResourceNotFound, InvalidRequest, InvalidCursor */
  async reconcile(ctx: RequestContext, webhookId: string, request: ReconciliationRequest): Promise<Reconciliation> {
    const now = this.work.now();
    const { since = new Date(now.getTime() - this.config.retentionDeliveriesMs), until = now, limit, after } = request;
    if (after !== undefined && !isId('event', after)) throw new InvalidCursor('event');
    if (since >= until) {
      const message = '`since` must be before `until` and in the past.';
      throw new InvalidRequest([{ pointer: '/since', in: 'query', code: 'out_of_range', message }]);
    }
    const webhook = await this.webhooks.get(ctx, webhookId);
    const range = { since, until };
    return this.work.run(ctx, async (ctx) => {
      await this.deliveries.takeSnapshot(ctx);
      const counts = await this.deliveries.counts(ctx, webhook, range);
      const listed = await this.deliveries.undelivered(ctx, webhook, range, after, limit + 1);
      const without = await this.withoutDelivery(ctx, webhook, range, after, limit + 1);
      const undelivered = [...listed, ...without.first].sort((a, b) => (a.eventId < b.eventId ? 1 : -1));
      const pending = counts.pending + without.pending;
      const matched = counts.delivered + pending + counts.failed + counts.skipped + without.missing;
      return {
        ...range,
        ...counts,
        pending,
        matched,
        missing: without.missing,
        undelivered: undelivered.slice(0, limit),
        hasMore: undelivered.length > limit,
      };
    });
  }

  /** Counts all events without a delivery, and returns the newest `limit` events before the cursor. */
  private async withoutDelivery(
    ctx: RequestContext,
    webhook: WebhookDetails,
    range: EventRange,
    after: string | undefined,
    limit: number,
  ): Promise<{ pending: number; missing: number; first: Undelivered[] }> {
    const first: Undelivered[] = [];
    const counts = { pending: 0, missing: 0 };
    for await (const batch of this.events.walk(ctx, webhook, range)) {
      for (const { id, type, waiting } of batch) {
        const status = waiting ? 'pending' : 'missing';
        counts[status]++;
        if (first.length < limit && (after === undefined || id < after))
          first.push({ eventId: id, eventType: type, deliveryId: null, status });
      }
    }
    return { ...counts, first };
  }
}
