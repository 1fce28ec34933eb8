import { expect } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, type Round, runRound } from './fault-rounds.js';
import type { Verdict } from './history-check.js';
import { STEADY_PATH } from './observed-receiver.js';
import type { Random } from './random.js';
import { World, type WorldOptions } from './world.js';
import type { Write } from './writers.js';

/** `FAULTS_SEED` repeats a run's random decisions; `LONG=1` runs ten times as many rounds. */
export const SEED = Number(process.env['FAULTS_SEED'] ?? randomInt(2 ** 31));
export const TIMES = process.env['LONG'] === '1' ? 10 : 1;
export const LIMIT_MS = (180 + 120 * TIMES) * 1_000;

/** A world and the faults that it meets, in random order. */
export interface Run extends WorldOptions {
  readonly name: string;
  readonly rounds: readonly (readonly [Fault, number])[];
  /** Between one fault and the next; without it they follow one another as soon as the service has come back. */
  readonly calmMs?: number;
  /** Where enough is delivered between the faults for a share to mean something; that duplicates lie around faults alone is asked of every run. */
  readonly duplicatesShareMax?: number;
}

/** An attempt may be made twice when its result was lost: so long before the fault it may have begun, and so long after it ended. */
const BEFORE_FAULT_MS = 4_000;
const AFTER_FAULT_MS = 1_000;
/** Fewer would prove nothing. */
const DONE_IN_A_ROUND_MIN = 5;
export const SLOW_WRITE_MS = 2_000;
const RESUMED_WITHIN_MS = 15_000;

/** All that is left of a run. */
export interface Outcome {
  rounds: Round[];
  writes: readonly Write[];
  strange: readonly string[];
  verdict: Verdict & { drainMs: number };
  /** How long after each round the next change was answered and delivered. */
  resumedAfterMs: number[];
  complaints: string;
}

/** Plays a run to its end. */
export async function play({ rounds, calmMs = 0, ...options }: Run, random: Random): Promise<Outcome> {
  const world = await World.create(options, random);
  try {
    const faults = rounds.flatMap(([fault, count]) => Array.from({ length: count * TIMES }, () => fault));
    const done: Round[] = [];
    const resumedAfterMs: number[] = [];
    for (const fault of random.shuffled(faults)) {
      await sleep(calmMs);
      done.push(await runRound(world, fault, random));
      resumedAfterMs.push(await resumed(world));
    }
    const verdict = await world.settle();
    const { log: writes, strange } = world.writers;
    return { rounds: done, writes, strange, verdict, resumedAfterMs, complaints: world.complaints() };
  } finally {
    await world.close();
  }
}

/** Fails unless the run kept every promise. */
export function expectUnharmed({ name, rounds, duplicatesShareMax }: Run, { strange, verdict, ...outcome }: Outcome): void {
  process.stdout.write(`${summary(name, { strange, verdict, ...outcome })}\n`);
  const problems = [...strange, ...verdict.violations, ...stoppages(outcome), ...unexplained(verdict, outcome.rounds)];
  const story = problems.length > 0 ? { rounds: outcome.rounds, complaints: outcome.complaints } : {};
  expect({ seed: SEED, problems, ...story }).toEqual({ seed: SEED, problems: [] });
  if (duplicatesShareMax !== undefined) expect(verdict.duplicatesOf.length / verdict.deliveries).toBeLessThan(duplicatesShareMax);
  expect(outcome.rounds).toHaveLength(rounds.reduce((sum, [, count]) => sum + count * TIMES, 0));
  expect(countOf(outcome.writes, 'done')).toBeGreaterThan(DONE_IN_A_ROUND_MIN * outcome.rounds.length);
  expect(countOf(outcome.writes, 'refused')).toBeGreaterThan(0);
}

/** Waits until something that is written from now on is delivered; gives how long that took. */
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

/** Rounds after which nothing new was delivered for long, and the requests that had no answer for long meanwhile. */
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

/** Faults that can take the result of an attempt away, so that it is made again. */
const LOSES_RESULTS: ReadonlySet<Fault> = new Set([
  'kill all',
  'kill worker',
  'pause worker',
  'crash database',
  'pause database',
]);

/** Events that a webhook took twice although there was no such fault. */
function unexplained({ duplicatesOf }: Verdict, rounds: readonly Round[]): string[] {
  const faults = rounds.filter(({ fault }) => LOSES_RESULTS.has(fault));
  const atMs = duplicatesOf.map((receivedAt) => receivedAt - performance.timeOrigin);
  const alone = atMs.filter(
    (at) => !faults.some(({ fromMs, toMs }) => at > fromMs - BEFORE_FAULT_MS && at < toMs + AFTER_FAULT_MS),
  );
  return alone.length > 0 ? [`${alone.length} of ${atMs.length} duplicates have no fault near them`] : [];
}

function countOf(writes: readonly Write[], outcome: Write['outcome']): number {
  return writes.filter((write) => write.outcome === outcome).length;
}

function summary(name: string, { rounds, writes, verdict, resumedAfterMs }: Outcome): string {
  const count = (outcome: Write['outcome']): number => countOf(writes, outcome);
  const slowest = Math.max(...writes.filter(({ outcome }) => outcome === 'done').map(({ tookMs }) => tookMs));
  return [
    `${name} (seed ${SEED}): ${rounds.length} rounds`,
    `${writes.length} writes (${count('done')} done, ${count('refused')} refused, ${count('unknown')} unknown), slowest ${Math.round(slowest)} ms`,
    `${verdict.events} events, ${verdict.deliveries} deliveries, ${verdict.attempts} attempts, ${verdict.duplicatesOf.length} duplicates`,
    `resumed after at most ${Math.round(Math.max(...resumedAfterMs))} ms, drained in ${Math.round(verdict.drainMs)} ms`,
  ].join('; ');
}
