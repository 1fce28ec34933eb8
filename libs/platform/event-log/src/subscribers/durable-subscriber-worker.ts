import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundLoop, newId, type RequestContext, systemContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { Notifications } from '#platform/database';
import { type DurableSubscriber, EventSubscribers } from '#platform/events';
import { EVENTS_NUMBERED_CHANNEL } from '../event-channels.js';
import { type LeasedCursor, type PositionedEvent, SubscriberCursorQuery } from './subscriber-cursor.query.js';
import { SubscriberMetrics } from './subscriber-metrics.js';

const POLL_INTERVAL_MS = 1_000;
/** Maximum number of cursors (a handler and a tenant) that this process works on at the same time. */
const MAX_CURSORS = 4;
const EVENTS_PER_READ = 100;
/** Time after which another process claims the cursors of a killed process, in milliseconds. */
const LEASE_MS = 30_000;
const FIRST_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 3_600_000;
/** The last attempt is about three and a half hours after the first. */
const MAX_ATTEMPTS = 10;
const MAX_ERROR_LENGTH = 500;

/**
 * Calls the durable event handlers. Each handler receives the events of a tenant one after another, in the order of the log. Several
 * processes share the work: a process leases a cursor before it calls the handler.
 */
@Injectable()
export class DurableSubscriberWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DurableSubscriberWorker.name);
  private readonly ctx: RequestContext = systemContext('event-subscribers');
  private readonly loop = new BackgroundLoop('Event subscribers', POLL_INTERVAL_MS, () => this.claim());
  private readonly active = new Set<Promise<void>>();
  private stopping = false;

  constructor(
    private readonly config: AppConfig,
    private readonly subscribers: EventSubscribers,
    private readonly subscriberCursor: SubscriberCursorQuery,
    private readonly notifications: Notifications,
    private readonly metrics: SubscriberMetrics,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.role === 'api' || this.subscribers.durable.size === 0) return;
    this.notifications.on(EVENTS_NUMBERED_CHANNEL, () => this.loop.wake());
    this.loop.start();
  }

  /** Waits for the running handlers. The remaining events are handled by another process, or after the next start. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    await this.loop.stop();
    await Promise.all(this.active);
  }

  private async claim(): Promise<void> {
    const freeSlots = MAX_CURSORS - this.active.size;
    if (freeSlots === 0) return;
    const names = [...this.subscribers.durable.keys()];
    // Each claim has its own owner, so that work with an expired lease can't change a cursor that this process claimed again.
    const leaseOwner = randomUUID();
    for (const cursor of await this.subscriberCursor.claim(this.ctx, names, freeSlots, leaseOwner, LEASE_MS)) {
      const subscriber = this.subscribers.durable.get(cursor.subscriber);
      if (!subscriber) continue;
      const work = this.work(cursor, subscriber)
        .catch((error: unknown) => this.logger.error({ err: error }, `The cursor of ${cursor.subscriber} could not be moved.`))
        .finally(() => {
          this.active.delete(work);
          this.loop.wake();
        });
      this.active.add(work);
    }
  }

  /** Handles the events between the position of a cursor and its head. */
  private async work(cursor: LeasedCursor, subscriber: DurableSubscriber): Promise<void> {
    let { position, attempts } = cursor;
    for (;;) {
      const events = await this.subscriberCursor.listEvents(this.ctx, cursor, subscriber.types, position, EVENTS_PER_READ);
      for (const next of events) {
        if (this.stopping) return void (await this.subscriberCursor.release(this.ctx, cursor, position));
        if (!(await this.handle(cursor, subscriber, next, attempts + 1))) return;
        if (!(await this.subscriberCursor.advance(this.ctx, cursor, next.position, LEASE_MS))) return;
        position = next.position;
        attempts = 0;
      }
      if (events.length < EVENTS_PER_READ) break;
    }
    await this.subscriberCursor.release(this.ctx, cursor, cursor.head);
  }

  /** Calls the handler with an event. Returns false if the handler failed. */
  private async handle(
    cursor: LeasedCursor,
    subscriber: DurableSubscriber,
    next: PositionedEvent,
    attempt: number,
  ): Promise<boolean> {
    const renewal = setInterval(
      () => void this.subscriberCursor.renew(this.ctx, cursor, LEASE_MS).catch(() => undefined),
      LEASE_MS / 3,
    );
    try {
      await subscriber.handle(systemContext(newId('request')), next.event);
      this.metrics.handled.inc({ subscriber: subscriber.name, outcome: 'succeeded' });
      return true;
    } catch (error) {
      this.metrics.handled.inc({ subscriber: subscriber.name, outcome: 'failed' });
      await this.recordFailure(cursor, next, attempt, error);
      return false;
    } finally {
      clearInterval(renewal);
    }
  }

  private async recordFailure(cursor: LeasedCursor, next: PositionedEvent, attempt: number, error: unknown): Promise<void> {
    const retryInMs =
      attempt < MAX_ATTEMPTS ? Math.min(FIRST_RETRY_DELAY_MS * 4 ** (attempt - 1), MAX_RETRY_DELAY_MS) : undefined;
    const text = String(error instanceof Error ? error.message : error).slice(0, MAX_ERROR_LENGTH);
    await this.subscriberCursor.recordFailure(this.ctx, cursor, next, text, retryInMs);
    const consequence =
      retryInMs === undefined
        ? 'It is stopped for this tenant until an operator retries or skips the event.'
        : `The next attempt is in ${retryInMs / 1_000} s.`;
    this.logger.error(
      { err: error, eventId: next.event.id, tenantId: cursor.tenantId },
      `The event handler ${cursor.subscriber} failed (attempt ${attempt}). ${consequence}`,
    );
  }
}
