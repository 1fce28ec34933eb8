import { Injectable } from '@nestjs/common';
import { BackgroundLoop, systemContext } from '#platform/common';
import { LRUCache } from 'lru-cache';
import { ReceiverKinds, type ReceiverTarget } from '../destinations/index.js';
import { DeliveryOrderQuery } from '../ledger/delivery-order.query.js';
import { DeliveryAttemptService } from '../processing/delivery-attempt.service.js';
import { type DeliveryJob, DeliveryQueue, jobIdOf } from '../queue/index.js';
import { type DueCursor, DueDeliveriesQuery } from './due-deliveries.query.js';
import { HeldDeliveriesQuery, type WaitingWebhook } from './held-deliveries.query.js';

const INTERVAL_MS = 1_000;
/** Deliveries that are due within this time, in milliseconds, are enqueued, so that retries are on time even if the queue lost them. */
const LOOK_AHEAD_MS = 10_000;
const DUE_PER_ROUND = 2_000;

/** Number of waiting jobs from which on no jobs are added. */
const QUEUE_FULL_AT = 1_000;

/** Number of jobs of one webhook that are loaded when a worker has few left. */
const LOAD_MAX = 5_000;

/** Time in which a job is not enqueued again, in milliseconds. */
const REMEMBERED_MS = 3_000;
const REMEMBERED_MAX = 100_000;

const HELD_INTERVAL_MS = 2_000;
/** Number of webhooks with waiting deliveries after which a round ends. The next round continues with the next webhook. */
const HELD_WEBHOOKS_PER_ROUND = 500;
/** Maximum number of waiting deliveries of a webhook that are released in one round. */
const HELD_PER_ROUND = 200;
/**
 * With a rate limit, the deliveries of so many seconds are released in one round. This is slightly more than the time between rounds, so
 * that no time stays unused. Deliveries without a booked time wait again.
 */
const HELD_SECONDS_PER_ROUND = 2.5;
/** Minimum time between two releases of a webhook: slightly less than HELD_INTERVAL_MS, because rounds are not exact. */
const RELEASE_INTERVAL_MS = 1_900;

const PROBE_CHECK_INTERVAL_MS = 15_000;
/** Time between two probes of a webhook that failures disabled, in milliseconds. */
const PROBE_INTERVAL_MS = 600_000;

/**
 * Enqueues due deliveries that are not in the queue: after a flush or loss of Redis, a killed worker (when its leases expire), or a restart
 * of the in-process queue. Each round continues where the previous round ended, so that a backlog can't hide other deliveries.
 */
@Injectable()
export class DeliverySweeper {
  private readonly ctx = systemContext('delivery-sweeper');
  private readonly loop = new BackgroundLoop('Delivery sweeper', INTERVAL_MS, () => this.sweep());
  // `max` would allocate all entries at the start.
  private readonly remembered = new LRUCache<string, true>({
    maxSize: REMEMBERED_MAX,
    sizeCalculation: () => 1,
    ttl: REMEMBERED_MS,
  });
  private cursor?: DueCursor;
  private nextHeldRoundAt = 0;
  private waitingCursor?: WaitingWebhook;
  private nextProbeCheckAt = 0;

  constructor(
    private readonly due: DueDeliveriesQuery,
    private readonly held: HeldDeliveriesQuery,
    private readonly queue: DeliveryQueue,
    private readonly attempts: DeliveryAttemptService,
    private readonly receivers: ReceiverKinds,
    private readonly order: DeliveryOrderQuery,
  ) {}

  start(): void {
    this.attempts.onLowBacklog((of) => void this.loadMore(of));
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
  }

  /** Runs one round. Returns true if deliveries may be left. */
  private async sweep(): Promise<boolean> {
    await this.releaseHeld();
    await this.probe();
    if ((await this.queue.waitingCount()) >= QUEUE_FULL_AT) return false;
    const found = await this.due.findDue(this.ctx, this.cursor, LOOK_AHEAD_MS, DUE_PER_ROUND);
    const more = found.length === DUE_PER_ROUND;
    this.cursor = more ? found.at(-1)?.cursor : undefined;

    const jobs = found
      .filter((job) => !this.remembered.has(jobIdOf(job)) && !this.attempts.isSaturated(job.webhookId))
      .map(withoutCursor);
    const added = jobs.length > 0 ? await this.queue.add(jobs) : 0;
    for (const job of jobs.slice(0, added)) this.remembered.set(jobIdOf(job), true);
    return more && added > 0 && added === jobs.length;
  }

  /**
   * Loads the backlog of a webhook into this worker, which has free slots for it, without the queue. After an error, the next rounds find
   * the deliveries.
   */
  private async loadMore(of: DeliveryJob): Promise<void> {
    const jobs = await this.due.findDueOf(this.ctx, of.tenantId, of.webhookId, LOAD_MAX).catch(() => []);
    this.attempts.process(jobs);
    if (jobs.length === LOAD_MAX) this.attempts.markMoreWaiting(of);
  }

  private async releaseHeld(): Promise<void> {
    if (performance.now() < this.nextHeldRoundAt) return;
    this.nextHeldRoundAt = performance.now() + HELD_INTERVAL_MS;
    for (let count = 0; count < HELD_WEBHOOKS_PER_ROUND;) {
      const { webhooks, isComplete } = await this.held.listWaiting(this.ctx, this.waitingCursor);
      this.waitingCursor = isComplete ? undefined : webhooks.at(-1);
      const others = webhooks.filter(({ webhookId }) => this.receivers.includes(webhookId));
      const targets = await this.receivers.findTargets(
        this.ctx,
        others.map(({ tenantId, webhookId: id }) => ({ tenantId, id })),
      );
      for (const webhook of webhooks) await this.release(webhook, targets.get(webhook.webhookId)?.releases);
      if (isComplete) return;
      count += webhooks.length;
    }
  }

  private async release(webhook: WaitingWebhook, releases: ReceiverTarget['releases'] = 'all'): Promise<void> {
    const { releasable, rateLimit, tenantId, webhookId } = webhook;
    if (releases === 'none') return;
    if (releases === 'oldest') {
      const job = await this.order.releaseFirst(this.ctx, tenantId, webhookId);
      if (job) await this.queue.add([job]);
      return;
    }
    const limit = rateLimit === null ? HELD_PER_ROUND : Math.ceil(rateLimit * HELD_SECONDS_PER_ROUND);
    if (releasable) await this.held.release(this.ctx, webhook, limit, RELEASE_INTERVAL_MS);
  }

  private async probe(): Promise<void> {
    if (performance.now() < this.nextProbeCheckAt) return;
    this.nextProbeCheckAt = performance.now() + PROBE_CHECK_INTERVAL_MS;
    await this.held.probe(this.ctx, PROBE_INTERVAL_MS);
  }
}

const withoutCursor = ({ cursor: _, ...job }: DeliveryJob & { cursor: DueCursor }): DeliveryJob => job;
