import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { type Fault, type Round, runRound } from './fault-rounds.js';
import type { Verdict } from './history-check.js';
import { STEADY_PATH } from './observed-receiver.js';
import { Random } from './random.js';
import { buildServer } from './service-process.js';
import { World } from './world.js';
import type { Write } from './writers.js';

/** `FAULTS_SEED` repeats a run's random decisions; `LONG=1` runs ten times as many rounds. */
const SEED = Number(process.env['FAULTS_SEED'] ?? randomInt(2 ** 31));
const TIMES = process.env['LONG'] === '1' ? 10 : 1;
const LIMIT_MS = (180 + 120 * TIMES) * 1_000;

/** 20 rounds in all. They run next to one another, since most of the time is spent waiting. */
const RUNS: { name: string; withRedis: boolean; rounds: [Fault, number][] }[] = [
  {
    name: 'one process with its own queue',
    withRedis: false,
    rounds: [
      ['kill all', 5],
      ['cut database connections', 2],
    ],
  },
  {
    name: 'an API and a worker with Redis',
    withRedis: true,
    rounds: [
      ['kill api', 3],
      ['kill worker', 3],
      ['cut database connections', 2],
    ],
  },
  {
    name: 'an API and a worker that lose Redis',
    withRedis: true,
    rounds: [
      ['flush redis', 3],
      ['kill redis for 10 s', 2],
    ],
  },
];

/** A fault may leave this many attempts under way twice: as many as two webhooks may have at once. */
const IN_FLIGHT_MAX = 64;
/** Fewer would prove nothing. */
const DONE_IN_A_ROUND_MIN = 5;
const SLOW_WRITE_MS = 2_000;
const RESUMED_WITHIN_MS = 15_000;

interface Outcome {
  rounds: Round[];
  writes: readonly Write[];
  strange: readonly string[];
  verdict: Verdict & { drainMs: number };
  /** How long after each round the next change was answered and delivered. */
  resumedAfterMs: number[];
  complaints: string;
}

const outcomes = new Map<string, Promise<Outcome>>();

beforeAll(() => {
  buildServer();
  for (const [index, run] of RUNS.entries()) {
    const outcome = play(run, new Random(SEED + index));
    // Reported by the test that awaits it.
    outcome.catch(() => undefined);
    outcomes.set(run.name, outcome);
  }
}, 120_000);

afterAll(() => Promise.allSettled(outcomes.values()));

describe.each(RUNS)('$name', ({ name, rounds }) => {
  it(
    'loses no change and no event, and delivers each',
    async () => {
      const { strange, verdict, ...outcome } = await outcomes.get(name)!;
      process.stdout.write(`${summary(name, { strange, verdict, ...outcome })}\n`);
      const kills = outcome.rounds.filter(({ fault }) => fault === 'kill all' || fault === 'kill worker').length;
      const problems = [...strange, ...verdict.violations, ...stoppages(outcome)];
      const story = problems.length > 0 ? { rounds: outcome.rounds, complaints: outcome.complaints } : {};
      expect({ seed: SEED, problems, ...story }).toEqual({ seed: SEED, problems: [] });
      expect(verdict.duplicates).toBeLessThanOrEqual(kills * IN_FLIGHT_MAX);
      expect(outcome.rounds).toHaveLength(rounds.reduce((sum, [, count]) => sum + count * TIMES, 0));
      expect(countOf(outcome.writes, 'done')).toBeGreaterThan(DONE_IN_A_ROUND_MIN * outcome.rounds.length);
      expect(countOf(outcome.writes, 'refused')).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
});

it(
  'answers every write quickly and with success while Redis is lost, with retries pending',
  async () => {
    const { rounds, writes } = await outcomes.get(RUNS[2]!.name)!;
    expect(writes.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
    expect(writes.filter(({ tookMs }) => tookMs > SLOW_WRITE_MS)).toEqual([]);
    for (const { fault, fromMs, toMs, retriesPending } of rounds) {
      if (fault === 'flush redis') expect(retriesPending).toBeGreaterThan(0);
      else expect(writes.filter(({ startedAt }) => startedAt > fromMs && startedAt < toMs).length).toBeGreaterThan(20);
    }
  },
  LIMIT_MS,
);

async function play({ withRedis, rounds }: (typeof RUNS)[number], random: Random): Promise<Outcome> {
  const world = await World.create(withRedis, random);
  try {
    const faults = rounds.flatMap(([fault, count]) => Array.from({ length: count * TIMES }, () => fault));
    const done: Round[] = [];
    const resumedAfterMs: number[] = [];
    for (const fault of random.shuffled(faults)) {
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

function countOf(writes: readonly Write[], outcome: Write['outcome']): number {
  return writes.filter((write) => write.outcome === outcome).length;
}

function summary(name: string, { rounds, writes, verdict, resumedAfterMs }: Outcome): string {
  const count = (outcome: Write['outcome']): number => countOf(writes, outcome);
  const slowest = Math.max(...writes.filter(({ outcome }) => outcome === 'done').map(({ tookMs }) => tookMs));
  return [
    `${name} (seed ${SEED}): ${rounds.length} rounds`,
    `${writes.length} writes (${count('done')} done, ${count('refused')} refused, ${count('unknown')} unknown), slowest ${Math.round(slowest)} ms`,
    `${verdict.events} events, ${verdict.attempts} attempts, ${verdict.duplicates} duplicates`,
    `resumed after at most ${Math.round(Math.max(...resumedAfterMs))} ms, drained in ${Math.round(verdict.drainMs)} ms`,
  ].join('; ');
}
