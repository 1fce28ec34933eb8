import type { PendingResponse, TestResponse } from './http-client.js';

/** The long runs have all rounds, `npm test` a share of them. */
export const ROUNDS = process.env['LONG'] ? 500 : 25;
export const LONG_TEST_MS = 40 * 60_000;
export const AT_ONCE = 8;

type Ask = () => Promise<TestResponse> | PendingResponse;

/** A service that is overloaded by other load on the machine responds with 503 and does nothing, which proves nothing about a race. */
const served = (asked: Promise<TestResponse> | PendingResponse): Promise<TestResponse> =>
  'whenServed' in asked ? asked.whenServed() : asked;

/** Sends the same request eight times at once, and returns the statuses in ascending order. */
export async function eightTimes(ask: Ask): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => served(ask())));
  return answers.map(({ status }) => status).toSorted();
}

/** Sends two requests four times each, alternating and all at once; every other round starts with the second one. */
export async function fourAgainstFour(round: number, left: Ask, right: Ask): Promise<{ left: number[]; right: number[] }> {
  const isLeft = (index: number): boolean => (index + round) % 2 === 0;
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => served(isLeft(index) ? left() : right())));
  const of = (wanted: boolean) => answers.filter((_, index) => isLeft(index) === wanted).map(({ status }) => status);
  return { left: of(true).toSorted(), right: of(false).toSorted() };
}

/** Runs the rounds, and counts their outcomes. */
export async function rounds(play: (round: number) => Promise<unknown>, count = ROUNDS): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  for (let round = 0; round < count; round++) {
    const outcome = JSON.stringify(await play(round));
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}

/** Returns the statuses of eight requests when exactly one succeeds. */
export const oneWins = (winner: number, others: number): string =>
  JSON.stringify([winner, ...Array.from({ length: AT_ONCE - 1 }, () => others)].toSorted());
