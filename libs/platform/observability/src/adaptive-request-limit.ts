/** Measurements since the last update. */
export interface Load {
  readonly seconds: number;
  /** Number of finished requests. */
  readonly finished: number;
  /** Number of requests in progress, without streams. */
  readonly inFlight: number;
  /** Share of the time in which the event loop was busy, from 0 to 1. */
  readonly loopUtilization: number;
  /** Number of requests that wait for a database connection. */
  readonly waitingForDatabase: number;
}

/** Maximum number of requests in progress while the process is not overloaded. */
const MAX_IN_FLIGHT = 1_024;
/** The lowest limit during an overload: so many requests can always be in progress. */
const MIN_IN_FLIGHT = 64;
/** The process is overloaded if requests wait longer than OVERLOAD_WAIT_SECONDS during OVERLOAD_AFTER_SECONDS. */
const OVERLOAD_WAIT_SECONDS = 2;
const OVERLOAD_AFTER_SECONDS = 2;
/** The intended wait of accepted requests during an overload. */
const TARGET_WAIT_SECONDS = 1;
/** The overload ends when requests wait for a shorter time than this. */
const NORMAL_WAIT_SECONDS = 0.5;
const BUSY_UTILIZATION = 0.9;
const SMOOTHING = 0.5;

/**
 * Computes how many requests a process can have in progress. By Little's law, a request waits for the time in which the process finishes as
 * many requests as are in progress. If this time is too long and the process is busy, the limit becomes the number of requests that are
 * finished per second. Requests that only wait for other services, such as slow receivers, do not make a process busy.
 */
export class AdaptiveRequestLimit {
  value = MAX_IN_FLIGHT;
  private perSecond = 0;
  private slowSeconds = 0;
  private isOverloaded = false;

  /** Updates the limit. */
  update({ seconds, finished, inFlight, loopUtilization, waitingForDatabase }: Load): void {
    this.perSecond += SMOOTHING * (finished / seconds - this.perSecond);
    const waitSeconds = inFlight / Math.max(this.perSecond, Number.EPSILON);
    const isBusy = loopUtilization > BUSY_UTILIZATION || waitingForDatabase > 0;
    const isSlow = isBusy && inFlight > MIN_IN_FLIGHT && waitSeconds > OVERLOAD_WAIT_SECONDS;
    this.slowSeconds = isSlow ? this.slowSeconds + seconds : 0;
    if (this.isOverloaded) this.isOverloaded = isBusy && waitSeconds > NORMAL_WAIT_SECONDS;
    else this.isOverloaded = this.slowSeconds >= OVERLOAD_AFTER_SECONDS;
    this.value = this.isOverloaded
      ? Math.min(MAX_IN_FLIGHT, Math.max(MIN_IN_FLIGHT, Math.round(this.perSecond * TARGET_WAIT_SECONDS)))
      : MAX_IN_FLIGHT;
  }
}
