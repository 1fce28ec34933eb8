import { LRUCache } from 'lru-cache';

/**
 * Slots of one webhook: the first number, the maximum, and the numbers for slow destinations. While responses are quick, most deliveries with
 * a slot are being claimed rather than sent, so that the next ones are ready when a socket of the HTTP client is free; more slots would only
 * make them wait there, with their time limit running.
 */
const FIRST_CAP = 4;
const CAP_MAX = 128;
const SLOWER_CAP = 32;
const SLOWER_MS = 100;
const SLOW_CAP = 2;
const SLOW_MS = 5_000;

/** A failure that took this long occupies a slot for long; quicker failures do not. */
const SLOW_FAILURE_MS = 1_000;
/** Quick failures in a row after which a webhook counts as failing, and after which it gets one slot. */
const FAILING_AFTER = 3;
const DEAD_AFTER = 10;

/** Maximum number of jobs that wait in memory for a slot, of one webhook and of all; others are loaded when few are left. */
const QUEUED_MAX = 5_000;
const QUEUED_TOTAL_MAX = 100_000;
const REFILL_BELOW = 2_500;

/** Number of webhooks without work whose health is remembered. */
const REMEMBERED_MAX = 20_000;

/** The shares of the slots that webhooks compete for, the best first. */
const LANES = ['healthy', 'unknown', 'failing'] as const;
type Lane = (typeof LANES)[number];

/** Slots by lane. `unknown` includes the failing webhooks, so that both leave slots for the healthy ones. */
export interface SlotLimits {
  readonly all: number;
  readonly healthy: number;
  readonly unknown: number;
  readonly failing: number;
}

/** Maximum number of concurrent attempts and claims of a process. They mostly wait for the network. */
export const SLOT_LIMITS: SlotLimits = { all: 416, healthy: 352, unknown: 160, failing: 64 };

interface Health {
  cap: number;
  /** Whether an attempt succeeded and no slow failure followed. */
  healthy: boolean;
  failuresInRow: number;
  lastFailureSlow: boolean;
  /** Moving average; 0 before the first attempt. */
  durationMs: number;
}

interface Webhook<Job> extends Health {
  active: number;
  /** By their ids: the sweeper can add a job that already waits here. */
  queued: Map<string, Job>;
  /** A job that was not queued: more jobs of this webhook wait in the database. */
  overflow?: Job;
}

const UNKNOWN: Health = { cap: FIRST_CAP, healthy: false, failuresInRow: 0, lastFailureSlow: false, durationMs: 0 };

/**
 * Limits the concurrent attempts of each webhook, so that no webhook occupies every slot. The limit grows with each success, shrinks with each
 * failure (by half after a slow failure, which affects others most), and is small while responses are slow. Failing and unknown webhooks
 * together have only a part of all slots. Jobs without a slot are queued, and webhooks take turns.
 */
export class WebhookSlots<Job> {
  private readonly webhooks = new Map<string, Webhook<Job>>();
  private readonly remembered = new LRUCache<string, Health>({ max: REMEMBERED_MAX });
  private readonly active: Record<Lane, number> = { healthy: 0, unknown: 0, failing: 0 };
  /** Webhooks that could go on but for their lane, in the order of their turns. */
  private readonly waiting: Record<Lane, Set<string>> = { healthy: new Set(), unknown: new Set(), failing: new Set() };

  private queuedCount = 0;
  /** How many more jobs of healthy webhooks may occupy for now. */
  private allowance = Infinity;

  /** `onLowQueue` is called with a job of a webhook that has few jobs queued here and more in the database. */
  constructor(
    private readonly onLowQueue: (overflow: Job) => void = () => undefined,
    private readonly limits: SlotLimits = SLOT_LIMITS,
  ) {}

  /** Returns how many more jobs of a webhook can start at once, if `others` jobs of any webhook start, too. */
  freeSlotsOf(webhookId: string, others: number): number {
    const webhook = this.webhooks.get(webhookId);
    const health = webhook ?? this.remembered.get(webhookId) ?? UNKNOWN;
    const { healthy, unknown, failing } = this.active;
    if (healthy + unknown + failing + others >= this.limits.all || !this.hasFreeSlot(laneOf(health))) return 0;
    if (laneOf(health) === 'healthy' && others >= this.allowance) return 0;
    return Math.max(0, capOf(health) - (webhook ? webhook.active + webhook.queued.size : 0));
  }

  /** Returns whether the job got a slot. If not, it is queued, or dropped when too many are: it waits in the database. */
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

  /** Releases a slot. Returns the queued jobs, of any webhook, that got a slot by it. */
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
   * Sets how many more jobs of healthy webhooks can start until the next call, since these use most of the processor. Returns the queued jobs
   * that got a slot by it. The other lanes mostly wait for the network and are not limited by it.
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

  /** Returns whether so many jobs of a webhook are queued that more are useless. */
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
    // A webhook that is added during the loop has another turn after the others.
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

/** An unknown webhook gets one slot until its first attempt has ended. */
function capOf(webhook: Health): number {
  if (webhook.durationMs > SLOW_MS) return Math.min(SLOW_CAP, webhook.cap);
  if (!webhook.healthy && webhook.failuresInRow === 0) return 1;
  return webhook.durationMs > SLOWER_MS ? Math.min(SLOWER_CAP, webhook.cap) : webhook.cap;
}
