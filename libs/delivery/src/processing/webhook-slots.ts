/** How many attempts to one webhook may be under way at once, while it answers well. */
const HEALTHY_MAX = 16;
const SLOW_MAX = 2;
const FAILING_MAX = 1;
const FAILING_AFTER = 3;
const SLOW_MS = 5_000;

/** Jobs of one webhook that wait in memory for a place; those beyond come again with the sweeper. */
const PARKED_MAX = 500;

interface Webhook<Job> {
  underWay: number;
  failures: number;
  /** Moving average. */
  durationMs: number;
  /** By their ids: the sweeper may bring one again that waits here. */
  parked: Map<string, Job>;
}

/**
 * Keeps one webhook from taking every place: a cap on attempts under way for each, which shrinks with its failures and slowness. Jobs
 * over the cap are parked, without holding a place.
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
    const room = Math.max(0, capOf(webhook) - webhook.underWay);
    const next = [...webhook.parked].slice(0, room);
    for (const [jobId] of next) webhook.parked.delete(jobId);
    webhook.underWay += next.length;
    if (webhook.underWay === 0 && webhook.failures === 0 && webhook.durationMs < SLOW_MS) this.webhooks.delete(webhookId);
    return next.map(([, job]) => job);
  }

  /** Learns from an attempt. */
  note(webhookId: string, succeeded: boolean, durationMs: number): void {
    const webhook = this.of(webhookId);
    webhook.failures = succeeded ? 0 : webhook.failures + 1;
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
    const known = this.webhooks.get(webhookId) ?? { underWay: 0, failures: 0, durationMs: 0, parked: new Map<string, Job>() };
    this.webhooks.set(webhookId, known);
    return known;
  }
}

function capOf({ failures, durationMs }: Webhook<unknown>): number {
  if (failures >= FAILING_AFTER) return FAILING_MAX;
  return durationMs > SLOW_MS ? SLOW_MAX : HEALTHY_MAX;
}
