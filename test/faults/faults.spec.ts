import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectUnharmed, LIMIT_MS, type Outcome, play, type Run, SEED, SLOW_WRITE_MS } from './fault-run.js';
import { Random } from './random.js';
import { buildServer } from './service-process.js';

/** 20 rounds in all. They run next to one another, since most of the time is spent waiting. */
const RUNS: Run[] = [
  {
    name: 'one process with its own queue',
    withRedis: false,
    writers: 4,
    rounds: [
      ['kill all', 5],
      ['cut database connections', 2],
    ],
  },
  {
    name: 'an API and a worker with Redis',
    withRedis: true,
    writers: 4,
    rounds: [
      ['kill api', 3],
      ['kill worker', 3],
      ['cut database connections', 2],
    ],
  },
  {
    name: 'an API and a worker that lose Redis',
    withRedis: true,
    writers: 4,
    rounds: [
      ['flush redis', 3],
      ['kill redis for 10 s', 2],
    ],
  },
];

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

describe.each(RUNS)('$name', (run) => {
  it('loses no change and no event, and delivers each', async () => expectUnharmed(run, await outcomes.get(run.name)!), LIMIT_MS);
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
