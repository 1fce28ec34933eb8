/** What was measured between two looks. */
export interface Load {
  readonly seconds: number;
  /** Requests that were finished. */
  readonly finished: number;
  /** Requests under way, without streams. */
  readonly inFlight: number;
  /** How much of the time the event loop was busy, 0 to 1. */
  readonly loopUtilization: number;
  readonly waitingForDatabase: number;
}

/** No burst is so large that more would be of use. */
const MOST_IN_FLIGHT = 1_024;
/** Never fewer: so many are served side by side, and not one after the other. */
const LEAST_IN_FLIGHT = 64;
/** Waiting longer than this, for this long, is no burst any more. */
const TOO_LONG_SECONDS = 2;
const PATIENCE_SECONDS = 2;
/** How long those who are taken wait while others are refused, and when nobody needs to be any more. */
const TARGET_SECONDS = 1;
const CALM_SECONDS = 0.5;
const BUSY = 0.9;
const SMOOTHING = 0.5;

/**
 * Says how many requests a process may have under way. By Little's law they wait for as long as it takes to finish as many; while that is too
 * long, though the process has its hands full (those that merely wait for others, such as slow receivers, hold nobody up), no more are taken
 * than are finished in a second.
 */
export class LoadJudge {
  limit = MOST_IN_FLIGHT;
  private perSecond = 0;
  private slowSeconds = 0;
  private refusing = false;

  judge({ seconds, finished, inFlight, loopUtilization, waitingForDatabase }: Load): void {
    this.perSecond += SMOOTHING * (finished / seconds - this.perSecond);
    const waitSeconds = inFlight / Math.max(this.perSecond, Number.EPSILON);
    const isBusy = loopUtilization > BUSY || waitingForDatabase > 0;
    const isSlow = isBusy && inFlight > LEAST_IN_FLIGHT && waitSeconds > TOO_LONG_SECONDS;
    this.slowSeconds = isSlow ? this.slowSeconds + seconds : 0;
    if (this.refusing) this.refusing = isBusy && waitSeconds > CALM_SECONDS;
    else this.refusing = this.slowSeconds >= PATIENCE_SECONDS;
    this.limit = this.refusing
      ? Math.min(MOST_IN_FLIGHT, Math.max(LEAST_IN_FLIGHT, Math.round(this.perSecond * TARGET_SECONDS)))
      : MOST_IN_FLIGHT;
  }
}
