import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { newId } from '#common';
import { AppConfig } from '#config';
import { ATTEMPT_BEGINS_WITHIN_MS } from '#webhooks';
import { WebhookAlerts } from '../alerts/webhook-alerts.js';
import { DeliveryMetrics } from '../delivery-metrics.js';
import { type DeliveryJob, DeliveryQueue, jobIdOf } from '../queue/index.js';
import type { AttemptResult, DeliveryResult } from './deliveries.repository.js';
import { DeliveryLedger, type ReadyDelivery } from './delivery-ledger.js';
import { DeliverySender } from './delivery-sender.js';
import { type DeliveryTarget, SecretsUnreadable } from './delivery-targets.read.js';
import { delayAfterAttemptMs } from './retry-schedule.js';
import { WebhookSlots } from './webhook-slots.js';

/** Attempts under way at once in this process. They mostly wait for the network. */
const CONCURRENCY = 256;
const GONE = 410;

/** Makes attempts: claims a delivery, sends it, records what came of it, and has it tried again on the schedule. */
@Injectable()
export class DeliveryProcessor {
  private readonly logger = new Logger(DeliveryProcessor.name);
  private readonly slots = new WebhookSlots<DeliveryJob>();
  private readonly underWay = new Set<Promise<void>>();
  private readonly abort = new AbortController();
  private stopping = false;
  private lastFailure: unknown;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly ledger: DeliveryLedger,
    private readonly sender: DeliverySender,
    private readonly alerts: WebhookAlerts,
    private readonly metrics: DeliveryMetrics,
    private readonly config: AppConfig,
  ) {
    // Every attempt under way listens.
    setMaxListeners(0, this.abort.signal);
  }

  start(): void {
    this.queue.process(CONCURRENCY, (job) => this.handle(job));
  }

  /** Takes no more work, waits for attempts under way, and after `limitMs` cuts them and gives their deliveries back. */
  async stop(limitMs: number): Promise<void> {
    this.stopping = true;
    this.slots.clear();
    await this.queue.pause();
    const timer = setTimeout(() => this.abort.abort(), limitMs);
    while (this.underWay.size > 0) await Promise.all(this.underWay);
    clearTimeout(timer);
  }

  /** Whether this process has so much work for a webhook that more would only wait. */
  isCrowded(webhookId: string): boolean {
    return this.slots.isCrowded(webhookId);
  }

  private async handle(job: DeliveryJob): Promise<void> {
    if (this.stopping || !this.slots.enter(job.webhookId, jobIdOf(job), job)) return;
    await this.track(this.runFrom(job));
  }

  private track(run: Promise<void>): Promise<void> {
    this.underWay.add(run);
    return run.finally(() => this.underWay.delete(run));
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
    this.logger.error({ err: error }, 'Deliveries could not be claimed or recorded; they will be tried again.');
  }

  private async deliver(job: DeliveryJob): Promise<void> {
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
    const claimedAt = performance.now();
    if (delivery.dueInMs > 0) await delay(delivery.dueInMs);
    // Whoever deleted the webhook meanwhile, as in a process that was paused, relies on nothing being begun any more.
    if (performance.now() - delivery.readAt > ATTEMPT_BEGINS_WITHIN_MS) return this.putAside(delivery, 'released');
    const attempt = await this.sender.send({
      target,
      body,
      messageId: delivery.eventId,
      ...(delivery.sequence === null ? {} : { sequence: delivery.sequence }),
      nowMs: delivery.claimedAtMs + performance.now() - claimedAt,
      signal: this.abort.signal,
    });
    if (this.abort.signal.aborted && attempt.errorKind === 'aborted') return this.putAside(delivery, 'released');
    this.slots.note(delivery.webhookId, attempt.succeeded, attempt.durationMs);
    return this.conclude(delivery, attempt, target.probe);
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

  /** Ends, keeps or gives back a delivery of which nothing was sent. */
  private async putAside(delivery: ReadyDelivery, how: 'skipped' | 'held' | 'released'): Promise<void> {
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
  const errorMessage = cause instanceof Error ? cause.message : "The webhook's secret can't be opened.";
  return {
    id: newId('attempt'),
    succeeded: false,
    durationMs: 0,
    endedAt: performance.now(),
    errorKind: 'secret_unreadable',
    errorMessage,
  };
}
