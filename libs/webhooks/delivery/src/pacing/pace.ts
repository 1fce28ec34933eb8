/** How far a webhook's deliveries may run ahead of its even pace, so that what a worker brings in one go need not wait. */
const AHEAD_MS = 500;

/** Slots are given out so far ahead. What finds none waits without one, so that a changed limit soon holds for all. */
const BOOKED_AHEAD_MS = 10_000;

/** Where a webhook's pace stands; both in milliseconds since 1970 by the database's clock. */
export interface Pace {
  /** When the next delivery keeps an even pace. */
  readonly freeFromMs: number;
  /** The end of the slots that were given out. */
  readonly bookedUntilMs: number;
}

/** Whether a delivery goes now, has a slot (its time, in whole milliseconds since 1970), or waits for one. */
export type Turn = 'now' | 'later' | number;

/**
 * Gives deliveries of one webhook their turns, in their order, and says where its pace stands then. Of any span of T seconds at most
 * `limit * (T + 1/2) + 1` deliveries go (generic cell rate algorithm). Who waits already goes before who comes, so that a steady
 * stream of new ones can't hold up older ones for good; a slot that comes up late is still good, as far as the pace allows.
 */
export function takeTurns(
  pace: Pace,
  limitPerSecond: number,
  nowMs: number,
  arrivals: readonly { readonly hasSlot: boolean }[],
): { pace: Pace; turns: Turn[] } {
  const periodMs = 1_000 / limitPerSecond;
  let { freeFromMs, bookedUntilMs } = pace;
  const turns = arrivals.map(({ hasSlot }): Turn => {
    if ((hasSlot || bookedUntilMs <= nowMs) && freeFromMs <= nowMs + AHEAD_MS) {
      freeFromMs = Math.max(freeFromMs, nowMs) + periodMs;
      return 'now';
    }
    const slotMs = Math.max(bookedUntilMs, freeFromMs, nowMs);
    if (slotMs > nowMs + BOOKED_AHEAD_MS) return 'later';
    bookedUntilMs = slotMs + periodMs;
    return Math.ceil(slotMs);
  });
  return { pace: { freeFromMs, bookedUntilMs }, turns };
}
