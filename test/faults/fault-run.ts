import { afterAll, beforeAll, expect } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, losesResults, type Round, runRound } from './fault-rounds.js';
import type { Verdict } from './history-check.js';
import { STEADY_PATH } from './observed-receiver.js';
import { Random } from './random.js';
import { buildServer } from '../support/service-process.js';
import { World, type WorldOptions } from './world.js';
import type { Write } from './writers.js';

/** `FAULTS_SEED` repeats the random decisions of a run; `LONG=1`, as `npm run test:faults` sets it, runs all rounds. */
export const SEED = Number(process.env['FAULTS_SEED'] ?? randomInt(2 ** 31));
export const IS_LONG = process.env['LONG'] === '1';
export const LIMIT_MS = (IS_LONG ? 40 : 5) * 60_000;

/** A world and its faults, in random order. */
export interface Run extends WorldOptions {
  readonly name: string;
  /** The fault, its number of rounds for every change, and in the long run. */
  readonly rounds: readonly (readonly [Fault, number, number])[];
  /** The number of deliveries before the first fault, none of them twice: for every change, and in the long run. */
  readonly before?: readonly [number, number];
  /** The minimum number of changes in the long run. */
  readonly changesMin?: number;
}

/** Returns the number of rounds of a run. */
export const roundsOf = ({ rounds }: Pick<Run, 'rounds'>): number =>
  rounds.reduce((sum, [, short, long]) => sum + (IS_LONG ? long : short), 0);

/**
 * An attempt can be made twice when its result was lost: if it began at most this long before the fault, or this long after its
 * end.
 */
const BEFORE_FAULT_MS = 4_000;
const AFTER_FAULT_MS = 1_000;
/** Fewer changes prove nothing. */
const DONE_IN_A_ROUND_MIN = 5;
export const SLOW_WRITE_MS = 2_000;
const PROGRESS_ROUNDS = 10;
const PROBLEMS_SHOWN = 30;
const RESUMED_WITHIN_MS = 10_000;

/** The result of a run. */
export interface Outcome {
  rounds: Round[];
  writes: readonly Write[];
  unexplainedResponses: readonly string[];
  verdict: Verdict & { drainMs: number };
  /** The time after each round until the next change had its response and was delivered. */
  resumedAfterMs: number[];
  /** How long the writers wrote, and how many of their requests had ended by then. */
  wroteForMs: number;
  requests: number;
  /** The deliveries before the first fault, and the duplicates among them. */
  before: Delivered;
  complaints: string;
}

/** Runs all rounds. */
export async function play({ name, rounds, before, changesMin = 0, ...options }: Run, random: Random): Promise<Outcome> {
  const world = await World.create(options, random);
  const startedAt = performance.now();
  try {
    const faults = rounds.flatMap(([fault, short, long]) => Array.from({ length: IS_LONG ? long : short }, () => fault));
    const deliveriesBefore = await delivered(world, before?.[IS_LONG ? 1 : 0] ?? 0);
    const done: Round[] = [];
    const resumedAfterMs: number[] = [];
    for (const fault of random.shuffled(faults)) {
      done.push(await runRound(world, fault, random));
      resumedAfterMs.push(await resumed(world));
      if (done.length % PROGRESS_ROUNDS === 0) process.stdout.write(`${name}: ${done.length} of ${faults.length} rounds\n`);
    }
    const changesWanted = IS_LONG ? changesMin : 0;
    while (countOf(world.writers.log, 'done') < changesWanted) await sleep(100);
    const wroteForMs = performance.now() - startedAt;
    const requests = world.writers.log.length;
    const verdict = await world.settle();
    const { log: writes, unexplainedResponses } = world.writers;
    const complaints = world.complaints();
    return {
      rounds: done,
      writes,
      unexplainedResponses,
      verdict,
      resumedAfterMs,
      wroteForMs,
      requests,
      before: deliveriesBefore,
      complaints,
    };
  } finally {
    await world.close();
  }
}

/** Starts the runs of a file concurrently before its tests, because they mostly wait; returns the outcome of each. */
export function playBeforeTests(runs: readonly Run[]): (run: Run) => Promise<Outcome> {
  const outcomes = new Map<Run, Promise<Outcome>>();
  beforeAll(() => {
    buildServer();
    for (const [index, run] of runs.entries()) {
      const outcome = play(run, new Random(SEED + index));
      // The test that awaits it reports the error.
      outcome.catch(() => undefined);
      outcomes.set(run, outcome);
    }
  }, 120_000);
  afterAll(() => Promise.allSettled(outcomes.values()));
  return (run) => outcomes.get(run)!;
}

/** Fails unless the run violated no guarantee. */
export function expectUnharmed(run: Run, outcome: Outcome): void {
  process.stdout.write(`${summary(run.name, outcome)}\n`);
  const { unexplainedResponses, verdict, rounds, writes } = outcome;
  const problems = [...unexplainedResponses, ...verdict.violations, ...stoppages(outcome), ...unexplained(verdict, rounds)];
  const story = problems.length > 0 ? { rounds, complaints: outcome.complaints } : {};
  expect({ seed: SEED, problems: problems.slice(0, PROBLEMS_SHOWN), ...story }).toEqual({ seed: SEED, problems: [] });
  expect(outcome.before.twice).toBe(0);
  expect(verdict.duplicates.length).toBeLessThanOrEqual(inHand(rounds));
  expect(rounds).toHaveLength(roundsOf(run));
  expect(countOf(writes, 'done')).toBeGreaterThan(DONE_IN_A_ROUND_MIN * rounds.length);
  expect(countOf(writes, 'refused')).toBeGreaterThan(0);
  if (!IS_LONG) return;
  expect(countOf(writes, 'done')).toBeGreaterThanOrEqual(run.changesMin ?? 0);
  // Minus the requests in progress at the end.
  expect(requestsASecond(outcome)).toBeGreaterThanOrEqual((run.requestsPerSecond ?? 0) * 0.99);
}

interface Delivered {
  once: number;
  twice: number;
}

/** Waits for this number of deliveries. */
async function delivered(world: World, wanted: number): Promise<Delivered> {
  for (;;) {
    const taken = world.receiver.observed.filter(({ answeredStatus }) => answeredStatus === 200);
    const once = new Set(taken.map(({ path, eventId }) => `${path} ${eventId}`)).size;
    if (once >= wanted) return { once, twice: taken.length - once };
    await sleep(200);
  }
}

const inHand = (rounds: readonly Round[]): number => rounds.reduce((sum, round) => sum + round.inHand, 0);

const requestsASecond = ({ requests, wroteForMs }: Outcome): number => (requests / wroteForMs) * 1_000;

/** Waits until a new change is delivered; returns how long that took. */
async function resumed(world: World): Promise<number> {
  const startedAt = performance.now();
  const timestamp = Date.now();
  const { observed } = world.receiver;
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      world.moments.off('received', check);
      resolve();
    };
    const check = (): void => {
      const { path, body } = observed.at(-1)!;
      const { timestamp: writtenAt } = JSON.parse(body.toString()) as { timestamp: string };
      if (path === STEADY_PATH && Date.parse(writtenAt) >= timestamp) finish();
    };
    const timer = setTimeout(finish, RESUMED_WITHIN_MS);
    world.moments.on('received', check);
  });
  return performance.now() - startedAt;
}

/** Returns the rounds after which new changes were delivered late, and the requests that were slow meanwhile. */
function stoppages({ rounds, writes, resumedAfterMs }: Pick<Outcome, 'rounds' | 'writes' | 'resumedAfterMs'>): string[] {
  return resumedAfterMs.flatMap((afterMs, index) => {
    if (afterMs < RESUMED_WITHIN_MS) return [];
    const { fault, fromMs, toMs } = rounds[index]!;
    const since = writes.filter(({ startedAt, tookMs }) => startedAt + tookMs > fromMs && startedAt < toMs + RESUMED_WITHIN_MS);
    const hanging = since.filter(({ tookMs }) => tookMs > SLOW_WRITE_MS).map(({ effect, tookMs }) => `${effect}: ${tookMs} ms`);
    return [
      `nothing new arrived for ${afterMs} ms after "${fault}"; ${countOf(since, 'done')} writes done, slow: ${hanging.join(', ')}`,
    ];
  });
}

/** Returns the events that a webhook accepted twice without a fault that can cause it. */
function unexplained({ duplicates }: Verdict, rounds: readonly Round[]): string[] {
  const faults = rounds.filter(losesResults);
  return duplicates.flatMap(({ afterMs, attempts }) => {
    const at = afterMs - performance.timeOrigin;
    const isNear = faults.some(({ fromMs, toMs }) => at > fromMs - BEFORE_FAULT_MS && at < toMs + AFTER_FAULT_MS);
    return isNear ? [] : [`a delivery came again at ${new Date(afterMs).toISOString()} with no fault near: ${attempts}`];
  });
}

function countOf(writes: readonly Write[], outcome: Write['outcome']): number {
  return writes.filter((write) => write.outcome === outcome).length;
}

function summary(name: string, outcome: Outcome): string {
  const { rounds, writes, verdict, resumedAfterMs, before } = outcome;
  const count = (kind: Write['outcome']): number => countOf(writes, kind);
  const slowest = writes.reduce((most, { outcome: kind, tookMs }) => (kind === 'done' ? Math.max(most, tookMs) : most), 0);
  return [
    `${name} (seed ${SEED}): ${rounds.length} rounds`,
    `${writes.length} writes (${count('done')} done, ${count('refused')} refused, ${count('unknown')} unknown), slowest ${Math.round(slowest)} ms, ${Math.round(requestsASecond(outcome))} a second for ${Math.round(outcome.wroteForMs / 1_000)} s`,
    `${verdict.events} events, ${verdict.deliveries} deliveries, ${verdict.attempts} attempts, ${verdict.duplicates.length} duplicates of ${inHand(rounds)} in hand at a fault (${before.twice} of ${before.once} before the first)`,
    `resumed after at most ${Math.round(Math.max(...resumedAfterMs))} ms, drained in ${Math.round(verdict.drainMs)} ms`,
  ].join('; ');
}
