import type { PendingResponse, TestResponse } from './http-client.js';

export const ROUNDS = process.env['LONG'] ? 500 : 25;
export const LONG_TEST_MS = 40 * 60_000;
export const AT_ONCE = 8;

type Ask = () => Promise<TestResponse> | PendingResponse;

/** Retries a request while the overloaded service returns 503. A 503 proves nothing about a race. */
const served = (request: Promise<TestResponse> | PendingResponse): Promise<TestResponse> =>
  'whenServed' in request ? request.whenServed() : request;

/** Sends eight concurrent requests. Returns the statuses in ascending order. */
export async function eightTimes(ask: Ask): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: AT_ONCE }, () => served(ask())));
  return responses.map(({ status }) => status).toSorted();
}

/** Sends the two requests four times each, concurrently and alternating. Odd rounds start with the second request. */
export async function fourAgainstFour(round: number, left: Ask, right: Ask): Promise<{ left: number[]; right: number[] }> {
  const isLeft = (index: number): boolean => (index + round) % 2 === 0;
  const responses = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => served(isLeft(index) ? left() : right())));
  const of = (wanted: boolean) => responses.filter((_, index) => isLeft(index) === wanted).map(({ status }) => status);
  return { left: of(true).toSorted(), right: of(false).toSorted() };
}

/** Runs the rounds. Returns the number of rounds by outcome. */
export async function rounds(play: (round: number) => Promise<unknown>, count = ROUNDS): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  for (let round = 0; round < count; round++) {
    const outcome = JSON.stringify(await play(round));
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  return outcomes;
}

/** Returns the outcome of eight requests: one response with the status `winner`, seven with the status `others`. */
export const oneWins = (winner: number, others: number): string =>
  JSON.stringify([winner, ...Array.from({ length: AT_ONCE - 1 }, () => others)].toSorted());
