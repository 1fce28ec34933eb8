import { beforeAll, it } from '@jest/globals';
import { expectUnharmed, LIMIT_MS, play, type Run, SEED } from './fault-run.js';
import { Random } from './random.js';
import { buildServer } from './service-process.js';

/** Five rounds, or two hundred with time in between: short runs are so dense with faults that their share of duplicates says nothing. */
const IS_LONG = process.env['LONG'] === '1';
const OF_EACH = IS_LONG ? 4 : 1;

const RUN: Run = {
  name: 'an API and two workers, with a database that crashes',
  withRedis: true,
  workers: 2,
  ownPostgres: true,
  writers: 16,
  ...(IS_LONG ? { calmMs: 5_000, duplicatesShareMax: 0.01 } : {}),
  rounds: [
    ['kill worker', OF_EACH],
    ['pause worker', OF_EACH],
    ['pause redis', OF_EACH],
    ['crash database', OF_EACH],
    ['pause database', OF_EACH],
  ],
};

beforeAll(() => buildServer(), 120_000);

it(
  'under sixteen writers no change and no event is lost, and three receivers get each, hardly any twice',
  async () => expectUnharmed(RUN, await play(RUN, new Random(SEED))),
  OF_EACH * LIMIT_MS,
);
