import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { ATTEMPT_BEGINS_WITHIN_MS } from '#webhooks/webhooks';
import { WebhookAlerts } from '../alerts/webhook-alerts.js';
import { type DeliveryJob, DeliveryQueue, jobIdOf } from '../queue/index.js';
import type { AttemptResult, ClaimedDelivery, DeliveryResult } from '../ledger/delivery-state.query.js';
import { AttemptTelemetry } from '../telemetry/attempt-telemetry.js';
import { DeliveryPacer } from '../ledger/delivery-pacer.js';
import { DeliveryLedger, isReady, type Lease, type ReadyDelivery } from '../ledger/delivery-ledger.js';
import { DeliverySender } from './delivery-sender.js';
import { type DeliveryTarget, SecretsUnreadable } from '../ledger/delivery-target.js';
import { WebhookConcurrency } from './webhook-concurrency.js';

/** Time until a delivery with an unreadable secret is due again, in milliseconds. */
const UNREADABLE_RETRY_MS = 60_000;

/** Slots reserved for deliveries that this process starts immediately. The deliveries are inserted with the lease of this process. */
export interface ImmediateLeases {
  readonly lease: Lease;
  /** Reserves a slot for a delivery of the webhook. Returns false if no slot is free. */
  reserve(webhookId: string): boolean;
}

/** Attempts deliveries: claims a delivery, sends it, records the result, and enqueues the next attempt of the schedule. */
@Injectable()
export class DeliveryAttemptService {
  private readonly logger = new Logger(DeliveryAttemptService.name);
  private readonly concurrency = new WebhookConcurrency<DeliveryJob | ReadyDelivery>((overflow) => this.loadMore(overflow));
  private readonly active = new Set<Promise<void>>();
  private readonly abort = new AbortController();
  private stopping = false;
  private lastFailure: unknown;
  private lastUnreadable: string | undefined;
  private loadMore: (of: DeliveryJob) => void = () => undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly ledger: DeliveryLedger,
    private readonly pacer: DeliveryPacer,
    private readonly sender: DeliverySender,
    private readonly alerts: WebhookAlerts,
    private readonly telemetry: AttemptTelemetry,
  ) {}

  /**
   * Sets the function that loads more jobs of a webhook from the database. It is called with a job of the webhook when few jobs are left in
   * memory.
   */
  onLowBacklog(load: (of: DeliveryJob) => void): void {
    this.loadMore = load;
  }

  /** Attempts deliveries, each when it has a slot. Deliveries without a lease are claimed first. */
  process(jobs: readonly (DeliveryJob | ReadyDelivery)[]): void {
    for (const job of jobs) {
      if (this.stopping) {
        if (isReady(job)) void this.track(this.release(job));
      } else if (this.concurrency.tryAcquire(job.webhookId, jobIdOf(job), job)) void this.track(this.runFrom(job));
    }
  }

  /** Records that more jobs of the same webhook wait in the database. */
  markMoreWaiting(of: DeliveryJob): void {
    this.concurrency.markOverflow(of.webhookId, of);
  }

  /** Returns a lease with slots for deliveries that will be inserted, so that these deliveries need no claim and no queue. */
  reserveImmediateLeases(): ImmediateLeases {
    const reserved = new Map<string, number>();
    let count = 0;
    return {
      lease: this.ledger.newLease(),
      reserve: (webhookId) => {
        const own = reserved.get(webhookId) ?? 0;
        if (this.stopping || !this.concurrency.hasFreeSlot(webhookId, own, count)) return false;
        reserved.set(webhookId, own + 1);
        count++;
        return true;
      },
    };
  }

  /** Accepts no more work, waits for attempts in progress, and after `limitMs` aborts them and releases their deliveries. */
  async stop(limitMs: number): Promise<void> {
    this.stopping = true;
    this.process(this.concurrency.clear());
    await this.queue.pause();
    const timer = setTimeout(() => this.abort.abort(), limitMs);
    while (this.active.size > 0) await Promise.all(this.active);
    clearTimeout(timer);
  }

  /** Returns whether enough jobs of a webhook wait in this process, so that more jobs are useless. */
  isSaturated(webhookId: string): boolean {
    return this.concurrency.isSaturated(webhookId);
  }

  private track(run: Promise<void>): Promise<void> {
    const tracked: Promise<void> = run
      .catch((error: unknown) => this.logFailure(error))
      .finally(() => this.active.delete(tracked));
    this.active.add(tracked);
    return tracked;
  }

  /** Runs a job, then the queued jobs that get its slot, of any webhook. */
  private async runFrom(first: DeliveryJob | ReadyDelivery): Promise<void> {
    for (let job: DeliveryJob | ReadyDelivery | undefined = first; job;) {
      await this.deliver(job).catch((error: unknown) => this.logFailure(error));
      const [next, ...others]: (DeliveryJob | ReadyDelivery)[] = this.concurrency.release(job.webhookId);
      for (const other of others) void this.track(this.runFrom(other));
      job = next;
    }
  }

  /** Logs an error once, because a failed statement fails many jobs. The sweeper enqueues the jobs again. */
  private logFailure(error: unknown): void {
    if (error === this.lastFailure) return;
    this.lastFailure = error;
    this.logger.error({ err: error }, 'Deliveries could not be claimed or recorded; they will be retried.');
  }

  /** Claims a delivery unless the relay did so, sends it if its webhook still receives it, and records the result. */
  private async deliver(job: DeliveryJob | ReadyDelivery): Promise<void> {
    const delivery = isReady(job) ? job : await this.ledger.claim(job);
    if (!delivery) return;
    const { target } = delivery;
    const unsent = this.stopping ? 'released' : reasonNotToSend(target, delivery.eventType);
    if (unsent || !target) return this.recordUnsent(delivery, unsent ?? 'skipped');
    if (target instanceof SecretsUnreadable) return this.postpone(delivery, target);
    if (target.payload === null) return this.recordUnsent(delivery, 'skipped');
    if (isInOrder(delivery) && !(await this.ledger.isFirst(delivery))) return this.recordUnsent(delivery, 'held');
    if (target.rateLimit !== null && !(await this.hasTurn(delivery, target.rateLimit))) return;
    if (delivery.dueInMs > 0) await delay(delivery.dueInMs);
    // The deletion of a webhook waits only this long for attempts to start. This process may have been paused for longer.
    if (performance.now() - delivery.readAt > ATTEMPT_BEGINS_WITHIN_MS) return this.recordUnsent(delivery, 'released');

    const endSpan = this.telemetry.startSpan(delivery, target.traceparent);
    const attempt = await this.sender.send({
      target,
      body: target.payload,
      messageId: delivery.eventId,
      ...(delivery.sequence === null ? {} : { sequence: delivery.sequence }),
      nowMs: delivery.claimedAtMs + performance.now() - delivery.claimedAt,
      signal: this.abort.signal,
    });
    if (attempt) endSpan?.(attempt);
    if (!attempt) return this.recordUnsent(delivery, 'skipped');
    if (this.abort.signal.aborted && attempt.errorKind === 'aborted') return this.recordUnsent(delivery, 'released');
    this.concurrency.recordAttempt(delivery.webhookId, attempt.succeeded, attempt.durationMs);
    const concluded = this.track(this.conclude(delivery, attempt, target.probe));
    // The slot is free for the next job while the result is written.
    if (this.ledger.isBehind) await concluded;
  }

  /** Returns whether the rate limit of the webhook allows the delivery now. If not, enqueues the delivery for its booked time. */
  private async hasTurn(delivery: ReadyDelivery, limitPerSecond: number): Promise<boolean> {
    const { turn, inMs } = await this.pacer.admit(delivery, limitPerSecond);
    if (typeof turn === 'number') this.enqueueNext(delivery, { bookedForMs: turn, delayMs: inMs });
    return turn === 'now';
  }

  /** Records an attempt. Enqueues the next attempt if this attempt failed. A failed probe waits again and restarts the schedule. */
  private async conclude(delivery: ReadyDelivery, attempt: AttemptResult, probe: boolean): Promise<void> {
    if (probe && !attempt.succeeded) {
      const recorded = await this.ledger.record({ delivery, status: 'pending', attempt, newRound: true });
      return this.telemetry.record(delivery, attempt, 'pending', recorded !== null);
    }
    const isOver = attempt.succeeded || attempt.rejected;
    const retryAfterMs = isOver ? undefined : this.ledger.retryDelayMs(delivery.attempt - delivery.attemptsBefore);
    const status = attempt.succeeded ? 'succeeded' : retryAfterMs === undefined ? 'failed' : 'pending';
    const result: DeliveryResult = { delivery, status, attempt, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    const recorded = await this.ledger.record(result);
    this.telemetry.record(delivery, attempt, status, recorded !== null);
    if (recorded?.dueInMs != null)
      this.enqueueNext(delivery, { attempt: delivery.attempt + 1, delayMs: Math.max(0, recorded.dueInMs) });
    if (status !== 'pending') await this.releaseNext(delivery);
    const { tenantId, webhookId } = delivery;
    if (attempt.errorKind === 'blocked') await this.alerts.reportInternalTarget(tenantId, webhookId);
    if (probe) await this.alerts.enable(tenantId, webhookId);
    if (status === 'failed' && attempt.permanent) await this.alerts.disable(tenantId, webhookId, 'gone');
  }

  private enqueueNext(delivery: ReadyDelivery, how: Partial<DeliveryJob>): void {
    const { tenantId, eventId, deliveryId, webhookId, generation, attempt } = delivery;
    // Not awaited: if the queue fails, the sweeper finds the delivery in PostgreSQL.
    void this.queue.add([{ tenantId, eventId, deliveryId, webhookId, generation, attempt, ...how }]);
  }

  private release(delivery: ClaimedDelivery): Promise<void> {
    return this.recordUnsent(delivery, 'released');
  }

  /** Postpones a delivery that can't be signed. This is no attempt, because the cause is in this installation and not at the destination. */
  private async postpone(delivery: ClaimedDelivery, { cause }: SecretsUnreadable): Promise<void> {
    if (cause.message !== this.lastUnreadable) {
      this.lastUnreadable = cause.message;
      this.logger.error(
        { err: cause, webhookId: delivery.webhookId },
        'Deliveries wait until the secret of their webhook is readable.',
      );
    }
    await this.ledger.record({ delivery, status: 'pending', retryAfterMs: UNREADABLE_RETRY_MS, waitsFor: 'secret_unreadable' });
  }

  /** Records a claimed delivery that was not sent. */
  private async recordUnsent(delivery: ClaimedDelivery, how: 'skipped' | 'held' | 'released'): Promise<void> {
    if (how === 'skipped') await this.ledger.record({ delivery, status: 'skipped' });
    else await this.ledger.record({ delivery, status: 'pending', ...(how === 'released' ? { retryAfterMs: 0 } : {}) });
    if (how !== 'released') await this.releaseNext(delivery);
  }

  /**
   * Starts the next delivery to a receiver that gets its deliveries in order. Also called after a delivery was held, because the delivery
   * before it can have ended in the meantime.
   */
  private async releaseNext(delivery: ClaimedDelivery | ReadyDelivery): Promise<void> {
    if (!isInOrder(delivery)) return;
    const next = await this.ledger.releaseFirst(delivery);
    if (next) void this.queue.add([next]);
  }
}

/**
 * Returns why a delivery is not sent now, or undefined if it is sent. Webhooks of a deleted organization still receive the events up to its
 * deletion.
 */
function reasonNotToSend(target: DeliveryTarget | SecretsUnreadable | null, eventType: string): 'skipped' | 'held' | undefined {
  if (!target) return 'skipped';
  const admission = 'admit' in target ? target.admit?.(eventType) : undefined;
  if (admission === 'skip') return 'skipped';
  if (admission === 'wait') return 'held';
  const { enabled, disabledBy, suspended, webhookDeleted } = target instanceof SecretsUnreadable ? target.webhook : target;
  if (webhookDeleted) return 'skipped';
  if (enabled || ('probe' in target && target.probe)) return suspended ? 'held' : undefined;
  return disabledBy === 'hand' ? 'skipped' : 'held';
}

/** Returns whether a delivery must not overtake earlier deliveries to its receiver. */
const isInOrder = (delivery: ClaimedDelivery | ReadyDelivery): boolean =>
  'target' in delivery &&
  delivery.target !== null &&
  'admit' in delivery.target &&
  delivery.target.admit?.(delivery.eventType) === 'in_order';
