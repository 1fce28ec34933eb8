import { randomBytes } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { startRedis } from '../test/support/redis.ts';
import { startDeliveriesBaseline } from './deliveries-baseline.mjs';
import { openOutbox } from './deliveries-outbox.mjs';
import { startReceiver } from './deliveries-receiver.mjs';
import { call, startService } from './service.mjs';
import { median, percentile } from './statistics.mjs';
import { createDatabase, dropDatabase } from './stores.mjs';

const DATABASE = 'bench_deliveries';
const WEBHOOKS = 10;
const CONNECTIONS = 16;
const IDLE_PACE_MS = 50;
const SUBSCRIBED = ['user.created'];

/**
 * Measures how fast events reach a receiver, with the in-process queue and, if redis-server is installed, with Bull. The baseline is a
 * minimal program in the same run.
 */
export async function measureDeliveries(url, sizes, log, only = '') {
  const withRedis = spawnSync('redis-server', ['--version']).status === 0;
  if (!withRedis) log('No redis-server on the PATH: deliveries with Bull and the baseline are left out');
  const redis = withRedis ? await startRedis() : undefined;
  const receiver = await startReceiver();
  const results = [];
  try {
    const queues = withRedis ? ['Bull', 'in-process'] : ['in-process'];
    for (const queue of queues.filter((name) => name.includes(only))) {
      log(`Deliveries, ${queue}`);
      results.push({ queue, ...(await measureQueue(url, queue, { redis, receiver }, sizes, log)) });
    }
  } finally {
    await receiver.stop();
    await redis?.stop();
  }
  return results;
}

async function measureQueue(url, queue, { redis, receiver }, sizes, log) {
  const databaseUrl = await createDatabase(url, DATABASE);
  const baseline =
    redis && (await startDeliveriesBaseline({ databaseUrl, redisUrl: redis.url, receiverUrl: `${receiver.url}/` }));
  const outbox = await openOutbox(databaseUrl);
  const service = await startService(databaseUrl, queue === 'Bull' ? { REDIS_URL: redis.url } : {});
  try {
    const bench = { service, baseline, outbox, receiver, sizes, log };
    await createOrganization(service, 'none', receiver.url, 0);
    await createOrganization(service, 'one', receiver.url, 1);
    await createOrganization(service, 'ten', receiver.url, WEBHOOKS);
    for (const slug of ['none', 'one', 'ten']) await warmUp(bench, slug);
    await baseline?.drain(sizes.warmUp * WEBHOOKS, await outbox.latestPayload('ten'));
    return { ...(await measureLatency(bench)), ...(await measureDrains(bench)), ...(await measureLoad(bench)) };
  } finally {
    await service.stop();
    await outbox.close();
    await baseline?.stop();
    await dropDatabase(url, DATABASE);
  }
}

/** Sends the first requests, which are slow because they open connections and run code that is not compiled yet. */
async function warmUp({ service, outbox, sizes }, slug) {
  for (let index = 0; index < 10; index++) await createUser(service, slug);
  await outbox.fill(slug, sizes.warmUp);
  await outbox.drained();
}

/** Measures the latency of events of an idle service, and one `get user` at a time, as the unit in which the latency is compared. */
async function measureLatency({ service, receiver, outbox, sizes, log }) {
  log('  from an event to its receiver, nothing else going on');
  const user = await createUser(service, 'none');
  const getsMs = [];
  for (let index = 0; index < sizes.paced; index++) {
    const startedAt = performance.now();
    await call(service, 'GET', `/v1/organizations/none/users/${user.id}`);
    getsMs.push(performance.now() - startedAt);
  }
  const latencies = receiver.expect(sizes.paced);
  for (let index = 0; index < sizes.paced; index++) {
    await createUser(service, 'one');
    await sleep(IDLE_PACE_MS);
  }
  const idle = spread(await latencies);
  await outbox.drained();
  return { idle, getUserMs: median(getsMs) };
}

/**
 * Measures the delivery of backlogs, from the commit of the events until the last attempt is recorded. Alternates with the baseline.
 */
async function measureDrains({ outbox, receiver, baseline, sizes, log }) {
  const [tenRates, oneRates, baselineRates] = [[], [], []];
  const body = await outbox.latestPayload('ten');
  for (let round = 1; round <= sizes.rounds; round++) {
    log(`  backlogs, round ${round} of ${sizes.rounds}`);
    tenRates.push(await drain({ outbox, receiver }, 'ten', sizes.events, WEBHOOKS));
    if (baseline) {
      const latencies = receiver.expect(sizes.events * WEBHOOKS);
      baselineRates.push(await baseline.drain(sizes.events * WEBHOOKS, body));
      await latencies;
    }
    oneRates.push(await drain({ outbox, receiver }, 'one', sizes.backlog, 1));
  }
  return {
    tenPerSecond: median(tenRates),
    onePerSecond: median(oneRates),
    baselinePerSecond: median(baselineRates),
    rounds: { ten: tenRates, one: oneRates, baseline: baselineRates },
  };
}

async function drain({ outbox, receiver }, slug, eventCount, webhookCount) {
  const before = await outbox.attemptCount();
  const expected = eventCount * webhookCount;
  const latencies = receiver.expect(expected);
  await outbox.fill(slug, eventCount);
  const startedAt = performance.now();
  await latencies;
  await outbox.drained();
  const perSecond = expected / ((performance.now() - startedAt) / 1_000);
  const recorded = (await outbox.attemptCount()) - before;
  if (recorded !== expected) throw new Error(`${recorded} attempts were recorded of ${expected} deliveries.`);
  return perSecond;
}

/** Measures the rate of user creation without webhooks and with ten, and the latency of events at half of the maximum rate. */
async function measureLoad(bench) {
  const { service, outbox, receiver, sizes, log } = bench;
  log('  creating users without webhooks and with ten');
  const rates = { none: [], ten: [] };
  let sustained = 0;
  for (let round = 0; round < sizes.rounds; round++) {
    for (const slug of round % 2 === 0 ? ['none', 'ten'] : ['ten', 'none']) {
      const startedAt = performance.now();
      const { perSecond, count } = await createUsers(service, slug, sizes.seconds);
      rates[slug].push(perSecond);
      await outbox.drained();
      if (slug === 'ten') sustained = count / ((performance.now() - startedAt) / 1_000);
    }
  }
  const halfPerSecond = sustained / 2;
  log(`  from an event to its receivers at ${halfPerSecond.toFixed(0)} events/s, half of what is sustained`);
  const count = Math.ceil(halfPerSecond * sizes.seconds * 2);
  const latencies = receiver.expect(count * WEBHOOKS);
  await createUsersPaced(service, 'ten', count, 1_000 / halfPerSecond);
  const half = spread(await latencies);
  await outbox.drained();
  return { createPerSecond: median(rates.none), createWithTenPerSecond: median(rates.ten), sustained, half };
}

async function createUsers(service, slug, seconds) {
  const startedAt = performance.now();
  const { non2xx, errors, ...counts } = await autocannon({
    url: service.url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: service.headers,
    requests: [{ setupRequest: (request) => ({ ...request, ...userRequest(slug) }) }],
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} users of "${slug}" could not be created.`);
  const count = counts['2xx'];
  return { count, perSecond: count / ((performance.now() - startedAt) / 1_000) };
}

/** Creates users at a fixed interval, independent of the response times. */
async function createUsersPaced(service, slug, count, intervalMs) {
  const startedAt = performance.now();
  const created = [];
  for (let index = 0; index < count; index++) {
    const waitMs = startedAt + index * intervalMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    created.push(createUser(service, slug));
  }
  await Promise.all(created);
}

async function createOrganization(service, slug, receiverUrl, webhookCount) {
  await call(service, 'POST', '/v1/organizations', { name: slug, slug });
  for (let index = 0; index < webhookCount; index++) {
    const url = `${receiverUrl}/${slug}/${index}`;
    await call(service, 'POST', `/v1/organizations/${slug}/webhooks`, { url, events: SUBSCRIBED });
  }
}

const userRequest = (slug) => ({
  method: 'POST',
  path: `/v1/organizations/${slug}/users`,
  body: JSON.stringify({ email: `${randomBytes(8).toString('hex')}@example.com`, firstName: 'New', lastName: 'User' }),
});

async function createUser(service, slug) {
  const { method, path, body } = userRequest(slug);
  return (await call(service, method, path, JSON.parse(body))).data;
}

const spread = (latenciesMs) => ({ p50Ms: percentile(latenciesMs, 50), p99Ms: percentile(latenciesMs, 99) });
