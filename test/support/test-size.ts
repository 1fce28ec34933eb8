/** Returns the size of a test: `few` in `npm test`, `more` in `npm run test:all`, `all` in long runs (`LONG=1`). */
export function sized<T>(few: T, more: T, all: T): T {
  if (process.env['LONG']) return all;
  return process.env['TEST_ALL'] ? more : few;
}

/** Returns every nth case. `offset` shifts the selection. */
export const everyNth = <T>(cases: readonly T[], n: number, offset = 0): T[] =>
  cases.filter((_, index) => (index + offset) % n === 0);
