import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { BackgroundLoop, type RequestContext, systemContext } from '#platform/common';
import { Notifications, pipeline, TransactionRunner } from '#platform/database';
import { CHAIN_START, chainHashes, EVENTS_NUMBERED_CHANNEL } from '#platform/event-log';
import { OUTBOX_CHANNEL } from '#platform/events';
import { DeliveryMetrics } from '../delivery-metrics.js';
import { DeliveryProcessor } from '../processing/delivery-processor.js';
import { FanOutService, NO_DELIVERIES } from './fan-out.service.js';
import { type EventStream, RelayQuery, type UnpositionedEvent } from './relay.query.js';
import { organizationsOf } from './webhook-matching.js';

const POLL_INTERVAL_MS = 1_000;
/** Between two rounds while requests to this process have priority. */
const YIELDING_INTERVAL_MS = 50;
/** Small enough that the first events of a backlog are sent while the next are relayed. */
const EVENTS_PER_BATCH = 200;
const TENANTS_PER_POLL = 200;
/** Number of tenants that are relayed at once, each on a database connection. */
const TENANTS_AT_ONCE = 3;

/**
 * Turns committed events into deliveries: assigns each event the next position of its tenant's stream, inserts a delivery for each webhook that
 * receives it, and enqueues the deliveries after the commit. Several relays can run: each locks the stream's row.
 */
@Injectable()
export class EventRelay {
  private readonly ctx: RequestContext = systemContext('event-relay');
  private readonly loop = new BackgroundLoop('Event relay', POLL_INTERVAL_MS, () => this.run());
  /** Tenants with events, by notification. */
  private readonly announced = new Set<string>();
  private nextPollAt = 0;
  private lastPolledTenantId = '';

  constructor(
    private readonly relay: RelayQuery,
    private readonly fanOut: FanOutService,
    private readonly transactions: TransactionRunner,
    private readonly processor: DeliveryProcessor,
    private readonly metrics: DeliveryMetrics,
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

  /** Relays one batch of each announced or found tenant. Returns true when there is more to do. */
  private async run(): Promise<boolean> {
    // Events of this time are relayed together.
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

  /** Finds tenants with events, since notifications can get lost. */
  private async poll(): Promise<string[]> {
    const found = await this.relay.tenantsWithEvents(this.ctx, this.lastPolledTenantId, TENANTS_PER_POLL);
    const complete = found.length < TENANTS_PER_POLL;
    this.lastPolledTenantId = complete ? '' : (found.at(-1) ?? '');
    this.nextPollAt = complete ? performance.now() + POLL_INTERVAL_MS : 0;
    return found;
  }

  /** Relays the oldest events of a tenant. Returns their number: 0 when another relay has locked the stream. */
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
        () => this.relay.candidateWebhooks(ctx, tenantId, organizationsOf(events), first.seq),
        () => this.relay.assignPositions(ctx, tenantId, events, stream, chainAfter(stream, tenantId, events)),
      ]);
      return { ...(await this.fanOut.insertDeliveries(ctx, tenantId, events, webhooks)), events };
    });
    if (batch.events.length > 0) this.notifications.notify(EVENTS_NUMBERED_CHANNEL, tenantId);
    this.fanOut.dispatch(batch);
    return batch.events.length;
  }
}

const NOTHING_RELAYED = { events: [], ...NO_DELIVERIES };

/** Returns the chain hashes of the events; undefined while earlier events have none: they are then added to all in order. */
function chainAfter(stream: EventStream, tenantId: string, events: readonly UnpositionedEvent[]): Buffer[] | undefined {
  if (stream.chainedPosition !== stream.lastPosition) return undefined;
  return chainHashes(
    stream.lastChainHash ?? CHAIN_START,
    tenantId,
    stream.lastPosition,
    events.map(({ chained }) => chained),
  );
}
