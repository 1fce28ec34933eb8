/** Time by which deliveries can start earlier than at an even pace, in milliseconds, so that a small batch does not wait. */
const BURST_MS = 500;

/**
 * Times are booked at most this far ahead, in milliseconds. Other deliveries wait without a booked time, so that a changed limit soon applies to
 * all deliveries.
 */
const BOOKING_HORIZON_MS = 10_000;

/** The pace of a webhook. Both times are in milliseconds since 1970 by the database's clock. */
export interface Pace {
  /** Time at which the next delivery is due at an even pace. */
  readonly freeFromMs: number;
  /** The end of the booked times. */
  readonly bookedUntilMs: number;
}

/** When a delivery starts: now, at its booked time (in whole milliseconds since 1970), or later, without a booked time yet. */
export type Turn = 'now' | 'later' | number;

/**
 * Assigns turns to deliveries of one webhook, in their order, and returns the new pace. In any T seconds at most `limit * (T + 1/2) + 1`
 * deliveries start (generic cell rate algorithm). Waiting deliveries start before new deliveries, so that a steady stream of new deliveries
 * can't delay them forever. A delivery that misses its time can still start as soon as the pace allows.
 */
export function assignTurns(
  pace: Pace,
  limitPerSecond: number,
  nowMs: number,
  arrivals: readonly { readonly isBooked: boolean }[],
): { pace: Pace; turns: Turn[] } {
  const periodMs = 1_000 / limitPerSecond;
  let { freeFromMs, bookedUntilMs } = pace;
  const turns = arrivals.map(({ isBooked }): Turn => {
    if ((isBooked || bookedUntilMs <= nowMs) && freeFromMs <= nowMs + BURST_MS) {
      freeFromMs = Math.max(freeFromMs, nowMs) + periodMs;
      return 'now';
    }
    const bookedForMs = Math.max(bookedUntilMs, freeFromMs, nowMs);
    if (bookedForMs > nowMs + BOOKING_HORIZON_MS) return 'later';
    bookedUntilMs = bookedForMs + periodMs;
    return Math.ceil(bookedForMs);
  });
  return { pace: { freeFromMs, bookedUntilMs }, turns };
}
