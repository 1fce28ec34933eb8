/** Measurements since the last update. */
export interface Load {
  readonly seconds: number;
  readonly finished: number;
  /** Number of requests in progress, without streams. */
  readonly inFlight: number;
  /** Share of time in which the event loop was busy, from 0 to 1. */
  readonly loopUtilization: number;
  readonly waitingForDatabase: number;
}

/** Maximum number of requests in progress while the process is not overloaded. */
const MAX_IN_FLIGHT = 1_024;
/** Minimum of the limit during an overload. */
const MIN_IN_FLIGHT = 64;
/** The process is overloaded if requests wait longer than OVERLOAD_WAIT_SECONDS for OVERLOAD_AFTER_SECONDS. */
const OVERLOAD_WAIT_SECONDS = 2;
const OVERLOAD_AFTER_SECONDS = 2;
/** The target wait of accepted requests during an overload. */
const TARGET_WAIT_SECONDS = 1;
/** The overload ends when the wait of requests is shorter than this. */
const NORMAL_WAIT_SECONDS = 0.5;
const BUSY_UTILIZATION = 0.9;
const SMOOTHING = 0.5;

/**
 * Computes the maximum number of requests in progress. By Little's law, the wait of a request is the number of requests in progress,
 * divided by the number of finished requests per second. If this wait is too long and the process is busy, the limit becomes the number of
 * finished requests per second. Requests that only wait for other services, such as slow receivers, do not make a process busy.
 */
export class AdaptiveRequestLimit {
  value = MAX_IN_FLIGHT;
  private perSecond = 0;
  private slowSeconds = 0;
  private isOverloaded = false;

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
