import { expect, it, jest } from '@jest/globals';
import { expectGuarantees, LIMIT_MS, type Run, SLOW_WRITE_MS } from './fault-run.js';

const RUNS: Run[] = [
  {
    name: 'one process',
    writers: 4,
    rounds: [
      ['kill all', 2, 30],
      ['pause all', 1, 10],
      ['cut database connections', 1, 10],
    ],
  },
  {
    name: 'an API and a worker',
    redis: 'one',
    writers: 4,
    rounds: [
      ['kill api', 1, 10],
      ['kill worker', 1, 10],
      ['pause api', 1, 10],
      ['pause worker', 1, 10],
      ['cut database connections', 1, 10],
    ],
  },
];
const REDIS_RUN: Run = {
  name: 'an API and a worker, Redis faults',
  redis: 'one',
  writers: 4,
  rounds: [
    ['flush redis', 1, 10],
    ['kill redis for 10 s', 1, 10],
    ['pause redis', 1, 10],
  ],
};

jest.setTimeout(LIMIT_MS);

it.concurrent.each(RUNS)('delivers an event for every change during faults ($name)', expectGuarantees);

it.concurrent('every write succeeds quickly while Redis is unavailable', async () => {
  const { rounds, writes } = await expectGuarantees(REDIS_RUN);
  expect(writes.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
  expect(writes.filter(({ tookMs }) => tookMs > SLOW_WRITE_MS)).toEqual([]);
  for (const { fault, fromMs, toMs, retriesPending } of rounds) {
    if (fault === 'flush redis') expect(retriesPending).toBeGreaterThan(0);
    if (fault === 'kill redis for 10 s')
      expect(writes.filter(({ startedAt }) => startedAt > fromMs && startedAt < toMs).length).toBeGreaterThan(20);
  }
});
