import { beforeAll, it } from '@jest/globals';
import { expectUnharmed, LIMIT_MS, play, type Run, SEED } from './fault-run.js';
import { Random } from './random.js';
import { buildServer } from './service-process.js';

const RUN: Run = {
  name: 'a Redis cluster of three masters that loses one',
  redis: 'cluster',
  writers: 4,
  rounds: [
    ['lose a master of the redis cluster', 0, 15],
    ['lose the master of the redis cluster that has the queue', 1, 15],
  ],
};

beforeAll(() => buildServer(), 120_000);

it(
  'loses nothing that was answered, and comes back by itself',
  async () => expectUnharmed(RUN, await play(RUN, new Random(SEED))),
  LIMIT_MS,
);
