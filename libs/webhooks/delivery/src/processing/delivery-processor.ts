import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { newId } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ATTEMPT_BEGINS_WITHIN_MS } from '#webhooks/webhooks';
import { WebhookAlerts } from '../alerts/webhook-alerts.js';
import { type DeliveryJob, DeliveryQueue, jobIdOf } from '../queue/index.js';
import type { AttemptResult, ClaimedDelivery, DeliveryResult } from './delivery-state.query.js';
import { AttemptTelemetry } from './attempt-telemetry.js';
import { DeliveryLedger, isClaimed, isStale, type Lease, type ReadyDelivery } from './delivery-ledger.js';
import { DeliverySender } from './delivery-sender.js';
import { type DeliveryTarget, SecretsUnreadable } from './delivery-targets.query.js';
import { RequestLoad } from './request-load.js';
import { delayAfterAttemptMs } from './retry-schedule.js';
import { SLOT_LIMITS, WebhookSlots } from './webhook-slots.js';

const GONE = 410;

/**
 * Deliveries to healthy webhooks that start while HTTP requests have priority: the number per served request, and the minimum in 200 ms. The
 * minimum is for times when requests do not need the CPU but wait for something else.
 */
const DELIVERIES_PER_REQUEST = 0.8;
const DELIVERIES_MIN = 20;

/** Slots reserved for deliveries that this process starts immediately. The deliveries are inserted with the lease of this process. */
export interface ImmediateLeases {
  readonly lease: Lease;
  /** Reserves a slot for a delivery of the webhook. Returns false if no slot is free. */
  reserve(webhookId: string): boolean;
}

/** Attempts deliveries: claims a delivery, sends it, records the result, and enqueues the next attempt of the schedule. */
@Injectable()
export class DeliveryProcessor {
  private readonly logger = new Logger(DeliveryProcessor.name);
  private readonly slots = new WebhookSlots<DeliveryJob | ClaimedDelivery>((overflow) => this.loadMore(overflow));
  private readonly active = new Set<Promise<void>>();
  private readonly abort = new AbortController();
  private stopping = false;
  private lastFailure: unknown;
  private readonly requestLoad = new RequestLoad((busy, servedCount) => this.setYielding(busy, servedCount));
  private yielding = false;
  private loadMore: (of: DeliveryJob) => void = () => undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly ledger: DeliveryLedger,
    private readonly sender: DeliverySender,
    private readonly alerts: WebhookAlerts,
    private readonly telemetry: AttemptTelemetry,
    private readonly config: AppConfig,
  ) {}

  start(): void {
    this.requestLoad.start();
    this.queue.process(SLOT_LIMITS.all, (job) => this.handle(job));
  }

  /** Whether requests to this process currently have priority over deliveries. */
  get isYielding(): boolean {
    return this.yielding;
  }

  /**
   * Sets the function that loads more jobs of a webhook from the database. It is called with a job of the webhook when few jobs are left in
   * memory.
   */
  onLowBacklog(load: (of: DeliveryJob) => void): void {
    this.loadMore = load;
  }

  /** Processes jobs without the queue. */
  process(jobs: readonly (DeliveryJob | ClaimedDelivery)[]): void {
    for (const job of jobs) void this.handle(job);
  }

  /** Records that more jobs of the same webhook wait in the database. */
  markMoreWaiting(of: DeliveryJob): void {
    this.slots.markOverflow(of.webhookId, of);
  }

  /** Returns a lease with slots for deliveries that will be inserted, so that these deliveries need no claim and no queue. */
  reserveImmediateLeases(): ImmediateLeases {
    const reserved = new Map<string, number>();
    let count = 0;
    return {
      lease: this.ledger.newLease(),
      reserve: (webhookId) => {
        const own = reserved.get(webhookId) ?? 0;
        if (this.stopping || this.slots.freeSlotsOf(webhookId, count) <= own) return false;
        reserved.set(webhookId, own + 1);
        count++;
        return true;
      },
    };
  }

  /** Accepts no more work, waits for attempts in progress, and after `limitMs` aborts them and releases their deliveries. */
  async stop(limitMs: number): Promise<void> {
    this.stopping = true;
    this.requestLoad.stop();
    this.process(this.slots.clear().filter(isClaimed));
    await this.queue.pause();
    const timer = setTimeout(() => this.abort.abort(), limitMs);
    while (this.active.size > 0) await Promise.all(this.active);
    clearTimeout(timer);
  }

  /** Returns whether enough jobs of a webhook wait in this process, so that more jobs are useless. */
  isSaturated(webhookId: string): boolean {
    return this.slots.isSaturated(webhookId);
  }

  private setYielding(yielding: boolean, servedCount: number): void {
    if (!yielding && !this.yielding) return;
    this.yielding = yielding;
    const allowance = yielding ? Math.max(DELIVERIES_MIN, Math.round(servedCount * DELIVERIES_PER_REQUEST)) : Infinity;
    for (const job of this.slots.setAllowance(allowance)) void this.track(this.runFrom(job));
  }

  private async handle(job: DeliveryJob | ClaimedDelivery): Promise<void> {
    if (this.stopping) return isClaimed(job) ? this.track(this.release(job)) : undefined;
    if (this.slots.tryAcquire(job.webhookId, jobIdOf(job), job)) await this.track(this.runFrom(job));
  }

  private track(run: Promise<void>): Promise<void> {
    const tracked: Promise<void> = run
      .catch((error: unknown) => this.logFailure(error))
      .finally(() => this.active.delete(tracked));
    this.active.add(tracked);
    return tracked;
  }

  /** Runs a job and then queued jobs of the same webhook in its slot. */
  private async runFrom(first: DeliveryJob): Promise<void> {
    for (let job: DeliveryJob | undefined = first; job;) {
      await this.deliver(job).catch((error: unknown) => this.logFailure(error));
      const [next, ...others]: DeliveryJob[] = this.slots.release(job.webhookId);
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

  private async deliver(job: DeliveryJob | ClaimedDelivery): Promise<void> {
    if (isClaimed(job) && isStale(job)) return this.release(job);
    const delivery = await this.ledger.claim(job);
    if (!delivery) return;
    const { target } = delivery;
    if (target instanceof SecretsUnreadable) return this.conclude(delivery, unreadable(target), false);
    const unsent = this.stopping ? 'released' : reasonNotToSend(target);
    if (unsent || !target || target.payload === null) return this.recordUnsent(delivery, unsent ?? 'skipped');
    if (target.rateLimit !== null && !(await this.hasTurn(delivery, target.rateLimit))) return;
    return this.attempt(delivery, target, target.payload);
  }

  /** Returns whether the rate limit of the webhook allows the delivery now. If not, enqueues the delivery for its slot. */
  private async hasTurn(delivery: ReadyDelivery, limitPerSecond: number): Promise<boolean> {
    const { turn, inMs } = await this.ledger.requestTurn(delivery, limitPerSecond);
    if (typeof turn === 'number') this.enqueueNext(delivery, { slot: turn, delayMs: inMs });
    return turn === 'now';
  }

  private async attempt(delivery: ReadyDelivery, target: DeliveryTarget, body: string): Promise<void> {
    if (delivery.dueInMs > 0) await delay(delivery.dueInMs);
    // The deletion of a webhook waits only this long for attempts to start. This process may have been paused for longer.
    if (performance.now() - delivery.readAt > ATTEMPT_BEGINS_WITHIN_MS) return this.recordUnsent(delivery, 'released');
    const endSpan = this.telemetry.startSpan(delivery, target.traceparent);
    const attempt = await this.sender.send({
      target,
      body,
      messageId: delivery.eventId,
      ...(delivery.sequence === null ? {} : { sequence: delivery.sequence }),
      nowMs: delivery.claimedAtMs + performance.now() - delivery.claimedAt,
      signal: this.abort.signal,
    });
    endSpan?.(attempt);
    if (this.abort.signal.aborted && attempt.errorKind === 'aborted') return this.recordUnsent(delivery, 'released');
    this.slots.recordAttempt(delivery.webhookId, attempt.succeeded, attempt.durationMs);
    const concluded = this.track(this.conclude(delivery, attempt, target.probe));
    // The slot is free for the next job while the result is written.
    if (this.ledger.isBehind) await concluded;
  }

  /** Records an attempt. Enqueues the next attempt if this attempt failed. A failed probe waits again and restarts the schedule. */
  private async conclude(delivery: ReadyDelivery, attempt: AttemptResult, probe: boolean): Promise<void> {
    if (probe && !attempt.succeeded) {
      const recorded = await this.ledger.record({ delivery, status: 'pending', attempt, newRound: true });
      return this.telemetry.record(delivery, attempt, 'pending', recorded !== null);
    }
    const retryAfterMs = attempt.succeeded
      ? undefined
      : delayAfterAttemptMs(delivery.attempt - delivery.attemptsBefore, this.config.webhookRetryScheduleMs);
    const status = attempt.succeeded ? 'succeeded' : retryAfterMs === undefined ? 'failed' : 'pending';
    const result: DeliveryResult = { delivery, status, attempt, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    const recorded = await this.ledger.record(result);
    this.telemetry.record(delivery, attempt, status, recorded !== null);
    if (recorded?.dueInMs != null)
      this.enqueueNext(delivery, { attempt: delivery.attempt + 1, delayMs: Math.max(0, recorded.dueInMs) });
    const { tenantId, webhookId } = delivery;
    if (attempt.errorKind === 'blocked') await this.alerts.reportInternalTarget(tenantId, webhookId);
    if (probe) await this.alerts.enable(tenantId, webhookId);
    if (status === 'failed' && attempt.responseCode === GONE) await this.alerts.disable(tenantId, webhookId, 'gone');
  }

  private enqueueNext(delivery: ReadyDelivery, how: Partial<DeliveryJob>): void {
    const { tenantId, eventId, deliveryId, webhookId, generation, attempt } = delivery;
    // Not awaited: if the queue fails, the sweeper finds the delivery in PostgreSQL.
    void this.queue.add([{ tenantId, eventId, deliveryId, webhookId, generation, attempt, ...how }]);
  }

  private release(delivery: ClaimedDelivery): Promise<void> {
    return this.recordUnsent(delivery, 'released');
  }

  /** Records a claimed delivery that was not sent. */
  private async recordUnsent(delivery: ClaimedDelivery, how: 'skipped' | 'held' | 'released'): Promise<void> {
    if (how === 'skipped') await this.ledger.record({ delivery, status: 'skipped' });
    else await this.ledger.record({ delivery, status: 'pending', ...(how === 'released' ? { retryAfterMs: 0 } : {}) });
  }
}

/**
 * Returns why a delivery is not sent now, or undefined if it is sent. Webhooks of a deleted organization still receive the events up to its
 * deletion.
 */
function reasonNotToSend(target: DeliveryTarget | null): 'skipped' | 'held' | undefined {
  if (!target || target.webhookDeleted) return 'skipped';
  if (target.enabled || target.probe) return undefined;
  return target.disabledBy === 'hand' ? 'skipped' : 'held';
}

function unreadable({ cause }: SecretsUnreadable): AttemptResult {
  const errorMessage = cause instanceof Error ? cause.message : "The webhook's secret can't be decrypted.";
  return {
    id: newId('attempt'),
    succeeded: false,
    durationMs: 0,
    endedAt: performance.now(),
    errorKind: 'secret_unreadable',
    errorMessage,
  };
}
