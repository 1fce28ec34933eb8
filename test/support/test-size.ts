/**
 * How many cases of a test with many or random cases run: a few in `npm test`, more in `npm run test:all`, and all in the long runs
 * (`LONG=1`), whose figures are in `docs/engineering/guarantees.md`.
 */
export function sized<T>(few: T, more: T, all: T): T {
  if (process.env['LONG']) return all;
  return process.env['TEST_ALL'] ? more : few;
}

/** Returns every nth case, with a different start for each offset. */
export const everyNth = <T>(cases: readonly T[], n: number, offset = 0): T[] =>
  cases.filter((_, index) => (index + offset) % n === 0);
