import { Injectable } from '@nestjs/common';
import { newId, type RequestContext } from '#platform/common';
import type { WebhookDetails } from '#webhooks/webhooks';
import { type UndeliveredEvent, UndeliveredEventsQuery } from '../reconciliation/undelivered-events.query.js';
import { RelayQuery } from '#webhooks/delivery';
import type { ReplayedDeliveries } from './redelivery.query.js';

/** Adds missing deliveries, for example after a restored backup. */
@Injectable()
export class MissingDeliveriesService {
  constructor(
    private readonly events: UndeliveredEventsQuery,
    private readonly relay: RelayQuery,
  ) {}

  async count(ctx: RequestContext, webhook: WebhookDetails, replayed: ReplayedDeliveries): Promise<number> {
    let count = 0;
    for await (const batch of this.events.walk(ctx, webhook, replayed)) count += batch.filter(isMissing(replayed)).length;
    return count;
  }

  /** Inserts the missing deliveries as waiting, with the next sequence numbers of the webhook. Returns how many it inserted. */
  async add(ctx: RequestContext, webhook: WebhookDetails, replayed: ReplayedDeliveries): Promise<number> {
    let count = 0;
    for await (const batch of this.events.walk(ctx, webhook, replayed)) {
      const missing = batch.filter(isMissing(replayed)).reverse();
      if (missing.length === 0) continue;
      count += missing.length;
      const { tenantId, id: webhookId, organizationId } = webhook;
      const deliveries = missing.map(({ id, type }) => ({
        eventId: id,
        eventType: type,
        id: newId('delivery'),
        webhookId,
        organizationId,
        state: 'held' as const,
      }));
      await this.relay.insertDeliveries(ctx, tenantId, deliveries);
    }
    return count;
  }
}

/** Returns a filter for events whose delivery is missing. Events that still wait for the relay are not missing. */
const isMissing =
  ({ eventTypes }: ReplayedDeliveries) =>
  ({ type, waiting }: UndeliveredEvent): boolean =>
    !waiting && (eventTypes === undefined || eventTypes.includes(type));
