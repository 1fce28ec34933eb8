import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { payloadMeets } from './payload-match.js';
import { BackgroundLoop, newId, type RequestContext, systemContext } from '#platform/common';
import { Notifications, pipeline, TransactionRunner } from '#platform/database';
import { CHAIN_START, chainHashes, EVENTS_NUMBERED_CHANNEL } from '#platform/event-log';
import { OUTBOX_CHANNEL } from '#platform/events';
import { DeliveryMetrics } from '../delivery-metrics.js';
import { DeliveryTraces } from '../delivery-traces.js';
import type { ClaimedDelivery } from '../processing/delivery-state.query.js';
import { DeliveryProcessor } from '../processing/delivery-processor.js';
import { type DeliveryJob, DeliveryQueue } from '../queue/index.js';
import { type EventStream, type NewDelivery, RelayQuery, type UnpositionedEvent } from './relay.query.js';
import { type CandidateWebhook, concernedOrganizations, getsEvent, type RelayedEvent } from './webhook-matching.js';

const POLL_INTERVAL_MS = 1_000;
/** Between two rounds while requests to this process come first. */
const YIELDING_INTERVAL_MS = 50;
/** Small enough that the first of a backlog are sent while the next are relayed. */
const EVENTS_PER_BATCH = 200;
const TENANTS_PER_POLL = 200;
/** Tenants are independent of one another; this many are relayed at once, each on a database connection. */
const TENANTS_AT_ONCE = 3;

/**
 * Turns committed events into deliveries: gives each event the next position of its tenant's stream, writes a delivery for each
 * webhook that gets it, and after the commit hands these to the queue. Several relays may run: the lock on a stream's row decides.
 */
@Injectable()
export class EventRelay {
  private readonly ctx: RequestContext = systemContext('event-relay');
  private readonly loop = new BackgroundLoop('Event relay', POLL_INTERVAL_MS, () => this.run());
  /** Tenants of which was heard that they have events. */
  private readonly announced = new Set<string>();
  private nextPollAt = 0;
  private lastPolledTenantId = '';

  constructor(
    private readonly relay: RelayQuery,
    private readonly transactions: TransactionRunner,
    private readonly queue: DeliveryQueue,
    private readonly processor: DeliveryProcessor,
    private readonly metrics: DeliveryMetrics,
    private readonly traces: DeliveryTraces,
    private readonly notifications: Notifications,
  ) {}

  start(): void {
    this.notifications.on(OUTBOX_CHANNEL, (tenantId) => {
      this.announced.add(tenantId);
      this.loop.wake();
    });
    this.notifications.onReconnect(() => {
      this.nextPollAt = 0;
      this.loop.wake();
    });
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
  }

  /** One round over the tenants announced or found; true when it knows of more to do. */
  private async run(): Promise<boolean> {
    // Events that come meanwhile are relayed together.
    if (this.processor.isYielding) await delay(YIELDING_INTERVAL_MS);
    const tenants = new Set(this.announced);
    this.announced.clear();
    if (performance.now() >= this.nextPollAt) for (const tenantId of await this.poll()) tenants.add(tenantId);

    const waiting = [...tenants];
    const unfinished: string[] = [];
    const relaySome = async () => {
      for (let tenantId = waiting.pop(); tenantId !== undefined; tenantId = waiting.pop()) {
        if ((await this.relayBatch(tenantId)) === EVENTS_PER_BATCH) unfinished.push(tenantId);
      }
    };
    await Promise.all(Array.from({ length: Math.min(TENANTS_AT_ONCE, waiting.length) }, relaySome));
    for (const tenantId of unfinished) this.announced.add(tenantId);
    this.metrics.relayLastRound.setToCurrentTime();
    return this.announced.size > 0 || this.nextPollAt === 0;
  }

  /** The net below the notifications, which may get lost: looks for events itself. */
  private async poll(): Promise<string[]> {
    const found = await this.relay.tenantsWithEvents(this.ctx, this.lastPolledTenantId, TENANTS_PER_POLL);
    const complete = found.length < TENANTS_PER_POLL;
    this.lastPolledTenantId = complete ? '' : (found.at(-1) ?? '');
    this.nextPollAt = complete ? performance.now() + POLL_INTERVAL_MS : 0;
    return found;
  }

  /** Relays a tenant's oldest events; gives how many. None when another relay is at it: what it leaves the poll finds. */
  private async relayBatch(tenantId: string): Promise<number> {
    const batch = await this.transactions.run(this.ctx, async (ctx) => {
      // The events are read after the stream is locked.
      const [stream, events] = await pipeline(ctx, [
        () => this.relay.lockStream(ctx, tenantId),
        () => this.relay.unpositionedEvents(ctx, tenantId, EVENTS_PER_BATCH),
      ]);
      const first = events[0];
      if (!stream || !first) return NOTHING_RELAYED;
      const [webhooks] = await pipeline(ctx, [
        () => this.relay.candidateWebhooks(ctx, tenantId, concernedOrganizations(events), first.seq),
        () => this.relay.givePositions(ctx, tenantId, events, stream, chainAfter(stream, tenantId, events)),
      ]);
      return { ...(await this.fanOut(ctx, tenantId, events, webhooks)), events };
    });
    if (batch.events.length > 0) this.notifications.notify(EVENTS_NUMBERED_CHANNEL, tenantId);
    this.traces.noteRelayed(batch.events);
    this.processor.take(batch.claimed);
    // Not awaited: while Redis is away, events still get their positions and deliveries.
    if (batch.jobs.length > 0) void this.queue.add(batch.jobs);
    return batch.events.length;
  }

  private async fanOut(
    ctx: RequestContext,
    tenantId: string,
    events: readonly RelayedEvent[],
    webhooks: readonly CandidateWebhook[],
  ): Promise<FannedOut> {
    const subscribed = events.flatMap((event) =>
      webhooks.filter((webhook) => getsEvent(webhook, event)).map((webhook) => ({ event, webhook })),
    );
    const matches = await this.filtered(ctx, tenantId, subscribed);
    if (matches.length === 0) return FOR_NOBODY;

    const handful = this.processor.openHandful();
    const deliveries = matches.map(({ event, webhook }): NewDelivery => {
      const state = firstState(webhook);
      return {
        eventId: event.id,
        eventType: event.type,
        id: newId('delivery'),
        webhookId: webhook.id,
        organizationId: webhook.organizationId,
        state: state === 'due' && handful.takes(webhook.id) ? 'leased' : state,
      };
    });
    const { leased, nowMs } = await this.relay.insertDeliveries(ctx, tenantId, deliveries, handful.lease);
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
      leaseOwner: handful.lease.owner,
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

  /** Payloads are read only where a webhook has a filter. */
  private async filtered(ctx: RequestContext, tenantId: string, matches: readonly Match[]): Promise<readonly Match[]> {
    const judged = matches.filter(({ webhook }) => webhook.filter).map(({ event }) => event.id);
    if (judged.length === 0) return matches;
    const payloads = await this.relay.payloadsOf(ctx, tenantId, [...new Set(judged)]);
    return matches.filter(({ event, webhook: { filter } }) => !filter || payloadMeets(filter, payloads.get(event.id)!));
  }
}

/** What is to be sent: through the queue, or at once by this process, which has claimed it already. */
interface FannedOut {
  readonly jobs: readonly DeliveryJob[];
  readonly claimed: readonly ClaimedDelivery[];
}

const FOR_NOBODY: FannedOut = { jobs: [], claimed: [] };
const NOTHING_RELAYED = { events: [], ...FOR_NOBODY };

interface Match {
  readonly event: RelayedEvent;
  readonly webhook: CandidateWebhook;
}

/** The links of the next events; none where earlier events still lack theirs, which then come to all of them in their order. */
function chainAfter(stream: EventStream, tenantId: string, events: readonly UnpositionedEvent[]): Buffer[] | undefined {
  if (stream.chainedPosition !== stream.lastPosition) return undefined;
  return chainHashes(
    stream.lastChainHash ?? CHAIN_START,
    tenantId,
    stream.lastPosition,
    events.map(({ chained }) => chained),
  );
}

/** Switched off by hand, events are only listed; switched off by failures, they wait, so that nothing is lost. */
function firstState({ enabled, disabledBy }: CandidateWebhook): NewDelivery['state'] {
  if (enabled) return 'due';
  return disabledBy === 'hand' ? 'skipped' : 'held';
}
