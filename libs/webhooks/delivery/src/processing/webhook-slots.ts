import { LRUCache } from 'lru-cache';

/**
 * Places of one webhook: at first, at most, and when slow. While answers are quick, most of those with a place are being claimed rather
 * than sent, so that the next are at hand as soon as one of the HTTP client's sockets for that origin is free; beyond that they would
 * only wait there, with their time limit running.
 */
const FIRST_CAP = 4;
const CAP_MAX = 128;
const UNHURRIED_CAP = 32;
const UNHURRIED_MS = 100;
const SLOW_CAP = 2;
const SLOW_MS = 5_000;

/** A failure that took so long holds a place for long, which quick ones do not. */
const SLOW_FAILURE_MS = 1_000;
/** So many quick failures in a row make a webhook a failing one; so many, a hopeless one. */
const FAILING_AFTER = 3;
const HOPELESS_AFTER = 10;

/** Jobs that wait in memory for a place, of one webhook and of all; those beyond are brought again when few are left. */
const PARKED_MAX = 5_000;
const PARKED_MAX_IN_ALL = 100_000;
const FEW_PARKED = 2_500;

/** How many webhooks without work are remembered. */
const REMEMBERED_MAX = 20_000;

/** Which share of the places a webhook competes for, the best first. */
const LANES = ['proven', 'unknown', 'failing'] as const;
type Lane = (typeof LANES)[number];

/** Places for attempts under way, by lane: `unknown` counts the failing ones, too, so that either leaves room for the proven. */
export interface Places {
  readonly all: number;
  readonly proven: number;
  readonly unknown: number;
  readonly failing: number;
}

/** Attempts and claims under way at once in a process. They mostly wait for the network. */
export const PLACES: Places = { all: 416, proven: 352, unknown: 160, failing: 64 };

interface Health {
  cap: number;
  /** Whether an attempt has succeeded, and no slow failure came after it. */
  proven: boolean;
  failuresInRow: number;
  lastFailureSlow: boolean;
  /** Moving average; 0 before the first attempt. */
  durationMs: number;
}

interface Webhook<Job> extends Health {
  underWay: number;
  /** By their ids: the sweeper may bring one again that waits here. */
  parked: Map<string, Job>;
  /** One of those that found no room here: more of this webhook wait in the database. */
  turnedAway?: Job;
}

const UNKNOWN: Health = { cap: FIRST_CAP, proven: false, failuresInRow: 0, lastFailureSlow: false, durationMs: 0 };

/**
 * Keeps some webhooks from taking every place. Each has a cap on attempts under way, which grows with each success, shrinks with each
 * failure (by half when that was slow, which is what hurts others), and is small while answers are slow. Together, those that fail and
 * those not yet known have no more than a part of all places. Jobs without a place are parked, and webhooks take turns.
 */
export class WebhookSlots<Job> {
  private readonly webhooks = new Map<string, Webhook<Job>>();
  private readonly remembered = new LRUCache<string, Health>({ max: REMEMBERED_MAX });
  private readonly underWay: Record<Lane, number> = { proven: 0, unknown: 0, failing: 0 };
  /** Webhooks that could go on but for their lane, in the order of their turns. */
  private readonly waiting: Record<Lane, Set<string>> = { proven: new Set(), unknown: new Set(), failing: new Set() };

  private parkedCount = 0;
  /** How many more jobs of proven webhooks may begin for now. */
  private allowance = Infinity;

  /** `onFewParked` is told of a webhook with few jobs left here, of which more were turned away; by one of those. */
  constructor(
    private readonly onFewParked: (turnedAway: Job) => void = () => undefined,
    private readonly places: Places = PLACES,
  ) {}

  /** How many more jobs of a webhook could go on at once, with `others` of whatever webhook about to come. */
  roomFor(webhookId: string, others: number): number {
    const webhook = this.webhooks.get(webhookId);
    const health = webhook ?? this.remembered.get(webhookId) ?? UNKNOWN;
    const { proven, unknown, failing } = this.underWay;
    if (proven + unknown + failing + others >= this.places.all || !this.hasRoom(laneOf(health))) return 0;
    if (laneOf(health) === 'proven' && others >= this.allowance) return 0;
    return Math.max(0, capOf(health) - (webhook ? webhook.underWay + webhook.parked.size : 0));
  }

  /** Whether the job may go on now; if not, it is parked, or turned away when too many are. */
  enter(webhookId: string, jobId: string, job: Job): boolean {
    const webhook = this.of(webhookId);
    const lane = laneOf(webhook);
    const free = webhook.underWay < capOf(webhook);
    if (free && this.hasRoom(lane)) {
      this.begin(webhook);
      return true;
    }
    this.park(webhook, jobId, job);
    if (free) this.waiting[lane].add(webhookId);
    return false;
  }

  /** Says that more of a webhook wait in the database than were brought. */
  turnAway(webhookId: string, job: Job): void {
    const webhook = this.webhooks.get(webhookId);
    if (webhook) webhook.turnedAway = job;
  }

  /** Gives a place back, and the parked jobs that may go on now, of whatever webhook: each has its place already. */
  leave(webhookId: string): Job[] {
    const webhook = this.of(webhookId);
    webhook.underWay--;
    this.underWay[laneOf(webhook)]--;
    if (webhook.parked.size > 0) this.waiting[laneOf(webhook)].add(webhookId);
    const next = LANES.flatMap((lane) => this.admit(lane));
    if (webhook.turnedAway && webhook.parked.size < FEW_PARKED) this.askForMore(webhook, webhook.turnedAway);
    if (webhook.underWay === 0 && webhook.parked.size === 0) this.rest(webhookId, webhook);
    return next;
  }

  /**
   * Lets so many more jobs of proven webhooks begin, which take most of the processor, until told anew; gives the parked ones that may go
   * on for that. The other lanes mostly wait for the network, and keep their places.
   */
  allow(allowance: number): Job[] {
    this.allowance = allowance;
    return LANES.flatMap((lane) => this.admit(lane));
  }

  /** Learns from an attempt. */
  note(webhookId: string, succeeded: boolean, durationMs: number): void {
    const webhook = this.of(webhookId);
    const before = laneOf(webhook);
    webhook.durationMs = webhook.durationMs === 0 ? durationMs : webhook.durationMs * 0.8 + durationMs * 0.2;
    if (succeeded) noteSuccess(webhook);
    else noteFailure(webhook, durationMs >= SLOW_FAILURE_MS);
    const after = laneOf(webhook);
    if (after === before) return;
    this.underWay[before] -= webhook.underWay;
    this.underWay[after] += webhook.underWay;
    if (this.waiting[before].delete(webhookId)) this.waiting[after].add(webhookId);
  }

  /** Whether so many jobs of it wait here already that more would be of no use. */
  isCrowded(webhookId: string): boolean {
    return (this.webhooks.get(webhookId)?.parked.size ?? 0) >= PARKED_MAX / 2;
  }

  /** Forgets all that is parked, and gives it: at the end of the process. */
  clear(): Job[] {
    const parked = [...this.webhooks.values()].flatMap((webhook) => [...webhook.parked.values()]);
    for (const webhook of this.webhooks.values()) {
      webhook.parked.clear();
      delete webhook.turnedAway;
    }
    this.parkedCount = 0;
    for (const lane of LANES) this.waiting[lane].clear();
    return parked;
  }

  /** One job of each waiting webhook in turn, as long as there is room. */
  private admit(lane: Lane): Job[] {
    const admitted: Job[] = [];
    // A webhook that is added again while this goes on has another turn after the others.
    for (const webhookId of this.waiting[lane]) {
      if (!this.hasRoom(lane)) break;
      this.waiting[lane].delete(webhookId);
      const webhook = this.of(webhookId);
      const [first] = webhook.parked;
      if (!first || webhook.underWay >= capOf(webhook)) continue;
      const [jobId, job] = first;
      webhook.parked.delete(jobId);
      this.parkedCount--;
      this.begin(webhook);
      admitted.push(job);
      if (webhook.parked.size > 0) this.waiting[lane].add(webhookId);
    }
    return admitted;
  }

  private park(webhook: Webhook<Job>, jobId: string, job: Job): void {
    if (webhook.parked.has(jobId)) return;
    if (webhook.parked.size >= PARKED_MAX || this.parkedCount >= PARKED_MAX_IN_ALL) {
      webhook.turnedAway = job;
      return;
    }
    webhook.parked.set(jobId, job);
    this.parkedCount++;
  }

  private askForMore(webhook: Webhook<Job>, turnedAway: Job): void {
    delete webhook.turnedAway;
    this.onFewParked(turnedAway);
  }

  private hasRoom(lane: Lane): boolean {
    const { proven, unknown, failing } = this.underWay;
    if (proven + unknown + failing >= this.places.all) return false;
    if (lane === 'proven') return proven < this.places.proven && this.allowance > 0;
    return unknown + failing < this.places.unknown && (lane === 'unknown' || failing < this.places.failing);
  }

  private begin(webhook: Webhook<Job>): void {
    const lane = laneOf(webhook);
    if (lane === 'proven') this.allowance--;
    webhook.underWay++;
    this.underWay[lane]++;
  }

  private of(webhookId: string): Webhook<Job> {
    const known = this.webhooks.get(webhookId);
    if (known) return known;
    const webhook = { ...(this.remembered.get(webhookId) ?? UNKNOWN), underWay: 0, parked: new Map<string, Job>() };
    this.webhooks.set(webhookId, webhook);
    return webhook;
  }

  private rest(webhookId: string, { underWay: _, parked: __, turnedAway: ___, ...health }: Webhook<Job>): void {
    this.webhooks.delete(webhookId);
    this.remembered.set(webhookId, health);
  }
}

function noteSuccess(webhook: Health): void {
  webhook.cap = Math.min(CAP_MAX, webhook.cap + 1);
  webhook.failuresInRow = 0;
  webhook.lastFailureSlow = false;
  webhook.proven = true;
}

function noteFailure(webhook: Health, slow: boolean): void {
  webhook.failuresInRow++;
  webhook.lastFailureSlow = slow;
  if (slow) {
    webhook.proven = false;
    webhook.cap = Math.max(1, Math.floor(webhook.cap / 2));
    return;
  }
  const least = webhook.failuresInRow >= HOPELESS_AFTER ? 1 : FIRST_CAP;
  if (webhook.cap > least) webhook.cap--;
}

function laneOf({ proven, failuresInRow, lastFailureSlow, durationMs }: Health): Lane {
  if (lastFailureSlow || failuresInRow >= FAILING_AFTER || durationMs > SLOW_MS) return 'failing';
  return proven ? 'proven' : 'unknown';
}

/** What is not known yet is tried once, before more is risked. */
function capOf(webhook: Health): number {
  if (webhook.durationMs > SLOW_MS) return Math.min(SLOW_CAP, webhook.cap);
  if (!webhook.proven && webhook.failuresInRow === 0) return 1;
  return webhook.durationMs > UNHURRIED_MS ? Math.min(UNHURRIED_CAP, webhook.cap) : webhook.cap;
}
