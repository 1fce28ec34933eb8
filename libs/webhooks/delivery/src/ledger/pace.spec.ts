import { describe, expect, it } from '@jest/globals';
import { sized } from '../../../../../test/support/test-size.js';
import { type Pace, assignTurns, type Turn } from './pace.js';

const FRESH: Pace = { freeFromMs: -Infinity, bookedUntilMs: -Infinity };
const NOW = 1_000_000;
const arrivalsOf = (count: number, isBooked = false) => Array.from({ length: count }, () => ({ isBooked }));
const turnsOf = (pace: Pace, limit: number, arrivals: { isBooked: boolean }[]) => assignTurns(pace, limit, NOW, arrivals).turns;

describe('assignTurns', () => {
  it.each<[string, Pace, number, { isBooked: boolean }[], Turn[]]>([
    ['starts the first delivery now', FRESH, 1, arrivalsOf(1), ['now']],
    ['books a time for the second delivery within a second', FRESH, 1, arrivalsOf(2), ['now', NOW + 1_000]],
    ['starts the deliveries of half a second now', FRESH, 4, arrivalsOf(5), ['now', 'now', 'now', NOW + 750, NOW + 1_000]],
    [
      'assigns new deliveries times after the times that are already booked',
      { freeFromMs: NOW - 50, bookedUntilMs: NOW + 70 },
      10,
      arrivalsOf(2),
      [NOW + 70, NOW + 170],
    ],
    [
      'starts a delivery with a booked time now',
      { freeFromMs: NOW, bookedUntilMs: NOW + 5_000 },
      10,
      arrivalsOf(1, true),
      ['now'],
    ],
    [
      'starts a delivery with a booked time up to 500 ms early',
      { freeFromMs: NOW + 500, bookedUntilMs: NOW + 5_000 },
      10,
      arrivalsOf(1, true),
      ['now'],
    ],
    [
      'assigns a later time to a delivery that is more than 500 ms early',
      { freeFromMs: NOW + 501, bookedUntilMs: NOW + 5_000 },
      10,
      arrivalsOf(1, true),
      [NOW + 5_000],
    ],
    [
      'books times at most ten seconds ahead',
      { freeFromMs: NOW, bookedUntilMs: NOW + 9_900 },
      10,
      arrivalsOf(4),
      [NOW + 9_900, NOW + 10_000, 'later', 'later'],
    ],
    ['books times in whole milliseconds', { freeFromMs: NOW, bookedUntilMs: NOW + 0.5 }, 3, arrivalsOf(2), [NOW + 1, NOW + 334]],
    ['ignores booked times in the past', { freeFromMs: NOW - 60_000, bookedUntilMs: NOW - 59_900 }, 10, arrivalsOf(1), ['now']],
  ])('%s', (_, pace, limit, arrivals, expected) => {
    expect(turnsOf(pace, limit, arrivals)).toEqual(expected);
  });

  it.each(sized([1, 20, 333], [1, 3, 20, 333, 1_000], [1, 3, 20, 333, 1_000]))(
    'starts all deliveries at %i per second, and never faster, also after a pause',
    (limit) => {
      const total = limit * 15;
      let pace = FRESH;
      let waiting = arrivalsOf(total).map(() => ({ isBooked: false, dueMs: NOW }));
      const sentMs: number[] = [];
      for (let nowMs = NOW; waiting.length > 0 && nowMs < NOW + 60_000; nowMs += 20) {
        // A pause from the third to the fifth second.
        if (nowMs > NOW + 3_000 && nowMs < NOW + 5_000) continue;
        const due = waiting.filter(({ dueMs }) => dueMs <= nowMs).slice(0, 200);
        const taken = assignTurns(pace, limit, nowMs, due);
        pace = taken.pace;
        sentMs.push(...taken.turns.filter((turn) => turn === 'now').map(() => nowMs));
        const postponed = taken.turns.flatMap((turn) =>
          turn === 'now'
            ? []
            : [typeof turn === 'number' ? { isBooked: true, dueMs: turn } : { isBooked: false, dueMs: nowMs + 2_000 }],
        );
        waiting = [...waiting.filter((delivery) => !due.includes(delivery)), ...postponed];
      }
      expect(sentMs).toHaveLength(total);
      for (const [index, at] of sentMs.entries()) {
        const within = sentMs.slice(index).filter((other) => other <= at + 1_000).length;
        expect(within).toBeLessThanOrEqual(limit * 1.5 + 1);
      }
      // 15 seconds of deliveries, the pause, and a margin.
      expect(sentMs.at(-1)! - NOW).toBeLessThan(22_000);
    },
  );
});
