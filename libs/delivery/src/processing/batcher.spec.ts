import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Batcher } from './batcher.js';

describe('Batcher', () => {
  it('handles together what comes while a run is under way, in order, up to the size', async () => {
    const batches: number[][] = [];
    let begun = (): void => undefined;
    const firstRun = new Promise<void>((resolve) => (begun = resolve));
    const batcher = new Batcher<number, string>(3, 1, async (items) => {
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
    const batcher = new Batcher<number, number>(1, 1, async ([item]) => {
      if (item === 1) throw new Error('no');
      return [item!];
    });
    const results = await Promise.allSettled([batcher.add(0), batcher.add(1), batcher.add(2)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
