import { Injectable } from '@nestjs/common';
import { newId, type RequestContext } from '#platform/common';
import { DeliveryTraces } from '../delivery-traces.js';
import { DeliveryProcessor } from '../processing/delivery-processor.js';
import type { ClaimedDelivery } from '../processing/delivery-state.query.js';
import { type DeliveryJob, DeliveryQueue } from '../queue/index.js';
import { payloadMatches } from './payload-match.js';
import { type NewDelivery, RelayQuery, type UnpositionedEvent } from './relay.query.js';
import { type CandidateWebhook, matchesEvent, type RelayedEvent } from './webhook-matching.js';

/** Inserted deliveries: `claimed` deliveries are sent immediately by this process, `jobs` through the queue. */
export interface FannedOut {
  readonly jobs: readonly DeliveryJob[];
  readonly claimed: readonly ClaimedDelivery[];
}

export const NO_DELIVERIES: FannedOut = { jobs: [], claimed: [] };

interface Match {
  readonly event: RelayedEvent;
  readonly webhook: CandidateWebhook;
}

/** Matches events with webhooks, inserts their deliveries, and starts or enqueues the deliveries after the commit. */
@Injectable()
export class FanOutService {
  constructor(
    private readonly relay: RelayQuery,
    private readonly processor: DeliveryProcessor,
    private readonly queue: DeliveryQueue,
    private readonly traces: DeliveryTraces,
  ) {}

  async insertDeliveries(
    ctx: RequestContext,
    tenantId: string,
    events: readonly RelayedEvent[],
    webhooks: readonly CandidateWebhook[],
  ): Promise<FannedOut> {
    const subscribed = events.flatMap((event) =>
      webhooks.filter((webhook) => matchesEvent(webhook, event)).map((webhook) => ({ event, webhook })),
    );
    const matches = await this.filtered(ctx, tenantId, subscribed);
    if (matches.length === 0) return NO_DELIVERIES;

    const leases = this.processor.reserveImmediateLeases();
    const deliveries = matches.map(({ event, webhook }): NewDelivery => {
      const state = firstState(webhook);
      return {
        eventId: event.id,
        eventType: event.type,
        id: newId('delivery'),
        webhookId: webhook.id,
        organizationId: webhook.organizationId,
        state: state === 'due' && leases.reserve(webhook.id) ? 'leased' : state,
      };
    });
    const { leased, nowMs } = await this.relay.insertDeliveries(ctx, tenantId, deliveries, leases.lease);
    const claimedAt = performance.now();
    const jobOf = ({ eventId, id, webhookId }: NewDelivery): DeliveryJob => ({
      tenantId,
      eventId,
      deliveryId: id,
      webhookId,
      generation: 0,
      attempt: 1,
    });
    const claimOf = (delivery: NewDelivery, sequence: string): ClaimedDelivery => ({
      ...jobOf(delivery),
      leaseOwner: leases.lease.owner,
      eventType: delivery.eventType,
      sequence,
      attemptsBefore: 0,
      hasSlot: false,
      dueInMs: 0,
      claimedAtMs: nowMs,
      claimedAt,
    });
    return {
      jobs: deliveries.filter(({ state }) => state === 'due').map(jobOf),
      claimed: deliveries.flatMap((delivery) => {
        const sequence = leased.get(delivery.id);
        return sequence === undefined ? [] : [claimOf(delivery, sequence)];
      }),
    };
  }

  /** Removes matches whose event does not meet the filter of the webhook. Reads payloads only for webhooks with a filter. */
  private async filtered(ctx: RequestContext, tenantId: string, matches: readonly Match[]): Promise<readonly Match[]> {
    const eventIds = matches.filter(({ webhook }) => webhook.filter).map(({ event }) => event.id);
    if (eventIds.length === 0) return matches;
    const payloads = await this.relay.payloadsOf(ctx, tenantId, [...new Set(eventIds)]);
    return matches.filter(({ event, webhook: { filter } }) => !filter || payloadMatches(filter, payloads.get(event.id) ?? ''));
  }

  /** Starts or enqueues the inserted deliveries. Must be called after the commit. */
  dispatch({ events, claimed, jobs }: FannedOut & { readonly events: readonly UnpositionedEvent[] }): void {
    this.traces.recordRelayed(events);
    this.processor.process(claimed);
    // Not awaited: without Redis, events still get their positions and deliveries.
    if (jobs.length > 0) void this.queue.add(jobs);
  }
}

/**
 * Returns the first state of a delivery. Deliveries are skipped if their webhook was disabled by hand. They wait if it was disabled by
 * failures, so that no delivery is lost.
 */
function firstState({ enabled, disabledBy }: CandidateWebhook): NewDelivery['state'] {
  if (enabled) return 'due';
  return disabledBy === 'hand' ? 'skipped' : 'held';
}
