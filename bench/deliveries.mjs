import { randomBytes } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis } from '../test/support/redis.ts';
import { call, startService } from './service.mjs';
import { percentile } from './statistics.mjs';
import { createDatabase, dropDatabase } from './stores.mjs';

const DATABASE = 'bench_deliveries';
const WEBHOOKS = 10;
const WRITERS = 16;
const PACE_MS = 50;
const DRAIN_LIMIT_MS = 300_000;

/** How fast events reach a receiver on this machine: with Bull, when there is a redis-server, and with the queue in the process. */
export async function measureDeliveries(url, { burst, paced }, log) {
  const results = [];
  for (const queue of ['Bull', 'in-process']) {
    if (queue === 'Bull' && spawnSync('redis-server', ['--version']).status !== 0) {
      log('No redis-server on the PATH: deliveries with Bull are left out');
      continue;
    }
    log(`Deliveries, ${queue}`);
    const redis = queue === 'Bull' ? await startRedis() : undefined;
    const databaseUrl = await createDatabase(url, DATABASE);
    const service = await startService(databaseUrl, redis ? { REDIS_URL: redis.url } : {});
    try {
      results.push({ queue, ...(await measure(service, { burst, paced })) });
    } finally {
      await service.stop();
      await redis?.stop();
      await dropDatabase(url, DATABASE);
    }
  }
  return results;
}

async function measure(service, { burst, paced }) {
  const receiver = await startReceiver();
  try {
    await createOrganization(service, 'paced', `${receiver.url}/`, 1);
    await createOrganization(service, 'burst', `${receiver.url}/`, WEBHOOKS);
    // The first few pay for connections and code that is not compiled yet.
    await createUsers(service, 'paced', 20, PACE_MS);
    await receiver.settled(20);
    receiver.received.length = 0;

    await createUsers(service, 'paced', paced, PACE_MS);
    await receiver.settled(paced);
    const latenciesMs = receiver.received.map(({ happenedAt, receivedAt }) => receivedAt - happenedAt);
    receiver.received.length = 0;

    await Promise.all(Array.from({ length: WRITERS }, () => createUsers(service, 'burst', Math.ceil(burst / WRITERS), 0)));
    const expected = Math.ceil(burst / WRITERS) * WRITERS * WEBHOOKS;
    await receiver.settled(expected);
    const times = receiver.received.map(({ receivedAt }) => receivedAt);
    const elapsedSeconds = (times.at(-1) - times[0]) / 1000;
    return {
      deliveries: expected,
      perSecond: expected / elapsedSeconds,
      pacedEvents: paced,
      p50Ms: percentile(latenciesMs, 50),
      p99Ms: percentile(latenciesMs, 99),
    };
  } finally {
    await receiver.close();
  }
}

async function createOrganization(service, slug, url, webhookCount) {
  await call(service, 'POST', '/v1/organizations', { name: slug, slug });
  for (let index = 0; index < webhookCount; index++)
    await call(service, 'POST', `/v1/organizations/${slug}/webhooks`, { url, events: ['user.created'] });
}

async function createUsers(service, slug, count, paceMs) {
  for (let index = 0; index < count; index++) {
    await call(service, 'POST', `/v1/organizations/${slug}/users`, { email: `${randomBytes(8).toString('hex')}@example.com` });
    if (paceMs > 0) await sleep(paceMs);
  }
}

/** Notes when each event happened and when it came; answers at once. */
async function startReceiver() {
  const received = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const receivedAt = Date.now();
      response.end();
      received.push({ receivedAt, happenedAt: Date.parse(JSON.parse(Buffer.concat(chunks).toString()).timestamp) });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    received,
    settled: async (count) => {
      const deadline = performance.now() + DRAIN_LIMIT_MS;
      while (received.length < count) {
        if (performance.now() > deadline) throw new Error(`Only ${received.length} of ${count} deliveries came.`);
        await sleep(5);
      }
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
