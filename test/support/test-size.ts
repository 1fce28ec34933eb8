import { randomInt } from 'node:crypto';

/** Returns the size of a test: `few` in `npm test`, `more` in `npm run test:all`, `all` in long runs (`LONG=1`). */
export function sized<T>(few: T, more: T, all: T): T {
  if (process.env['LONG']) return all;
  return process.env['TEST_ALL'] ? more : few;
}

/**
 * The seed of random tests: `SEED`, else the same one in each `npm test`, so that a run fails because of a change,
 * and another one in each larger run.
 */
export const SEED = Number(process.env['SEED'] ?? sized(1, randomInt(2 ** 31), randomInt(2 ** 31)));

/** Returns every nth case. `offset` shifts the selection. */
export const everyNth = <T>(cases: readonly T[], n: number, offset = 0): T[] =>
  cases.filter((_, index) => (index + offset) % n === 0);
