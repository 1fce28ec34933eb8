import { Injectable } from '@nestjs/common';
import { newId, type RequestContext } from '#platform/common';
import type { WebhookDetails } from '#webhooks/webhooks';
import { type UndeliveredEvent, UndeliveredEventsQuery } from '../reconciliation/undelivered-events.query.js';
import { RelayQuery } from '../relay/relay.query.js';
import type { ReplayedDeliveries } from './redelivery.query.js';

/** Deliveries that should be there and are not, as after a restored backup. */
@Injectable()
export class MissingDeliveriesService {
  constructor(
    private readonly events: UndeliveredEventsQuery,
    private readonly relay: RelayQuery,
  ) {}

  async count(ctx: RequestContext, webhook: WebhookDetails, wanted: ReplayedDeliveries): Promise<number> {
    let count = 0;
    for await (const batch of this.events.walk(ctx, webhook, wanted)) count += batch.filter(isMissing(wanted)).length;
    return count;
  }

  /** Writes them with the webhook's next numbers, waiting to be sent; gives how many. */
  async add(ctx: RequestContext, webhook: WebhookDetails, wanted: ReplayedDeliveries): Promise<number> {
    let count = 0;
    for await (const batch of this.events.walk(ctx, webhook, wanted)) {
      const missing = batch.filter(isMissing(wanted)).reverse();
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

/** What waits for the relay is on its way by itself. */
const isMissing =
  ({ eventTypes }: ReplayedDeliveries) =>
  ({ type, waiting }: UndeliveredEvent): boolean =>
    !waiting && (eventTypes === undefined || eventTypes.includes(type));
