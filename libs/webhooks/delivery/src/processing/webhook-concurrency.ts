import { LRUCache } from 'lru-cache';

/** The limit of a webhook: at first, and at most. Minimum: 1. */
const FIRST_LIMIT = 2;
const LIMIT_MAX = 128;
/** Maximum limit after an attempt that took longer than LONG_MS, because many long attempts of one webhook would use too many slots. */
const LONG_LIMIT_MAX = 32;
const LONG_MS = 100;
/** Duration from which on a successful attempt counts like a failed attempt, in milliseconds. */
const SLOW_MS = 5_000;

/**
 * Maximum numbers of slots, by level: webhooks with a limit of 1 (failing or slow), these and webhooks with the first limit (unknown), and
 * all webhooks. Attempts mostly wait for the network.
 */
const SLOTS_MAX = [64, 160, 416] as const;
const LEVELS = [2, 1, 0] as const;
type Level = (typeof LEVELS)[number];

/**
 * Maximum numbers of jobs that wait in memory for a slot, per webhook and in total. More jobs are loaded when fewer than REFILL_BELOW are
 * left.
 */
const QUEUED_MAX = 5_000;
const QUEUED_TOTAL_MAX = 100_000;
const REFILL_BELOW = 2_500;

/** Number of webhooks without work whose limit is remembered. */
const REMEMBERED_MAX = 20_000;

interface Webhook<Job> {
  limit: number;
  active: number;
  /** Waiting jobs by ID, because the sweeper can add a job that already waits here. */
  queued: Map<string, Job>;
  /** A job that was not queued. If it is set, more jobs of this webhook wait in the database. */
  overflow?: Job;
}

/**
 * Limits the concurrent attempts of each webhook and of this process. The limit of a webhook adapts (AIMD): it increases by one with each
 * successful attempt, and is halved by each failed or slow attempt. Failing and unknown webhooks together have only a part of all slots, so
 * that they can't delay other webhooks. Jobs without a slot are queued, and webhooks take turns.
 */
export class WebhookConcurrency<Job> {
  private readonly webhooks = new Map<string, Webhook<Job>>();
  // `max` would allocate all entries at the start.
  private readonly remembered = new LRUCache<string, number>({ maxSize: REMEMBERED_MAX, sizeCalculation: () => 1 });
  private readonly active: [number, number, number] = [0, 0, 0];
  /** Webhooks with queued jobs that wait only for a slot of their level, in the order of their turns. */
  private readonly waiting: Record<Level, Set<string>> = { 0: new Set(), 1: new Set(), 2: new Set() };
  private queuedCount = 0;

  /** `onLowQueue` is called with a job of a webhook when few of its jobs are queued here and more wait in the database. */
  constructor(
    private readonly onLowQueue: (overflow: Job) => void = () => undefined,
    private readonly slotsMax: readonly [number, number, number] = SLOTS_MAX,
  ) {}

  /** Returns whether a job of a webhook could start immediately after `own` more jobs of the webhook and `all` more jobs in total. */
  hasFreeSlot(webhookId: string, own: number, all: number): boolean {
    const webhook = this.webhooks.get(webhookId);
    const limit = webhook?.limit ?? this.remembered.get(webhookId) ?? FIRST_LIMIT;
    const busy = webhook ? webhook.active + webhook.queued.size : 0;
    return busy + own < limit && this.hasFreeSlotAt(levelOf(limit), all);
  }

  /**
   * Acquires a slot for a job. Returns false if no slot is free: the job is then queued or, if the queue is full, only waits in the
   * database.
   */
  tryAcquire(webhookId: string, jobId: string, job: Job): boolean {
    const webhook = this.of(webhookId);
    const level = levelOf(webhook.limit);
    const isBelowLimit = webhook.active < webhook.limit;
    if (isBelowLimit && this.hasFreeSlotAt(level)) {
      this.occupy(webhook);
      return true;
    }
    this.enqueue(webhook, jobId, job);
    if (isBelowLimit) this.waiting[level].add(webhookId);
    return false;
  }

  /** Records that more jobs of a webhook wait in the database. */
  markOverflow(webhookId: string, job: Job): void {
    const webhook = this.webhooks.get(webhookId);
    if (webhook) webhook.overflow = job;
  }

  /** Releases a slot. Returns the queued jobs of any webhooks that now have a slot. */
  release(webhookId: string): Job[] {
    const webhook = this.of(webhookId);
    const level = levelOf(webhook.limit);
    webhook.active--;
    this.active[level]--;
    if (webhook.queued.size > 0) this.waiting[level].add(webhookId);
    const next = LEVELS.flatMap((each) => this.admit(each));
    if (webhook.overflow && webhook.queued.size < REFILL_BELOW) this.requestMore(webhook, webhook.overflow);
    if (webhook.active === 0 && webhook.queued.size === 0) {
      this.webhooks.delete(webhookId);
      this.remembered.set(webhookId, webhook.limit);
    }
    return next;
  }

  /** Adapts the limit of a webhook to the result of an attempt that has a slot. */
  recordAttempt(webhookId: string, succeeded: boolean, durationMs: number): void {
    const webhook = this.of(webhookId);
    const before = levelOf(webhook.limit);
    webhook.limit = nextLimit(webhook.limit, succeeded && durationMs < SLOW_MS, durationMs);
    const after = levelOf(webhook.limit);
    if (after === before) return;
    this.active[before] -= webhook.active;
    this.active[after] += webhook.active;
    if (this.waiting[before].delete(webhookId)) this.waiting[after].add(webhookId);
  }

  /** Returns whether enough jobs of a webhook are queued, so that more jobs are useless. */
  isSaturated(webhookId: string): boolean {
    return (this.webhooks.get(webhookId)?.queued.size ?? 0) >= QUEUED_MAX / 2;
  }

  /** Removes and returns all queued jobs, at the end of the process. */
  clear(): Job[] {
    const queued = [...this.webhooks.values()].flatMap((webhook) => [...webhook.queued.values()]);
    for (const webhook of this.webhooks.values()) {
      webhook.queued.clear();
      delete webhook.overflow;
    }
    this.queuedCount = 0;
    for (const level of LEVELS) this.waiting[level].clear();
    return queued;
  }

  /** Starts one job of each waiting webhook in turn, while slots are free. */
  private admit(level: Level): Job[] {
    const admitted: Job[] = [];
    // A webhook that is added again during the loop has its next turn after all other webhooks.
    for (const webhookId of this.waiting[level]) {
      if (!this.hasFreeSlotAt(level)) break;
      this.waiting[level].delete(webhookId);
      const webhook = this.of(webhookId);
      const [first] = webhook.queued;
      if (!first || webhook.active >= webhook.limit) continue;
      const [jobId, job] = first;
      webhook.queued.delete(jobId);
      this.queuedCount--;
      this.occupy(webhook);
      admitted.push(job);
      if (webhook.queued.size > 0) this.waiting[level].add(webhookId);
    }
    return admitted;
  }

  private enqueue(webhook: Webhook<Job>, jobId: string, job: Job): void {
    if (webhook.queued.has(jobId)) return;
    if (webhook.queued.size >= QUEUED_MAX || this.queuedCount >= QUEUED_TOTAL_MAX) {
      webhook.overflow = job;
      return;
    }
    webhook.queued.set(jobId, job);
    this.queuedCount++;
  }

  private requestMore(webhook: Webhook<Job>, overflow: Job): void {
    delete webhook.overflow;
    this.onLowQueue(overflow);
  }

  /** Returns whether a webhook of the level can start a job after `others` more jobs: every level that includes the webhook has a free slot. */
  private hasFreeSlotAt(level: Level, others = 0): boolean {
    let active = others;
    return this.slotsMax.every((max, each) => {
      active += this.active[each] ?? 0;
      return each < level || active < max;
    });
  }

  private occupy(webhook: Webhook<Job>): void {
    webhook.active++;
    this.active[levelOf(webhook.limit)]++;
  }

  private of(webhookId: string): Webhook<Job> {
    const known = this.webhooks.get(webhookId);
    if (known) return known;
    const webhook = { limit: this.remembered.get(webhookId) ?? FIRST_LIMIT, active: 0, queued: new Map<string, Job>() };
    this.webhooks.set(webhookId, webhook);
    return webhook;
  }
}

function nextLimit(limit: number, isGood: boolean, durationMs: number): number {
  if (!isGood) return Math.max(1, Math.floor(limit / 2));
  return Math.min(limit + 1, durationMs > LONG_MS ? LONG_LIMIT_MAX : LIMIT_MAX);
}

const levelOf = (limit: number): Level => (limit > FIRST_LIMIT ? 2 : limit === FIRST_LIMIT ? 1 : 0);
