/** How far the deliveries of a webhook can run ahead of an even pace, so that a small batch does not wait. */
const BURST_MS = 500;

/** Slots are assigned this far ahead. Other deliveries wait without a slot, so that a changed limit soon applies to all. */
const BOOKING_HORIZON_MS = 10_000;

/** The pace of a webhook; both times in milliseconds since 1970 by the database's clock. */
export interface Pace {
  /** When the next delivery is due at an even pace. */
  readonly freeFromMs: number;
  /** The end of the assigned slots. */
  readonly bookedUntilMs: number;
}

/** A delivery starts now, at the time of its slot (in whole milliseconds since 1970), or later, without a slot yet. */
export type Turn = 'now' | 'later' | number;

/**
 * Assigns turns to deliveries of one webhook, in their order, and returns the new pace. In any T seconds at most `limit * (T + 1/2) + 1`
 * deliveries start (generic cell rate algorithm). Waiting deliveries go before new ones, so that a steady stream of new ones can't delay
 * older ones for ever; a slot that is used late stays valid, as far as the pace allows.
 */
export function assignTurns(
  pace: Pace,
  limitPerSecond: number,
  nowMs: number,
  arrivals: readonly { readonly hasSlot: boolean }[],
): { pace: Pace; turns: Turn[] } {
  const periodMs = 1_000 / limitPerSecond;
  let { freeFromMs, bookedUntilMs } = pace;
  const turns = arrivals.map(({ hasSlot }): Turn => {
    if ((hasSlot || bookedUntilMs <= nowMs) && freeFromMs <= nowMs + BURST_MS) {
      freeFromMs = Math.max(freeFromMs, nowMs) + periodMs;
      return 'now';
    }
    const slotMs = Math.max(bookedUntilMs, freeFromMs, nowMs);
    if (slotMs > nowMs + BOOKING_HORIZON_MS) return 'later';
    bookedUntilMs = slotMs + periodMs;
    return Math.ceil(slotMs);
  });
  return { pace: { freeFromMs, bookedUntilMs }, turns };
}
