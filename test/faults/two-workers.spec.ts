import { beforeAll, it } from '@jest/globals';
import { expectUnharmed, LIMIT_MS, play, type Run, SEED } from './fault-run.js';
import { Random } from './random.js';
import { buildServer } from './service-process.js';

const RUN: Run = {
  name: 'an API and two workers, with a database that crashes',
  withRedis: true,
  workers: 2,
  ownPostgres: true,
  writers: 16,
  duplicatesShareMax: 0.01,
  rounds: [
    ['kill worker', 1],
    ['pause worker', 1],
    ['pause redis', 1],
    ['crash database', 1],
    ['pause database', 1],
  ],
};

beforeAll(() => buildServer(), 120_000);

it(
  'under sixteen writers no change and no event is lost, and three receivers get each, hardly any twice',
  async () => expectUnharmed(RUN, await play(RUN, new Random(SEED))),
  LIMIT_MS,
);
