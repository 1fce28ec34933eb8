/** Attempts to one webhook under way at once: at first, at most (as many as the HTTP client has sockets for one origin), and when slow. */
const FIRST_CAP = 4;
const CAP_MAX = 32;
const SLOW_CAP = 2;
const SLOW_MS = 5_000;

/** Jobs of one webhook that wait in memory for a place; those beyond come again with the sweeper. */
const PARKED_MAX = 5_000;

interface Webhook<Job> {
  underWay: number;
  cap: number;
  /** Moving average; 0 before the first attempt. */
  durationMs: number;
  /** By their ids: the sweeper may bring one again that waits here. */
  parked: Map<string, Job>;
}

/**
 * Keeps one webhook from taking every place: a cap on attempts under way for each, which grows with each success, halves with each
 * failure, and is small while answers are slow. Jobs over the cap are parked, without holding a place.
 */
export class WebhookSlots<Job> {
  private readonly webhooks = new Map<string, Webhook<Job>>();

  /** Whether the job may go on now; if not, it is parked, or dropped when too many are. */
  enter(webhookId: string, jobId: string, job: Job): boolean {
    const webhook = this.of(webhookId);
    if (webhook.underWay < capOf(webhook)) {
      webhook.underWay++;
      return true;
    }
    if (webhook.parked.size < PARKED_MAX) webhook.parked.set(jobId, job);
    return false;
  }

  /** Gives a place back, and the parked jobs that may go on now: each has its place already. */
  leave(webhookId: string): Job[] {
    const webhook = this.of(webhookId);
    webhook.underWay--;
    const next: Job[] = [];
    for (const [jobId, job] of webhook.parked) {
      if (webhook.underWay >= capOf(webhook)) break;
      webhook.parked.delete(jobId);
      webhook.underWay++;
      next.push(job);
    }
    if (webhook.underWay === 0 && capOf(webhook) >= FIRST_CAP) this.webhooks.delete(webhookId);
    return next;
  }

  /** Learns from an attempt. */
  note(webhookId: string, succeeded: boolean, durationMs: number): void {
    const webhook = this.of(webhookId);
    webhook.cap = succeeded ? Math.min(CAP_MAX, webhook.cap + 1) : Math.max(1, Math.floor(webhook.cap / 2));
    webhook.durationMs = webhook.durationMs === 0 ? durationMs : webhook.durationMs * 0.8 + durationMs * 0.2;
  }

  /** Whether so many jobs of it wait here already that more would be of no use. */
  isCrowded(webhookId: string): boolean {
    return (this.webhooks.get(webhookId)?.parked.size ?? 0) >= PARKED_MAX / 2;
  }

  /** Forgets all that is parked: at the end of the process. */
  clear(): void {
    for (const webhook of this.webhooks.values()) webhook.parked.clear();
  }

  private of(webhookId: string): Webhook<Job> {
    const known = this.webhooks.get(webhookId) ?? { underWay: 0, cap: FIRST_CAP, durationMs: 0, parked: new Map<string, Job>() };
    this.webhooks.set(webhookId, known);
    return known;
  }
}

const capOf = ({ cap, durationMs }: Webhook<unknown>): number => (durationMs > SLOW_MS ? Math.min(SLOW_CAP, cap) : cap);
