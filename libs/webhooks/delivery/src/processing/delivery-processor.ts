import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { newId } from '#platform/common';
import { AppConfig } from '#platform/config';
import { ATTEMPT_BEGINS_WITHIN_MS } from '#webhooks/webhooks';
import { WebhookAlerts } from '../alerts/webhook-alerts.js';
import { DeliveryMetrics } from '../delivery-metrics.js';
import { DeliveryTraces } from '../delivery-traces.js';
import { type DeliveryJob, DeliveryQueue, jobIdOf } from '../queue/index.js';
import type { AttemptResult, ClaimedDelivery, DeliveryResult } from './delivery-state.query.js';
import { DeliveryLedger, isClaimed, isStale, type Lease, type ReadyDelivery } from './delivery-ledger.js';
import { DeliverySender } from './delivery-sender.js';
import { type DeliveryTarget, SecretsUnreadable } from './delivery-targets.query.js';
import { RequestLoad } from './request-load.js';
import { delayAfterAttemptMs } from './retry-schedule.js';
import { PLACES, WebhookSlots } from './webhook-slots.js';

const GONE = 410;

/**
 * While requests to this process come first: deliveries to webhooks that answer well that are begun for each request served, which goes by
 * what the machine can do, and the least in each fifth of a second, should requests wait for something else than the processor.
 */
const DELIVERIES_PER_REQUEST = 0.8;
const DELIVERIES_LEAST = 20;

/** Deliveries that this process can begin at once, to be written with its lease. */
export interface Handful {
  readonly lease: Lease;
  /** Whether one more of a webhook's has room; counted if so. */
  takes(webhookId: string): boolean;
}

/** Makes attempts: claims a delivery, sends it, records what came of it, and has it tried again on the schedule. */
@Injectable()
export class DeliveryProcessor {
  private readonly logger = new Logger(DeliveryProcessor.name);
  private readonly slots = new WebhookSlots<DeliveryJob | ClaimedDelivery>((turnedAway) => this.bringMore(turnedAway));
  private readonly underWay = new Set<Promise<void>>();
  private readonly abort = new AbortController();
  private stopping = false;
  private lastFailure: unknown;
  private readonly requestLoad = new RequestLoad((busy, servedCount) => this.share(busy, servedCount));
  private yielding = false;
  private bringMore: (of: DeliveryJob) => void = () => undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly ledger: DeliveryLedger,
    private readonly sender: DeliverySender,
    private readonly alerts: WebhookAlerts,
    private readonly metrics: DeliveryMetrics,
    private readonly traces: DeliveryTraces,
    private readonly config: AppConfig,
  ) {}

  start(): void {
    this.requestLoad.start();
    this.queue.process(PLACES.all, (job) => this.handle(job));
  }

  /** Whether requests to this process come first at the moment: callers are waiting for them. */
  get isYielding(): boolean {
    return this.yielding;
  }

  /** Calls `bring` when few jobs of a webhook are left here though more of it wait in the database; with one of its jobs. */
  onFewLeft(bring: (of: DeliveryJob) => void): void {
    this.bringMore = bring;
  }

  /** Takes jobs past the queue. */
  take(jobs: readonly (DeliveryJob | ClaimedDelivery)[]): void {
    for (const job of jobs) void this.handle(job);
  }

  /** Says that more of a job's webhook wait in the database than were brought. */
  noteMore(of: DeliveryJob): void {
    this.slots.turnAway(of.webhookId, of);
  }

  /** For deliveries about to be written: what has room here need not be claimed, nor go through the queue. */
  openHandful(): Handful {
    const taken = new Map<string, number>();
    let count = 0;
    return {
      lease: this.ledger.newLease(),
      takes: (webhookId) => {
        const own = taken.get(webhookId) ?? 0;
        if (this.stopping || this.slots.roomFor(webhookId, count) <= own) return false;
        taken.set(webhookId, own + 1);
        count++;
        return true;
      },
    };
  }

  /** Takes no more work, waits for attempts under way, and after `limitMs` cuts them and gives their deliveries back. */
  async stop(limitMs: number): Promise<void> {
    this.stopping = true;
    this.requestLoad.stop();
    this.take(this.slots.clear().filter(isClaimed));
    await this.queue.pause();
    const timer = setTimeout(() => this.abort.abort(), limitMs);
    while (this.underWay.size > 0) await Promise.all(this.underWay);
    clearTimeout(timer);
  }

  /** Whether this process has so much work for a webhook that more would only wait. */
  isCrowded(webhookId: string): boolean {
    return this.slots.isCrowded(webhookId);
  }

  private share(yielding: boolean, servedCount: number): void {
    if (!yielding && !this.yielding) return;
    this.yielding = yielding;
    const allowance = yielding ? Math.max(DELIVERIES_LEAST, Math.round(servedCount * DELIVERIES_PER_REQUEST)) : Infinity;
    for (const job of this.slots.allow(allowance)) void this.track(this.runFrom(job));
  }

  private async handle(job: DeliveryJob | ClaimedDelivery): Promise<void> {
    if (this.stopping) return isClaimed(job) ? this.track(this.release(job)) : undefined;
    if (this.slots.enter(job.webhookId, jobIdOf(job), job)) await this.track(this.runFrom(job));
  }

  private track(run: Promise<void>): Promise<void> {
    const tracked: Promise<void> = run
      .catch((error: unknown) => this.noteFailure(error))
      .finally(() => this.underWay.delete(tracked));
    this.underWay.add(tracked);
    return tracked;
  }

  /** Goes on with parked jobs of the same webhook, in the place of the first. */
  private async runFrom(first: DeliveryJob): Promise<void> {
    for (let job: DeliveryJob | undefined = first; job;) {
      await this.deliver(job).catch((error: unknown) => this.noteFailure(error));
      const [next, ...others]: DeliveryJob[] = this.slots.leave(job.webhookId);
      for (const other of others) void this.track(this.runFrom(other));
      job = next;
    }
  }

  /** One statement's failure fails many jobs; the sweeper brings them all again. */
  private noteFailure(error: unknown): void {
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
    const refusal = this.stopping ? 'released' : refusalOf(target);
    if (refusal || !target || target.payload === null) return this.putAside(delivery, refusal ?? 'skipped');
    if (target.rateLimit !== null && !(await this.hasTurn(delivery, target.rateLimit))) return;
    return this.attempt(delivery, target, target.payload);
  }

  /** Whether the webhook's rate limit lets it go now; if not, it comes again in its slot. */
  private async hasTurn(delivery: ReadyDelivery, limitPerSecond: number): Promise<boolean> {
    const { turn, inMs } = await this.ledger.takeTurn(delivery, limitPerSecond);
    if (typeof turn === 'number') this.comeAgain(delivery, { slot: turn, delayMs: inMs });
    return turn === 'now';
  }

  private async attempt(delivery: ReadyDelivery, target: DeliveryTarget, body: string): Promise<void> {
    if (delivery.dueInMs > 0) await delay(delivery.dueInMs);
    // Whoever deleted the webhook meanwhile, as in a process that was paused, relies on nothing being begun any more.
    if (performance.now() - delivery.readAt > ATTEMPT_BEGINS_WITHIN_MS) return this.putAside(delivery, 'released');
    const endSpan = this.traces.beginAttempt(delivery, target.traceparent);
    const attempt = await this.sender.send({
      target,
      body,
      messageId: delivery.eventId,
      ...(delivery.sequence === null ? {} : { sequence: delivery.sequence }),
      nowMs: delivery.claimedAtMs + performance.now() - delivery.claimedAt,
      signal: this.abort.signal,
    });
    endSpan?.(attempt);
    if (this.abort.signal.aborted && attempt.errorKind === 'aborted') return this.putAside(delivery, 'released');
    this.slots.note(delivery.webhookId, attempt.succeeded, attempt.durationMs);
    const concluded = this.track(this.conclude(delivery, attempt, target.probe));
    // The place is free for the next while the result is being written.
    if (this.ledger.isBehind) await concluded;
  }

  /** Records an attempt and, when it failed, sees to the next. A failed probe waits again, with the whole schedule ahead. */
  private async conclude(delivery: ReadyDelivery, attempt: AttemptResult, probe: boolean): Promise<void> {
    if (probe && !attempt.succeeded) {
      const recorded = await this.ledger.record({ delivery, status: 'pending', attempt, newRound: true });
      return this.log(delivery, attempt, 'pending', recorded !== null);
    }
    const retryAfterMs = attempt.succeeded
      ? undefined
      : delayAfterAttemptMs(delivery.attempt - delivery.attemptsBefore, this.config.webhookRetryScheduleMs);
    const status = attempt.succeeded ? 'succeeded' : retryAfterMs === undefined ? 'failed' : 'pending';
    const result: DeliveryResult = { delivery, status, attempt, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    const recorded = await this.ledger.record(result);
    this.log(delivery, attempt, status, recorded !== null);
    if (recorded?.dueInMs != null)
      this.comeAgain(delivery, { attempt: delivery.attempt + 1, delayMs: Math.max(0, recorded.dueInMs) });
    const { tenantId, webhookId } = delivery;
    if (attempt.errorKind === 'blocked') await this.alerts.reportInternalTarget(tenantId, webhookId);
    if (probe) await this.alerts.enableAgain(tenantId, webhookId);
    if (status === 'failed' && attempt.responseCode === GONE) await this.alerts.disable(tenantId, webhookId, 'gone');
  }

  private comeAgain(delivery: ReadyDelivery, how: Partial<DeliveryJob>): void {
    const { tenantId, eventId, deliveryId, webhookId, generation, attempt } = delivery;
    // Not awaited: PostgreSQL knows when it is due, should the queue not take it.
    void this.queue.add([{ tenantId, eventId, deliveryId, webhookId, generation, attempt, ...how }]);
  }

  private release(delivery: ClaimedDelivery): Promise<void> {
    return this.putAside(delivery, 'released');
  }

  /** Ends, keeps or gives back a delivery of which nothing was sent. */
  private async putAside(delivery: ClaimedDelivery, how: 'skipped' | 'held' | 'released'): Promise<void> {
    if (how === 'skipped') await this.ledger.record({ delivery, status: 'skipped' });
    else await this.ledger.record({ delivery, status: 'pending', ...(how === 'released' ? { retryAfterMs: 0 } : {}) });
  }

  private log(delivery: ReadyDelivery, attempt: AttemptResult, status: DeliveryResult['status'], recorded: boolean): void {
    const outcome = status === 'pending' ? 'retrying' : status;
    this.metrics.attemptSeconds.observe({ outcome }, attempt.durationMs / 1_000);
    const { deliveryId, eventId, webhookId, tenantId, attempt: number } = delivery;
    const { responseCode, errorKind, durationMs } = attempt;
    const fields = { deliveryId, eventId, webhookId, tenantId, attempt: number, outcome, responseCode, errorKind, durationMs };
    this.logger.log(recorded ? fields : { ...fields, leaseLost: true }, 'Delivery attempt');
  }
}

/** Why a delivery is not sent as things stand now. A deleted organization's webhooks still get all that happened up to its deletion. */
function refusalOf(target: DeliveryTarget | null): 'skipped' | 'held' | undefined {
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
