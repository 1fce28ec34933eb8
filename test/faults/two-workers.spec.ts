import { beforeAll, it } from '@jest/globals';
import { expectGuarantees, LIMIT_MS, executeRun, type Run, SEED } from './fault-run.js';
import { Random } from './random.js';
import { buildServer } from '../support/service-process.js';

/** The long run measures the guarantees G1 and G2 of docs/guarantees.md. */
const RUN: Run = {
  name: 'an API and two workers, with a database that crashes',
  redis: 'one',
  postgres: 'own',
  workers: 2,
  writers: 64,
  requestsPerSecond: 100,
  before: [500, 10_000],
  changesMin: 20_000,
  rounds: [
    ['kill worker', 1, 50],
    ['kill api', 0, 50],
    ['kill redis', 1, 25],
    ['flush redis', 0, 25],
    ['crash database', 1, 20],
  ],
};

beforeAll(() => buildServer(), 120_000);

it(
  'the service loses no change when the database crashes under load',
  async () => expectGuarantees(RUN, await executeRun(RUN, new Random(SEED))),
  LIMIT_MS,
);
