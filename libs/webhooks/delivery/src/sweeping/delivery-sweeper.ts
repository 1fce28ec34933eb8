import { Injectable } from '@nestjs/common';
import { BackgroundLoop, systemContext } from '#platform/common';
import { LRUCache } from 'lru-cache';
import { DeliveryProcessor } from '../processing/delivery-processor.js';
import { type DeliveryJob, DeliveryQueue, jobIdOf } from '../queue/index.js';
import { type DueCursor, DueDeliveriesQuery } from './due-deliveries.query.js';
import { HeldDeliveriesQuery, HOLDING_PER_WALK, type HoldingWebhook } from './held-deliveries.query.js';

const INTERVAL_MS = 1_000;
/** Looks ahead, so that retries are on time even when the queue has lost them. */
const LOOK_AHEAD_MS = 10_000;
const DUE_PER_ROUND = 2_000;

/** With so much waiting in the queue already, nothing is added. */
const QUEUE_FULL_AT = 1_000;

/** So many of one webhook are brought when a worker has few of them left. */
const MORE_AT_ONCE = 5_000;

/** How long what was put into the queue is not put there again. */
const REMEMBERED_MS = 3_000;
const REMEMBERED_MAX = 100_000;

const HELD_INTERVAL_MS = 2_000;
/** What waited for a webhook drains at this many a round. */
const HELD_PER_ROUND = 200;
/** With a rate limit, a little more than goes meanwhile, so that slots don't run out; what finds none waits again. */
const HELD_SECONDS_PER_ROUND = 2.5;
/** A little less than the interval, since rounds are not exact. */
const RELEASE_INTERVAL_MS = 1_900;

const PROBE_LOOK_INTERVAL_MS = 15_000;
/** How often a webhook that failures switched off is tried with one of its deliveries. */
const PROBE_INTERVAL_MS = 600_000;

/**
 * Brings deliveries to the queue that are due but not there: after a flushed or lost Redis, a killed worker (its leases end), a restart
 * of the in-process queue. Each round goes on where the last ended, so that no backlog hides what comes after it.
 */
@Injectable()
export class DeliverySweeper {
  private readonly ctx = systemContext('delivery-sweeper');
  private readonly loop = new BackgroundLoop('Delivery sweeper', INTERVAL_MS, () => this.sweep());
  private readonly remembered = new LRUCache<string, true>({ max: REMEMBERED_MAX, ttl: REMEMBERED_MS });
  private cursor?: DueCursor;
  private nextHeldRoundAt = 0;
  private holdingCursor?: HoldingWebhook;
  private nextProbeLookAt = 0;

  constructor(
    private readonly due: DueDeliveriesQuery,
    private readonly held: HeldDeliveriesQuery,
    private readonly queue: DeliveryQueue,
    private readonly processor: DeliveryProcessor,
  ) {}

  start(): void {
    this.processor.onFewLeft((of) => void this.bringMore(of));
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
  }

  /** One round; true when it brought all that one can and there is more. */
  private async sweep(): Promise<boolean> {
    await this.releaseHeld();
    await this.probe();
    if ((await this.queue.waitingCount()) >= QUEUE_FULL_AT) return false;
    const found = await this.due.findDue(this.ctx, this.cursor, LOOK_AHEAD_MS, DUE_PER_ROUND);
    const more = found.length === DUE_PER_ROUND;
    this.cursor = more ? found.at(-1)!.cursor : undefined;

    const jobs = found
      .filter((job) => !this.remembered.has(jobIdOf(job)) && !this.processor.isCrowded(job.webhookId))
      .map(withoutCursor);
    const taken = jobs.length > 0 ? await this.queue.add(jobs) : 0;
    for (const job of jobs.slice(0, taken)) this.remembered.set(jobIdOf(job), true);
    return more && taken > 0 && taken === jobs.length;
  }

  /** A long backlog of one webhook goes to the worker that has room for it, as fast as that sends. A failure is left to the rounds. */
  private async bringMore(of: DeliveryJob): Promise<void> {
    const jobs = await this.due.findDueOf(this.ctx, of.tenantId, of.webhookId, MORE_AT_ONCE).catch(() => []);
    this.processor.take(jobs);
    if (jobs.length === MORE_AT_ONCE) this.processor.noteMore(of);
  }

  private async releaseHeld(): Promise<void> {
    if (performance.now() < this.nextHeldRoundAt) return;
    this.nextHeldRoundAt = performance.now() + HELD_INTERVAL_MS;
    const holding = await this.held.walkHolding(this.ctx, this.holdingCursor);
    this.holdingCursor = holding.length === HOLDING_PER_WALK ? holding.at(-1) : undefined;
    for (const webhook of holding) {
      const { releasable, rateLimit } = webhook;
      const limit = rateLimit === null ? HELD_PER_ROUND : Math.ceil(rateLimit * HELD_SECONDS_PER_ROUND);
      if (releasable) await this.held.release(this.ctx, webhook, limit, RELEASE_INTERVAL_MS);
    }
  }

  private async probe(): Promise<void> {
    if (performance.now() < this.nextProbeLookAt) return;
    this.nextProbeLookAt = performance.now() + PROBE_LOOK_INTERVAL_MS;
    await this.held.probe(this.ctx, PROBE_INTERVAL_MS);
  }
}

const withoutCursor = ({ cursor: _, ...job }: DeliveryJob & { cursor: DueCursor }): DeliveryJob => job;
