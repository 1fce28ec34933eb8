import { describe, it } from '@jest/globals';
import { expectGuarantees, LIMIT_MS, startRunsBeforeTests, roundsOf, type Run } from './fault-run.js';

/** The short run uses only the first two entries. The last entry mounts a file system. */
const ALL_RUNS: Run[] = [
  {
    name: 'PostgreSQL with a synchronous standby',
    redis: 'one',
    postgres: 'replicated',
    writers: 4,
    rounds: [
      ['fail over', 1, 20],
      ['lose the standby', 1, 10],
    ],
  },
  {
    name: 'a Redis cluster',
    redis: 'cluster',
    writers: 4,
    rounds: [
      ['lose a master of the redis cluster', 0, 15],
      ['lose the master of the redis cluster that has the queue', 1, 15],
    ],
  },
  {
    name: 'PostgreSQL behind a network',
    redis: 'one',
    workers: 2,
    postgres: 'far',
    writers: 4,
    rounds: [
      ['restart database', 0, 15],
      ['pause database', 0, 15],
      ['slow network to the database', 0, 15],
    ],
  },
  {
    name: 'PostgreSQL on a small disk',
    redis: 'one',
    postgres: 'on a small disk',
    writers: 4,
    rounds: [['fill the disk of the database', 0, 10]],
  },
];
const RUNS = ALL_RUNS.filter((run) => roundsOf(run) > 0);

const outcomeOf = startRunsBeforeTests(RUNS);

describe.each(RUNS)('$name', (run) => {
  it(
    'loses no confirmed change during faults',
    async () => {
      expectGuarantees(run, await outcomeOf(run));
    },
    LIMIT_MS,
  );
});
