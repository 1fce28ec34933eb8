import { Injectable } from '@nestjs/common';
import { newId, type RequestContext } from '#platform/common';
import { WebhookSecrets } from '#webhooks/webhooks';
import type { Lease, ReadyDelivery } from '../ledger/delivery-ledger.js';
import { type EventReceiver, ReceiverKinds, SignedFormat } from '../destinations/index.js';
import { DeliveryAttemptService } from '../processing/delivery-attempt.service.js';
import {
  type SealedWebhook,
  SecretsUnreadable,
  type TargetParts,
  type WebhookTarget,
  webhookTarget,
} from '../ledger/delivery-target.js';
import { type DeliveryJob, DeliveryQueue } from '../queue/index.js';
import { type EventBatch, type NewDelivery, RelayQuery, type SubscribedWebhook, type UnpositionedEvent } from './relay.query.js';
import { matchesEvent } from './webhook-matching.js';

/** The deliveries of a batch of events, before they are inserted. */
export interface FanOut {
  readonly tenantId: string;
  readonly deliveries: readonly (NewDelivery & { readonly event: UnpositionedEvent; readonly webhook?: SubscribedWebhook })[];
  readonly lease: Lease;
  /** Time when the webhooks were read, on the monotonic clock of this process, in milliseconds. */
  readonly readAt: number;
}

/** Inserted deliveries: this process sends `ready` deliveries immediately, the queue has the `jobs`. */
export interface InsertedDeliveries {
  readonly ready: readonly ReadyDelivery[];
  readonly jobs: readonly DeliveryJob[];
}

/** Matches events with webhooks, inserts their deliveries, and starts or enqueues the deliveries after the commit. */
@Injectable()
export class FanOutService {
  private readonly parts: TargetParts;

  constructor(
    private readonly relay: RelayQuery,
    private readonly attempts: DeliveryAttemptService,
    private readonly queue: DeliveryQueue,
    secrets: WebhookSecrets,
    format: SignedFormat,
    private readonly receivers: ReceiverKinds,
  ) {
    this.parts = { secrets, format };
  }

  /** Returns the receivers of the events beside webhooks. */
  findReceivers(ctx: RequestContext, tenantId: string, events: readonly UnpositionedEvent[]): Promise<EventReceiver[]> {
    return this.receivers.receiversOf(ctx, tenantId, events);
  }

  /** Returns a delivery for each event and webhook that match. Leases the deliveries for which this process has a free slot. */
  match(tenantId: string, { events, webhooks }: EventBatch, receivers: readonly EventReceiver[], readAt: number): FanOut {
    const leases = this.attempts.reserveImmediateLeases();
    const deliveries = events.flatMap((event) => [
      ...webhooks
        .filter((webhook) => matchesEvent(webhook, event))
        .map((webhook) => {
          const state = firstState(webhook.encryptedRow);
          const isLeased = state === 'due' && leases.reserve(webhook.id);
          const { id, organizationId } = webhook;
          return { ...deliveryOf(event, id, organizationId, isLeased ? 'leased' : state), webhook };
        }),
      ...receivers
        .filter(({ eventId }) => eventId === event.id)
        .map(({ receiverId, waits }) => deliveryOf(event, receiverId, event.organizationId, waits ? 'held' : 'due')),
    ]);
    return { tenantId, deliveries, lease: leases.lease, readAt };
  }

  /** Inserts the deliveries, in the transaction that assigns the positions of their events. */
  async insert(ctx: RequestContext, { tenantId, deliveries, lease, readAt }: FanOut): Promise<InsertedDeliveries> {
    if (deliveries.length === 0) return { ready: [], jobs: [] };
    const { leased, nowMs } = await this.relay.insertDeliveries(ctx, tenantId, deliveries, lease);
    const claim = { leaseOwner: lease.owner, attemptsBefore: 0, isBooked: false, dueInMs: 0, claimedAtMs: nowMs, readAt };
    const claimedAt = performance.now();
    const targets = new Map<string, WebhookTarget | SecretsUnreadable>();
    const ready = deliveries.flatMap((delivery): ReadyDelivery[] => {
      const { event, webhook, eventType } = delivery;
      const sequence = leased.get(delivery.id);
      if (sequence === undefined || !webhook) return [];
      const target = targets.get(webhook.id) ?? webhookTarget(this.parts, webhook.encryptedRow);
      targets.set(webhook.id, target);
      const { payload, traceparent } = event;
      const isReadable = !(target instanceof SecretsUnreadable);
      return [
        {
          ...jobOf(tenantId, delivery),
          ...claim,
          claimedAt,
          eventType,
          sequence,
          target: isReadable ? { ...target, payload, traceparent, probe: false } : target,
        },
      ];
    });
    return { ready, jobs: deliveries.filter(({ state }) => state === 'due').map((delivery) => jobOf(tenantId, delivery)) };
  }

  /** Starts or enqueues the inserted deliveries. Must be called after the commit. */
  dispatch({ ready, jobs }: InsertedDeliveries): void {
    this.attempts.process(ready);
    // Not awaited: without Redis, events still get their positions and deliveries.
    if (jobs.length > 0) void this.queue.add(jobs);
  }
}

const deliveryOf = (event: UnpositionedEvent, webhookId: string, organizationId: string, state: NewDelivery['state']) => ({
  event,
  eventId: event.id,
  eventType: event.type,
  id: newId('delivery'),
  webhookId,
  organizationId,
  state,
});

function jobOf(tenantId: string, { eventId, id, webhookId }: NewDelivery): DeliveryJob {
  return { tenantId, eventId, deliveryId: id, webhookId, generation: 0, attempt: 1 };
}

/**
 * Returns the first state of a delivery. Deliveries are skipped if their webhook was disabled by hand. They wait if it was disabled by
 * failures, or if its organization is suspended, so that no delivery is lost.
 */
function firstState({ enabled, disabled_by: disabledBy, suspended }: SealedWebhook): 'due' | 'held' | 'skipped' {
  if (enabled) return suspended ? 'held' : 'due';
  return disabledBy === 'hand' ? 'skipped' : 'held';
}
