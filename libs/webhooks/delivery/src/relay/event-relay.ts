import { Injectable } from '@nestjs/common';
import { BackgroundLoop, type RequestContext, systemContext } from '#platform/common';
import { Notifications, pipeline, TransactionRunner } from '#platform/database';
import { CHAIN_START, chainHashes, DueSubscribers, EVENTS_NUMBERED_CHANNEL } from '#platform/event-log';
import { OUTBOX_CHANNEL } from '#platform/events';
import { RelayTelemetry } from '../telemetry/relay-telemetry.js';
import { FanOutService } from './fan-out.service.js';
import { type EventStream, RelayQuery, type UnpositionedEvent } from './relay.query.js';

const POLL_INTERVAL_MS = 1_000;
/** Maximum number of events of a batch. Deliveries start after the commit, so a larger batch would delay the first deliveries. */
const EVENTS_PER_BATCH = 200;
const ENTRIES_PER_POLL = 500;
/** Number of tenants that are relayed concurrently, each on its own database connection. */
const CONCURRENT_TENANTS = 3;

/**
 * Turns committed events into deliveries: assigns each event the next position of its tenant's stream, inserts a delivery for each webhook that
 * receives it, and enqueues the deliveries after the commit. Several relays can run: each locks the stream's row.
 */
@Injectable()
export class EventRelay {
  private readonly ctx: RequestContext = systemContext('event-relay');
  private readonly loop = new BackgroundLoop('Event relay', POLL_INTERVAL_MS, () => this.run());
  /** IDs of tenants with events to relay. */
  private readonly pendingTenants = new Set<string>();
  private nextPollAt = 0;
  private lastPolledTenantId = '';

  constructor(
    private readonly relay: RelayQuery,
    private readonly fanOut: FanOutService,
    private readonly transactions: TransactionRunner,
    private readonly subscribers: DueSubscribers,
    private readonly notifications: Notifications,
    private readonly telemetry: RelayTelemetry,
  ) {}

  start(): void {
    this.notifications.on(OUTBOX_CHANNEL, (tenantId) => {
      this.pendingTenants.add(tenantId);
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

  /** Relays one batch of each tenant with events. Returns true if events may be left. */
  private async run(): Promise<boolean> {
    const tenants = new Set(this.pendingTenants);
    this.pendingTenants.clear();
    if (performance.now() >= this.nextPollAt) for (const tenantId of await this.poll()) tenants.add(tenantId);

    const waiting = [...tenants];
    const unfinished: string[] = [];
    const relayNext = async () => {
      for (let tenantId = waiting.pop(); tenantId !== undefined; tenantId = waiting.pop()) {
        if ((await this.relayBatch(tenantId)) === EVENTS_PER_BATCH) unfinished.push(tenantId);
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENT_TENANTS, waiting.length) }, relayNext));
    for (const tenantId of unfinished) this.pendingTenants.add(tenantId);
    this.telemetry.recordRound();
    return this.pendingTenants.size > 0 || this.nextPollAt === 0;
  }

  /** Finds tenants with events in the database, because notifications can get lost. */
  private async poll(): Promise<string[]> {
    const { tenantIds, isComplete } = await this.relay.tenantsWithEvents(this.ctx, this.lastPolledTenantId, ENTRIES_PER_POLL);
    this.lastPolledTenantId = isComplete ? '' : (tenantIds.at(-1) ?? '');
    this.nextPollAt = isComplete ? performance.now() + POLL_INTERVAL_MS : 0;
    return tenantIds;
  }

  /** Relays the oldest events of a tenant, in two round trips. Returns the number of events, which is 0 if another relay has locked the stream. */
  private async relayBatch(tenantId: string): Promise<number> {
    const readAt = performance.now();
    const relayed = await this.transactions.run(this.ctx, async (ctx) => {
      // The events are read after the stream is locked.
      const [stream, batch] = await pipeline(ctx, [
        () => this.relay.lockStream(ctx, tenantId),
        () => this.relay.nextBatch(ctx, tenantId, EVENTS_PER_BATCH),
      ]);
      const { events } = batch;
      if (!stream || events.length === 0) return undefined;
      const receivers = await this.fanOut.findReceivers(ctx, tenantId, events);
      const fanOut = this.fanOut.match(tenantId, batch, receivers, readAt);
      const [, , inserted] = await pipeline(
        ctx,
        [
          () => this.relay.assignPositions(ctx, tenantId, events, stream, chainAfter(stream, tenantId, events)),
          () => this.subscribers.makeDue(ctx, tenantId, events, stream.lastPosition),
          () => this.fanOut.insert(ctx, fanOut),
        ],
        { commit: true },
      );
      return { events, inserted };
    });
    if (!relayed) return 0;
    this.notifications.notify(EVENTS_NUMBERED_CHANNEL, tenantId);
    this.telemetry.recordRelayed(relayed.events);
    this.fanOut.dispatch(relayed.inserted);
    return relayed.events.length;
  }
}

/**
 * Returns the chain hashes of the events, or undefined while earlier events have no hash. `ChainCatchUp` then links all these events in
 * order.
 */
function chainAfter(stream: EventStream, tenantId: string, events: readonly UnpositionedEvent[]): Buffer[] | undefined {
  if (stream.chainedPosition !== stream.lastPosition) return undefined;
  return chainHashes(
    stream.lastChainHash ?? CHAIN_START,
    tenantId,
    stream.lastPosition,
    events.map(({ chained }) => chained),
  );
}
