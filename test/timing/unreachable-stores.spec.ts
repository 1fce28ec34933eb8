import { randomBytes } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import { findFreePort } from '../support/free-port.js';
import { createTestDatabase } from '../support/postgres.js';
import { buildServer, failedStart } from '../support/service-process.js';

const DEAD_PORT = 1;
const PASSWORD = 'never-printed';
/** The limit of 30 s and the startup of the process on a busy machine. */
const EXIT_WITHIN_MS = 60_000;

beforeAll(buildServer, 120_000);

it('a start without PostgreSQL or Redis fails after 30 s and names the store', async () => {
  const PORT = String(await findFreePort());
  const SECRETS_KEY = randomBytes(32).toString('base64');
  const database = await createTestDatabase();
  const [withoutDatabase, withoutRedis] = await Promise.all([
    failedStart({ PORT, SECRETS_KEY, DATABASE_URL: `postgres://someone:${PASSWORD}@127.0.0.1:${DEAD_PORT}/identity` }),
    failedStart({
      PORT,
      SECRETS_KEY,
      DATABASE_URL: database.url,
      REDIS_URL: `redis://someone:${PASSWORD}@127.0.0.1:${DEAD_PORT}`,
    }),
  ]);
  await database.drop();

  expect(withoutDatabase.lines).toEqual([
    `Can't reach PostgreSQL at 127.0.0.1:${DEAD_PORT}/identity (connect ECONNREFUSED 127.0.0.1:${DEAD_PORT}). Check DATABASE_URL.`,
  ]);
  expect(withoutRedis.lines).toEqual([
    `Can't reach Redis at 127.0.0.1:${DEAD_PORT} (connect ECONNREFUSED 127.0.0.1:${DEAD_PORT}). Check REDIS_URL.`,
  ]);
  for (const { tookMs } of [withoutDatabase, withoutRedis]) expect(tookMs).toBeLessThan(EXIT_WITHIN_MS);
}, 180_000);
