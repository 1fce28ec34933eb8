import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Batcher } from './batcher.js';

describe('Batcher', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('handles items that are added during a run together, in order, up to the maximum size', async () => {
    const batches: number[][] = [];
    let begun = (): void => undefined;
    const firstRun = new Promise<void>((resolve) => (begun = resolve));
    const batcher = new Batcher<number, string>({ sizeMax: 3, runsAtOnceMax: 1 }, async (items) => {
      batches.push(items);
      begun();
      // The run lasts until the test has added the other items, which takes no wait.
      await sleep(5);
      return items.map((item) => `<${item}>`);
    });
    const first = batcher.add(0);
    await firstRun;
    const rest = [1, 2, 3, 4].map((item) => batcher.add(item));
    expect(await Promise.all([first, ...rest])).toEqual(['<0>', '<1>', '<2>', '<3>', '<4>']);
    expect(batches).toEqual([[0], [1, 2, 3], [4]]);
  });

  it('rejects only the items of the failed run', async () => {
    const batcher = new Batcher<number, number>({ sizeMax: 1, runsAtOnceMax: 1 }, async ([item]) => {
      if (item === 1) throw new Error('no');
      return [item!];
    });
    const results = await Promise.allSettled([batcher.add(0), batcher.add(1), batcher.add(2)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('delays runs under load to collect larger batches, but never delays a single item', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const startedAt = performance.now();
    const runs: { items: number; atMs: number }[] = [];
    const batcher = new Batcher<number, number>({ sizeMax: 20, runsAtOnceMax: 1, spacingMs: 200 }, async (items) => {
      runs.push({ items: items.length, atMs: performance.now() - startedAt });
      return items;
    });
    const addMany = (count: number) => Promise.all(Array.from({ length: count }, (_, item) => batcher.add(item)));
    await addMany(1);
    await addMany(8);
    // These items are added one after another and handled in one run.
    const pending = [addMany(4)];
    for (let arrived = 1; arrived < 3; arrived++) {
      jest.advanceTimersByTime(20);
      pending.push(addMany(4));
    }
    jest.advanceTimersByTime(160);
    await Promise.all(pending);
    // A full batch does not wait.
    await addMany(20);
    expect(runs).toEqual([
      { items: 1, atMs: 0 },
      { items: 8, atMs: 0 },
      { items: 12, atMs: 200 },
      { items: 20, atMs: 200 },
    ]);
  });
});
