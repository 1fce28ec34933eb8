import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DueHeap } from './due-heap.js';

describe('DueHeap', () => {
  it('returns only due items, ordered by time', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1_000 })), fc.integer({ min: 0, max: 1_000 }), (times, now) => {
        const heap = new DueHeap<number>();
        for (const time of times) heap.push(time, time);
        const taken: number[] = [];
        for (let item = heap.takeDue(now); item !== undefined; item = heap.takeDue(now)) taken.push(item);
        expect(taken).toEqual(times.filter((time) => time <= now).sort((a, b) => a - b));
        expect(heap.size).toBe(times.length - taken.length);
        expect(heap.nextDueAtMs).toBe(times.filter((time) => time > now).sort((a, b) => a - b)[0]);
      }),
    );
  });
});
