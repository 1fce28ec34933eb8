import { LRUCache } from 'lru-cache';

/**
 * Limits of the slots of one webhook: the initial limit, the maximum, and the limits for slow destinations. With quick responses, most
 * deliveries with a slot are being claimed, so that the next deliveries are ready when the HTTP client has a free socket. With more slots,
 * deliveries would only wait in the HTTP client while their time limit runs.
 */
const FIRST_CAP = 4;
const CAP_MAX = 128;
const SLOWER_CAP = 32;
const SLOWER_MS = 100;
const SLOW_CAP = 2;
const SLOW_MS = 5_000;

/** Duration from which on a failure is slow, in milliseconds. */
const SLOW_FAILURE_MS = 1_000;
/** Numbers of consecutive quick failures: after FAILING_AFTER a webhook counts as failing, after DEAD_AFTER its limit falls to one slot. */
const FAILING_AFTER = 3;
const DEAD_AFTER = 10;

/**
 * Maximum numbers of jobs that wait in memory for a slot, per webhook and in total. More jobs are loaded when fewer than REFILL_BELOW are
 * left.
 */
const QUEUED_MAX = 5_000;
const QUEUED_TOTAL_MAX = 100_000;
const REFILL_BELOW = 2_500;

/** Number of webhooks without work whose health is remembered. */
const REMEMBERED_MAX = 20_000;

/** The groups of webhooks that share slots, in the order in which they get free slots. */
const LANES = ['healthy', 'unknown', 'failing'] as const;
type Lane = (typeof LANES)[number];

/**
 * Maximum numbers of slots by lane. `unknown` includes the failing webhooks, so that both lanes together leave slots for healthy webhooks.
 */
export interface SlotLimits {
  readonly all: number;
  readonly healthy: number;
  readonly unknown: number;
  readonly failing: number;
}

/** Default limits of a process. Attempts and claims mostly wait for the network. */
export const SLOT_LIMITS: SlotLimits = { all: 416, healthy: 352, unknown: 160, failing: 64 };

interface Health {
  cap: number;
  /** Whether an attempt succeeded and no slow failure followed. */
  healthy: boolean;
  failuresInRow: number;
  lastFailureSlow: boolean;
  /** Moving average of the duration of attempts. 0 before the first attempt. */
  durationMs: number;
}

interface Webhook<Job> extends Health {
  active: number;
  /** Waiting jobs by ID, because the sweeper can add a job that already waits here. */
  queued: Map<string, Job>;
  /** A job that was not queued. If it is set, more jobs of this webhook wait in the database. */
  overflow?: Job;
}

const UNKNOWN: Health = { cap: FIRST_CAP, healthy: false, failuresInRow: 0, lastFailureSlow: false, durationMs: 0 };

/**
 * Limits the concurrent attempts of each webhook, so that no webhook occupies all slots. The limit of a webhook grows with each success and
 * shrinks with each failure: by half after a slow failure, which affects other webhooks most. The limit is small while responses are slow.
 * Failing and unknown webhooks together have only a part of all slots. Jobs without a slot are queued, and webhooks take turns.
 */
export class WebhookSlots<Job> {
  private readonly webhooks = new Map<string, Webhook<Job>>();
  private readonly remembered = new LRUCache<string, Health>({ max: REMEMBERED_MAX });
  private readonly active: Record<Lane, number> = { healthy: 0, unknown: 0, failing: 0 };
  /** Webhooks with queued jobs that wait only for a slot of their lane, in the order of their turns. */
  private readonly waiting: Record<Lane, Set<string>> = { healthy: new Set(), unknown: new Set(), failing: new Set() };

  private queuedCount = 0;
  /** Number of jobs of healthy webhooks that can still start until the next call of `setAllowance`. */
  private allowance = Infinity;

  /** `onLowQueue` is called with a job of a webhook when few of its jobs are queued here and more wait in the database. */
  constructor(
    private readonly onLowQueue: (overflow: Job) => void = () => undefined,
    private readonly limits: SlotLimits = SLOT_LIMITS,
  ) {}

  /** Returns how many more jobs of a webhook can start immediately if `others` jobs of any webhooks also start. */
  freeSlotsOf(webhookId: string, others: number): number {
    const webhook = this.webhooks.get(webhookId);
    const health = webhook ?? this.remembered.get(webhookId) ?? UNKNOWN;
    const { healthy, unknown, failing } = this.active;
    if (healthy + unknown + failing + others >= this.limits.all || !this.hasFreeSlot(laneOf(health))) return 0;
    if (laneOf(health) === 'healthy' && others >= this.allowance) return 0;
    return Math.max(0, capOf(health) - (webhook ? webhook.active + webhook.queued.size : 0));
  }

  /**
   * Acquires a slot for a job. Returns false if no slot is free: the job is then queued or, if the queue is full, only waits in the
   * database.
   */
  tryAcquire(webhookId: string, jobId: string, job: Job): boolean {
    const webhook = this.of(webhookId);
    const lane = laneOf(webhook);
    const free = webhook.active < capOf(webhook);
    if (free && this.hasFreeSlot(lane)) {
      this.occupy(webhook);
      return true;
    }
    this.enqueue(webhook, jobId, job);
    if (free) this.waiting[lane].add(webhookId);
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
    webhook.active--;
    this.active[laneOf(webhook)]--;
    if (webhook.queued.size > 0) this.waiting[laneOf(webhook)].add(webhookId);
    const next = LANES.flatMap((lane) => this.admit(lane));
    if (webhook.overflow && webhook.queued.size < REFILL_BELOW) this.requestMore(webhook, webhook.overflow);
    if (webhook.active === 0 && webhook.queued.size === 0) this.remember(webhookId, webhook);
    return next;
  }

  /**
   * Sets how many more jobs of healthy webhooks can start until the next call, because these jobs use most of the CPU. Returns the queued
   * jobs that now have a slot. The allowance does not apply to the other lanes, which mostly wait for the network.
   */
  setAllowance(allowance: number): Job[] {
    this.allowance = allowance;
    return LANES.flatMap((lane) => this.admit(lane));
  }

  /** Adapts the limit of a webhook to the result of an attempt. */
  recordAttempt(webhookId: string, succeeded: boolean, durationMs: number): void {
    const webhook = this.of(webhookId);
    const before = laneOf(webhook);
    webhook.durationMs = webhook.durationMs === 0 ? durationMs : webhook.durationMs * 0.8 + durationMs * 0.2;
    if (succeeded) recordSuccess(webhook);
    else recordFailure(webhook, durationMs >= SLOW_FAILURE_MS);
    const after = laneOf(webhook);
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
    for (const lane of LANES) this.waiting[lane].clear();
    return queued;
  }

  /** Starts one job of each waiting webhook in turn, while slots are free. */
  private admit(lane: Lane): Job[] {
    const admitted: Job[] = [];
    // A webhook that is added again during the loop has its next turn after all other webhooks.
    for (const webhookId of this.waiting[lane]) {
      if (!this.hasFreeSlot(lane)) break;
      this.waiting[lane].delete(webhookId);
      const webhook = this.of(webhookId);
      const [first] = webhook.queued;
      if (!first || webhook.active >= capOf(webhook)) continue;
      const [jobId, job] = first;
      webhook.queued.delete(jobId);
      this.queuedCount--;
      this.occupy(webhook);
      admitted.push(job);
      if (webhook.queued.size > 0) this.waiting[lane].add(webhookId);
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

  private hasFreeSlot(lane: Lane): boolean {
    const { healthy, unknown, failing } = this.active;
    if (healthy + unknown + failing >= this.limits.all) return false;
    if (lane === 'healthy') return healthy < this.limits.healthy && this.allowance > 0;
    return unknown + failing < this.limits.unknown && (lane === 'unknown' || failing < this.limits.failing);
  }

  private occupy(webhook: Webhook<Job>): void {
    const lane = laneOf(webhook);
    if (lane === 'healthy') this.allowance--;
    webhook.active++;
    this.active[lane]++;
  }

  private of(webhookId: string): Webhook<Job> {
    const known = this.webhooks.get(webhookId);
    if (known) return known;
    const webhook = { ...(this.remembered.get(webhookId) ?? UNKNOWN), active: 0, queued: new Map<string, Job>() };
    this.webhooks.set(webhookId, webhook);
    return webhook;
  }

  private remember(webhookId: string, { active: _, queued: __, overflow: ___, ...health }: Webhook<Job>): void {
    this.webhooks.delete(webhookId);
    this.remembered.set(webhookId, health);
  }
}

function recordSuccess(webhook: Health): void {
  webhook.cap = Math.min(CAP_MAX, webhook.cap + 1);
  webhook.failuresInRow = 0;
  webhook.lastFailureSlow = false;
  webhook.healthy = true;
}

function recordFailure(webhook: Health, slow: boolean): void {
  webhook.failuresInRow++;
  webhook.lastFailureSlow = slow;
  if (slow) {
    webhook.healthy = false;
    webhook.cap = Math.max(1, Math.floor(webhook.cap / 2));
    return;
  }
  const least = webhook.failuresInRow >= DEAD_AFTER ? 1 : FIRST_CAP;
  if (webhook.cap > least) webhook.cap--;
}

function laneOf({ healthy, failuresInRow, lastFailureSlow, durationMs }: Health): Lane {
  if (lastFailureSlow || failuresInRow >= FAILING_AFTER || durationMs > SLOW_MS) return 'failing';
  return healthy ? 'healthy' : 'unknown';
}

/** Returns the maximum number of slots. An unknown webhook gets one slot until its first attempt has ended. */
function capOf(webhook: Health): number {
  if (webhook.durationMs > SLOW_MS) return Math.min(SLOW_CAP, webhook.cap);
  if (!webhook.healthy && webhook.failuresInRow === 0) return 1;
  return webhook.durationMs > SLOWER_MS ? Math.min(SLOWER_CAP, webhook.cap) : webhook.cap;
}
