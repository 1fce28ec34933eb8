import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Batcher } from './batcher.js';

describe('Batcher', () => {
  it('handles together what comes while a run is under way, in order, up to the size', async () => {
    const batches: number[][] = [];
    let begun = (): void => undefined;
    const firstRun = new Promise<void>((resolve) => (begun = resolve));
    const batcher = new Batcher<number, string>({ sizeMax: 3, runsAtOnceMax: 1 }, async (items) => {
      batches.push(items);
      begun();
      // Long enough for the rest to come meanwhile, however busy the machine is: they come without waiting.
      await sleep(5);
      return items.map((item) => `<${item}>`);
    });
    const first = batcher.add(0);
    await firstRun;
    const rest = [1, 2, 3, 4].map((item) => batcher.add(item));
    expect(await Promise.all([first, ...rest])).toEqual(['<0>', '<1>', '<2>', '<3>', '<4>']);
    expect(batches).toEqual([[0], [1, 2, 3], [4]]);
  });

  it('fails those of the failed run alone', async () => {
    const batcher = new Batcher<number, number>({ sizeMax: 1, runsAtOnceMax: 1 }, async ([item]) => {
      if (item === 1) throw new Error('no');
      return [item!];
    });
    const results = await Promise.allSettled([batcher.add(0), batcher.add(1), batcher.add(2)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('gathers more while there is much to do, but keeps a single item waiting for nobody', async () => {
    const batches: number[] = [];
    const batcher = new Batcher<number, number>({ sizeMax: 20, runsAtOnceMax: 1, spacingMs: 1_000 }, async (items) => {
      batches.push(items.length);
      return items;
    });
    const addMany = (count: number) => Promise.all(Array.from({ length: count }, (_, item) => batcher.add(item)));
    const startedAt = performance.now();
    await addMany(1);
    await addMany(8);
    expect(performance.now() - startedAt).toBeLessThan(990);
    // Comes in dribs and drabs, and is handled together.
    await Promise.all([addMany(4), sleep(20).then(() => addMany(4)), sleep(40).then(() => addMany(4))]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
    // As many as fit need not wait for more.
    const fullAt = performance.now();
    await addMany(20);
    expect(performance.now() - fullAt).toBeLessThan(990);
    expect(batches).toEqual([1, 8, 12, 20]);
  });
});
