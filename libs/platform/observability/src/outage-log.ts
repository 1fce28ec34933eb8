import type { Outage } from '#platform/database';

const REPEAT_MS = 30_000;
/** After this time without a failure, an outage counts as over. */
const RECENT_MS = 60_000;

const MESSAGES: Record<Outage, string> = {
  unreachable: 'PostgreSQL is not available. Requests get 503, and background work waits until PostgreSQL is back.',
  disk_full: 'The disk of PostgreSQL is full. Changes get 503 until there is space; nothing stored is lost.',
};

/** The line about an outage. */
interface OutageLine {
  readonly message: string;
  /** Number of lines that were omitted since the previous line. */
  readonly omittedLines: number;
}

/**
 * Replaces the lines of all failed statements of an outage of PostgreSQL by one line every 30 seconds. Every loop and every request fails
 * during an outage, and their lines would hide its cause.
 */
export class OutageLog {
  private readonly outages = new Map<Outage, { loggedAtMs: number; seenAtMs: number; omittedLines: number }>();

  /** Records a failure. Returns the line to log, or undefined if the failure must not be logged. */
  record(outage: Outage, nowMs = performance.now()): OutageLine | undefined {
    const { loggedAtMs = -Infinity, omittedLines = 0 } = this.outages.get(outage) ?? {};
    const isDue = nowMs - loggedAtMs >= REPEAT_MS;
    this.outages.set(outage, {
      loggedAtMs: isDue ? nowMs : loggedAtMs,
      seenAtMs: nowMs,
      omittedLines: isDue ? 0 : omittedLines + 1,
    });
    return isDue ? { message: MESSAGES[outage], omittedLines } : undefined;
  }

  /** Returns whether a statement failed because of the outage in the last minute. */
  isRecent(outage: Outage, nowMs = performance.now()): boolean {
    return nowMs - (this.outages.get(outage)?.seenAtMs ?? -Infinity) < RECENT_MS;
  }
}
