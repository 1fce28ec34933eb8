import { randomBytes } from 'node:crypto';
import { beforeAll, expect, it, jest } from '@jest/globals';
import { findFreePort } from '../support/free-port.js';
import { createTestDatabase } from '../support/postgres.js';
import { buildServer, failedStart } from '../support/service-process.js';
import { expectGuarantees, faultsOf, IS_LONG, LIMIT_MS, type Run } from './fault-run.js';

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
/** The long run measures the guarantees G1 and G2 of docs/guarantees.md. */
const UNDER_LOAD: Run = {
  name: 'an API and two workers, with a database that crashes',
  redis: 'one',
  postgres: 'own',
  workers: 2,
  ...(IS_LONG ? { writers: 64, requestsPerSecond: 100 } : { writers: 4 }),
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
const DEAD_PORT = 1;
/** The limit of 30 s and the startup of the process on a busy machine. */
const EXIT_WITHIN_MS = 60_000;

jest.setTimeout(LIMIT_MS);

beforeAll(buildServer, 120_000);

const concurrent = it.concurrent.each(ALL_RUNS.filter(({ rounds }) => faultsOf(rounds).length > 0));
concurrent('loses no confirmed change during faults ($name)', expectGuarantees);

// In the long run, nothing else uses the processors.
(IS_LONG ? it : it.concurrent)(
  'the service loses no change when the database crashes under load',
  async () => void (await expectGuarantees(UNDER_LOAD)),
);

it.concurrent.each([
  ['PostgreSQL', 'DATABASE_URL', 'postgres', '/identity'],
  ['Redis', 'REDIS_URL', 'redis', ''],
])('a start without %s fails after 30 s and names the store', async (store, variable, scheme, path) => {
  const database = await createTestDatabase();
  const { lines, tookMs } = await failedStart({
    PORT: String(await findFreePort()),
    SECRETS_KEY: randomBytes(32).toString('base64'),
    DATABASE_URL: database.url,
    [variable]: `${scheme}://someone:never-printed@127.0.0.1:${DEAD_PORT}${path}`,
  });
  await database.drop();
  const address = `127.0.0.1:${DEAD_PORT}`;
  expect(lines).toEqual([`Can't reach ${store} at ${address}${path} (connect ECONNREFUSED ${address}). Check ${variable}.`]);
  expect(tookMs).toBeLessThan(EXIT_WITHIN_MS);
});
