import { expect } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, losesResults, type Round, runRound } from './fault-rounds.js';
import type { Verdict } from './history-check.js';
import { type Observed, STEADY_PATH } from './observed-receiver.js';
import { Random } from './random.js';
import { SystemUnderTest, type SystemOptions } from './system-under-test.js';
import type { Write } from './writers.js';

/** `FAULTS_SEED` repeats the random decisions of an earlier run. `npm run test:faults` sets `LONG=1`, which runs all rounds. */
export const SEED = Number(process.env['FAULTS_SEED'] ?? randomInt(2 ** 31));
export const IS_LONG = process.env['LONG'] === '1';
export const LIMIT_MS = (IS_LONG ? 40 : 5) * 60_000;

/** A system and the faults that occur in random order. */
export interface Run extends SystemOptions {
  readonly name: string;
  /** The faults, each with its number of rounds in the short run and in the long run. */
  readonly rounds: Faults;
  /** The number of deliveries before the first fault, in the short run and in the long run. Duplicates are not allowed before the first fault. */
  readonly before?: readonly [number, number];
  /** The minimum number of changes in the long run. */
  readonly changesMin?: number;
}

/** Faults with their numbers in the short run and in the long run. */
export type Faults = readonly (readonly [fault: Fault, short: number, long: number])[];

/**
 * Causes the faults in random order at random moments of `work`, which sends about `requests` requests and can go on while faults are left.
 * Resolves when `work` has ended. Returns the faults that occurred.
 */
export async function withFaults(
  { system, random }: { readonly system: SystemUnderTest; readonly random: Random },
  { faults, requests, sent }: { faults: Faults; requests: number; sent: () => number },
  work: (areFaultsLeft: () => boolean) => Promise<void>,
): Promise<Round[]> {
  const rounds: Round[] = [];
  const progress = { isDone: false };
  const planned = random.shuffled(faultsOf(faults));
  const working = work(() => rounds.length < planned.length).finally(() => (progress.isDone = true));
  const interval = Math.floor(requests / (planned.length + 1));
  const causing = (async () => {
    for (const fault of planned) {
      const enough = sent() + random.between(0, 2 * interval);
      while (sent() < enough && !progress.isDone) await sleep(5);
      if (progress.isDone) return;
      rounds.push(await runRound(system, fault, random));
      if (rounds.length % PROGRESS_ROUNDS === 0) process.stdout.write(`${rounds.length} of ${planned.length} faults\n`);
    }
  })();
  await Promise.all([working, causing]);
  return rounds;
}

/** Returns how often each fault occurred. */
export function countFaults(rounds: readonly Round[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { fault } of rounds) counts[fault] = (counts[fault] ?? 0) + 1;
  return counts;
}

/** Returns the faults of a run, each as often as it occurs. */
export const faultsOf = (faults: Faults): Fault[] =>
  faults.flatMap(([fault, short, long]) => Array.from({ length: IS_LONG ? long : short }, () => fault));

/** A fault can lose the result of an attempt that began at most this long before the fault. */
const BEFORE_FAULT_MS = 4_000;
/** A fault can lose the result of an attempt that began at most this long after the end of the fault. */
const AFTER_FAULT_MS = 1_000;
/** The minimum average number of changes per round. */
const CHANGES_PER_ROUND_MIN = 5;
export const SLOW_WRITE_MS = 2_000;
const PROGRESS_ROUNDS = 10;
const PROBLEMS_SHOWN = 30;
const RESUMED_WITHIN_MS = 10_000;

type Outcome = Awaited<ReturnType<typeof executeRun>>;

async function executeRun({ name, rounds, before, changesMin = 0, ...options }: Run) {
  const random = new Random(SEED);
  const system = await SystemUnderTest.create(options, random);
  const startedAt = performance.now();
  try {
    const faults = faultsOf(rounds);
    const deliveriesBefore = await waitForDeliveries(system, before?.[IS_LONG ? 1 : 0] ?? 0);
    const done: Round[] = [];
    /** The time between the end of each round and the delivery of a new change. */
    const resumedAfterMs: number[] = [];
    for (const fault of random.shuffled(faults)) {
      done.push(await runRound(system, fault, random));
      resumedAfterMs.push(await waitForNewDelivery(system));
      if (done.length % PROGRESS_ROUNDS === 0) process.stdout.write(`${name}: ${done.length} of ${faults.length} rounds\n`);
    }
    const changesWanted = IS_LONG ? changesMin : 0;
    while (countOf(system.writers.log, 'done') < changesWanted) await sleep(100);
    const { log: writes, unexplainedResponses } = system.writers;
    const [wroteForMs, requests] = [performance.now() - startedAt, writes.length];
    const verdict = await system.settle();
    const found = { rounds: done, writes, unexplainedResponses, verdict, before: deliveriesBefore };
    return { ...found, resumedAfterMs, wroteForMs, requests, processLogs: system.processLogs() };
  } finally {
    await system.close();
  }
}

/** Executes a run and expects the guarantees of docs/guarantees.md. Runs mostly wait, so tests can execute several runs concurrently. */
export async function expectGuarantees(run: Run): Promise<Outcome> {
  const outcome = await executeRun(run);
  process.stdout.write(`${summary(run.name, outcome)}\n`);
  const { unexplainedResponses, verdict, rounds, writes } = outcome;
  const problems = [
    ...unexplainedResponses,
    ...verdict.violations,
    ...lateRecoveries(outcome),
    ...unexplainedDuplicates(verdict, rounds),
  ];
  const details = problems.length > 0 ? { rounds, processLogs: outcome.processLogs } : {};
  expect({ seed: SEED, problems: problems.slice(0, PROBLEMS_SHOWN), ...details }).toEqual({ seed: SEED, problems: [] });
  expect(outcome.before.duplicates).toBe(0);
  expect(verdict.duplicates.length).toBeLessThanOrEqual(attemptsAtRisk(rounds));
  expect(rounds).toHaveLength(faultsOf(run.rounds).length);
  expect(countOf(writes, 'done')).toBeGreaterThan(CHANGES_PER_ROUND_MIN * rounds.length);
  expect(countOf(writes, 'rejected')).toBeGreaterThan(0);
  if (IS_LONG) {
    expect(countOf(writes, 'done')).toBeGreaterThanOrEqual(run.changesMin ?? 0);
    // Requests in progress at the end are not counted.
    expect(requestsPerSecondOf(outcome)).toBeGreaterThanOrEqual((run.requestsPerSecond ?? 0) * 0.99);
  }
  return outcome;
}

/** Waits for `count` deliveries. Returns the numbers of deliveries and duplicates. */
async function waitForDeliveries(system: SystemUnderTest, count: number) {
  for (;;) {
    const accepted = system.receiver.observed.filter(({ answeredStatus }) => answeredStatus === 200);
    const deliveries = new Set(accepted.map(({ path, eventId }) => `${path} ${eventId}`)).size;
    if (deliveries >= count) return { deliveries, duplicates: accepted.length - deliveries };
    await sleep(200);
  }
}

const attemptsAtRisk = (rounds: readonly Round[]): number => rounds.reduce((sum, round) => sum + round.attemptsAtRisk, 0);

const requestsPerSecondOf = ({ requests, wroteForMs }: Outcome): number => (requests / wroteForMs) * 1_000;

/** Waits until a new change is delivered. Returns the waiting time in milliseconds. */
async function waitForNewDelivery(system: SystemUnderTest): Promise<number> {
  const startedAt = performance.now();
  const timestamp = Date.now();
  const { observed } = system.receiver;
  let seen = observed.length;
  const isNew = ({ path, body }: Observed): boolean =>
    path === STEADY_PATH && Date.parse((JSON.parse(body.toString()) as { timestamp: string }).timestamp) >= timestamp;
  for (; performance.now() - startedAt < RESUMED_WITHIN_MS; await sleep(5)) {
    if (observed.slice(seen).some(isNew)) break;
    seen = observed.length;
  }
  return performance.now() - startedAt;
}

/** Returns a line for each round without the delivery of a new change within the limit. The line contains the slow requests of the round. */
function lateRecoveries({ rounds, writes, resumedAfterMs }: Pick<Outcome, 'rounds' | 'writes' | 'resumedAfterMs'>): string[] {
  return resumedAfterMs.flatMap((afterMs, index) => {
    if (afterMs < RESUMED_WITHIN_MS) return [];
    const { fault, fromMs, toMs } = rounds[index]!;
    const writesDuringFault = writes.filter(
      ({ startedAt, tookMs }) => startedAt + tookMs > fromMs && startedAt < toMs + RESUMED_WITHIN_MS,
    );
    const slowWrites = writesDuringFault
      .filter(({ tookMs }) => tookMs > SLOW_WRITE_MS)
      .map(({ effect, tookMs }) => `${effect}: ${tookMs} ms`);
    return [
      `nothing new arrived for ${afterMs} ms after "${fault}"; ${countOf(writesDuringFault, 'done')} writes done, slow: ${slowWrites.join(', ')}`,
    ];
  });
}

/** Returns a line for each duplicate delivery that no fault can have caused. */
function unexplainedDuplicates({ duplicates }: Verdict, rounds: readonly Round[]): string[] {
  const faults = rounds.filter(losesResults);
  return duplicates.flatMap(({ previousAtMs, attempts }) => {
    const at = previousAtMs - performance.timeOrigin;
    const isNear = faults.some(({ fromMs, toMs }) => at > fromMs - BEFORE_FAULT_MS && at < toMs + AFTER_FAULT_MS);
    return isNear
      ? []
      : [`duplicate of a delivery at ${new Date(previousAtMs).toISOString()} without a fault that can cause it: ${attempts}`];
  });
}

function countOf(writes: readonly Write[], outcome: Write['outcome']): number {
  return writes.filter((write) => write.outcome === outcome).length;
}

function summary(name: string, outcome: Outcome): string {
  const { rounds, writes, verdict, resumedAfterMs, before, wroteForMs } = outcome;
  const [done, rejected, unknown] = (['done', 'rejected', 'unknown'] as const).map((kind) => countOf(writes, kind));
  const numbers = {
    ...verdict,
    violations: verdict.violations.length,
    duplicates: verdict.duplicates.length,
    attemptsAtRisk: attemptsAtRisk(rounds),
    writes: { done, rejected, unknown, perSecond: requestsPerSecondOf(outcome), wroteForMs },
    slowestMs: writes.reduce((max, { outcome: kind, tookMs }) => (kind === 'done' ? Math.max(max, tookMs) : max), 0),
    resumedAfterMs: Math.max(...resumedAfterMs),
    before,
  };
  return `${name} (seed ${SEED}): ${rounds.length} rounds; ${JSON.stringify(numbers)}`;
}
