import autocannon from 'autocannon';
import { startBaseline } from './baseline-process.mjs';
import { readTargets, seedDirectories } from './directories.mjs';
import { startService } from './service.mjs';
import { median, percentile } from './statistics.mjs';
import { copyDatabase, createDatabase, dropDatabase, withClient } from './stores.mjs';

const SERVICE_DATABASE = 'bench_service';
const BASELINE_DATABASE = 'bench_baseline';
const CONNECTIONS = [16, 64];
const USERS = 10_000;
const WARM_UP_SECONDS = 1;
const BUILT_IN_ROLES = ['role_admin', 'role_viewer'];

/** Each operation as a request; `next` counts on from request to request, and never comes back. */
const OPERATIONS = [
  { name: 'get user', request: ({ path, users }, next) => ({ method: 'GET', path: `${path}/${at(users, next).id}` }) },
  { name: 'list users (20)', request: ({ path }) => ({ method: 'GET', path }) },
  {
    name: 'search users',
    request: ({ path, users }, next) => {
      const { email } = at(users, next);
      return { method: 'GET', path: `${path}?search=${email.slice(0, email.search(/\d/))}` };
    },
  },
  {
    name: 'create user',
    request: ({ path }, next) => ({
      method: 'POST',
      path,
      body: JSON.stringify({ email: `new.user${next}@example.com`, firstName: 'New', lastName: 'User' }),
    }),
  },
  {
    name: 'assign role',
    request: ({ path, users, roleIds }, next) => ({
      method: 'POST',
      path: `${path}/${at(users, next).id}/roles`,
      body: JSON.stringify({ roleId: at(roleIds, Math.floor(next / users.length)) }),
    }),
  },
];

const at = (list, index) => list[index % list.length];

/**
 * Requests per second and response times of the service and of the baseline, in turns, so that both meet the same machine. Each has a
 * database of its own with the same rows.
 */
export async function measureLoad(url, { rounds, seconds }, log) {
  const serviceUrl = await createDatabase(url, SERVICE_DATABASE);
  await seedDirectories(serviceUrl, [USERS], log);
  const baselineUrl = await copyDatabase(url, SERVICE_DATABASE, BASELINE_DATABASE);
  const target = await loadTarget(serviceUrl);
  const [service, baseline] = [await startService(serviceUrl), await startBaseline(baselineUrl)];
  const contestants = [
    { name: 'service', ...service, next: 0 },
    { name: 'baseline', ...baseline, next: 0 },
  ];
  const memoryIdleMiB = service.memoryMiB();
  try {
    const rows = [];
    for (const connections of CONNECTIONS) {
      for (const operation of OPERATIONS) {
        log(`${operation.name}, ${connections} connections`);
        rows.push(await compare(contestants, operation, target, { connections, rounds, seconds }));
      }
    }
    return { rows, readyMs: service.readyMs, memoryIdleMiB, memoryAfterMiB: service.memoryMiB() };
  } finally {
    await service.stop();
    await baseline.stop();
    for (const name of [SERVICE_DATABASE, BASELINE_DATABASE]) await dropDatabase(url, name);
  }
}

async function loadTarget(databaseUrl) {
  const [{ slug, id, users }] = await readTargets(databaseUrl, [USERS], USERS);
  const { rows } = await withClient(databaseUrl, (client) => client.query('SELECT id FROM roles WHERE tenant_id = $1', [id]));
  const roleIds = [...BUILT_IN_ROLES, ...rows.map((row) => row.id)];
  return { path: `/v1/organizations/${slug}/users`, users, roleIds };
}

async function compare(contestants, operation, target, { connections, rounds, seconds }) {
  const measured = new Map(contestants.map(({ name }) => [name, []]));
  for (const contestant of contestants) await run(contestant, operation, target, connections, WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? contestants : [...contestants].reverse();
    for (const contestant of order)
      measured.get(contestant.name).push(await run(contestant, operation, target, connections, seconds));
  }
  const [service, baseline] = contestants.map(({ name }) => ({
    perSecond: median(measured.get(name).map((each) => each.perSecond)),
    p50Ms: median(measured.get(name).map((each) => each.p50Ms)),
    p99Ms: median(measured.get(name).map((each) => each.p99Ms)),
  }));
  return { operation: operation.name, connections, service, baseline, ratio: service.perSecond / baseline.perSecond };
}

async function run(contestant, operation, target, connections, seconds) {
  const timesMs = [];
  const setupRequest = (request) => ({ ...request, ...operation.request(target, contestant.next++) });
  const startedAt = performance.now();
  const running = autocannon({
    url: contestant.url,
    connections,
    duration: seconds,
    headers: contestant.headers,
    requests: [{ setupRequest }],
  });
  running.on('response', (_client, _status, _bytes, timeMs) => timesMs.push(timeMs));
  const { non2xx, errors } = await running;
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  await settled(contestant, target);
  if (non2xx + errors > 0) throw new Error(`${contestant.name}: ${non2xx + errors} of "${operation.name}" failed.`);
  return { perSecond: timesMs.length / elapsedSeconds, p50Ms: percentile(timesMs, 50), p99Ms: percentile(timesMs, 99) };
}

/** Requests that the end of a run cut off are still worked on: this one waits in line behind them, so that the next run starts even. */
async function settled({ url, headers }, { path }) {
  const response = await fetch(`${url}${path}`, { headers });
  await response.arrayBuffer();
}
