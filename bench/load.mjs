import autocannon from 'autocannon';
import { startBaseline } from './baseline-process.mjs';
import { readTargets, seedDirectories } from './directories.mjs';
import { call, startService } from './service.mjs';
import { median, percentile } from './statistics.mjs';
import { copyDatabase, createDatabase, dropDatabase, withClient } from './stores.mjs';

const SERVICE_DATABASE = 'bench_service';
const BASELINE_DATABASE = 'bench_baseline';
const CONNECTIONS = [16, 64];
const USERS = 10_000;
const WARM_UP_SECONDS = 1;
/** Number of organizations to which users are added in turn. */
const ORGANIZATIONS = 5;
const BUILT_IN_ROLES = ['role_admin', 'role_viewer'];

/**
 * The operations. `next` is a counter that increases with each request. `wanted` is the minimum ratio to the baseline at the lowest
 * concurrency. Operations without a counterpart in the baseline are compared with its creation of a user.
 */
export const OPERATIONS = [
  { name: 'get user', wanted: 0.33, request: ({ path, users }, next) => get(`${path}/${at(users, next).id}`) },
  { name: 'list users (20)', wanted: 0.3, request: ({ path }) => get(path) },
  {
    name: 'exact email',
    wanted: 0.33,
    request: ({ path, users }, next) => get(`${path}?email=${encodeURIComponent(at(users, next).email)}`),
  },
  {
    name: 'search users',
    request: ({ path, users }, next) => {
      const { email } = at(users, next);
      return get(`${path}?search=${email.slice(0, email.search(/\d/))}`);
    },
  },
  { name: 'create user', wanted: 0.4, request: createUser },
  {
    name: 'assign role',
    wanted: 0.4,
    request: ({ path, users, roleIds }, next) =>
      post(`${path}/${at(users, next).id}/roles`, { roleId: at(roleIds, Math.floor(next / users.length)) }),
  },
  {
    name: 'create organization',
    wanted: 0.25,
    request: ({ id }, next) => post('/v1/organizations', { name: `Department ${next}`, parentId: id }),
    baseline: createUser,
  },
  {
    name: 'add member',
    wanted: 0.3,
    request: ({ users, organizationIds }, next) =>
      post(`/v1/organizations/${at(organizationIds, Math.floor(next / users.length))}/members`, {
        userId: at(users, next).id,
        role: 'viewer',
      }),
    baseline: createUser,
  },
];

/**
 * Targets at the highest concurrency: minimum rate relative to the rate at the lowest concurrency, and maximum p99 relative to the median.
 */
export const HIGH_CONCURRENCY_TARGETS = { rate: 0.9, p99Times: 8 };

function createUser({ path }, next) {
  return post(path, { email: `new.user${next}@example.com`, firstName: 'New', lastName: 'User' });
}

const get = (path) => ({ method: 'GET', path });
const post = (path, body) => ({ method: 'POST', path, body: JSON.stringify(body) });
const at = (list, index) => list[index % list.length];

/**
 * Measures request rates and response times of the service and the baseline, alternating on the same machine. Service and baseline have
 * separate databases with the same rows. The service runs as shipped, except for a higher rate limit. The caller is an API key of an
 * organization, so the service counts the requests. `only` selects operations whose names contain it.
 */
export async function measureLoad(url, { rounds, seconds, only = '', nodeOptions }, log) {
  const serviceUrl = await createDatabase(url, SERVICE_DATABASE);
  await seedDirectories(serviceUrl, [USERS], log);
  const baselineUrl = await copyDatabase(url, SERVICE_DATABASE, BASELINE_DATABASE);
  const service = await startService(serviceUrl, { RATE_LIMIT: '1000000000' }, nodeOptions);
  const [target, baseline] = [await loadTarget(serviceUrl, service), await startBaseline(baselineUrl)];
  const headers = { ...service.headers, authorization: `Bearer ${target.key}` };
  const programs = [
    { name: 'service', ...service, headers, next: 0 },
    { name: 'baseline', ...baseline, next: 0 },
  ];
  const memoryIdleMiB = service.memoryMiB();
  try {
    const rows = [];
    for (const connections of CONNECTIONS) {
      for (const operation of OPERATIONS.filter(({ name }) => name.includes(only))) {
        log(`${operation.name}, ${connections} connections`);
        rows.push(await compare(programs, operation, target, { connections, rounds, seconds }));
      }
    }
    return {
      rows: rows.map((row) => withVerdict(row, rows)),
      readyMs: service.readyMs,
      memoryIdleMiB,
      memoryAfterMiB: service.memoryMiB(),
    };
  } finally {
    await service.stop();
    await baseline.stop();
    for (const name of [SERVICE_DATABASE, BASELINE_DATABASE]) await dropDatabase(url, name);
  }
}

/** Returns a copy of a measurement. `holds` is true if the target is met. */
function withVerdict(row, rows) {
  const atLowestConcurrency = rows.find(
    ({ operation, connections }) => operation === row.operation && connections === CONNECTIONS[0],
  );
  if (row !== atLowestConcurrency) {
    const rate = row.service.perSecond / atLowestConcurrency.service.perSecond;
    const p99Times = row.service.p99Ms / row.service.p50Ms;
    return {
      ...row,
      rate,
      p99Times,
      holds: rate >= HIGH_CONCURRENCY_TARGETS.rate && p99Times < HIGH_CONCURRENCY_TARGETS.p99Times,
    };
  }
  return { ...row, ...(row.wanted === undefined ? {} : { holds: row.ratio >= row.wanted }) };
}

async function loadTarget(databaseUrl, service) {
  const [{ slug, id, users }] = await readTargets(databaseUrl, [USERS], USERS);
  const { rows } = await withClient(databaseUrl, (client) => client.query('SELECT id FROM roles WHERE tenant_id = $1', [id]));
  const roleIds = [...BUILT_IN_ROLES, ...rows.map((row) => row.id)];
  const organization = `/v1/organizations/${slug}`;
  const apiKey = await call(service, 'POST', `${organization}/api-keys`, { name: 'Bench', scopes: ['*'] });
  const organizationIds = [];
  for (let count = 0; count < ORGANIZATIONS; count++) {
    const department = await call(service, 'POST', '/v1/organizations', { name: `Department ${count}`, parentId: id });
    organizationIds.push(department.data.id);
  }
  return { id, path: `${organization}/users`, users, roleIds, organizationIds, key: apiKey.data.key };
}

async function compare(programs, operation, target, { connections, rounds, seconds }) {
  const measured = new Map(programs.map(({ name }) => [name, []]));
  for (const program of programs) await run(program, operation, target, connections, WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? programs : [...programs].reverse();
    for (const program of order) measured.get(program.name).push(await run(program, operation, target, connections, seconds));
  }
  const [service, baseline] = programs.map(({ name }) => ({
    perSecond: median(measured.get(name).map((each) => each.perSecond)),
    p50Ms: median(measured.get(name).map((each) => each.p50Ms)),
    p99Ms: median(measured.get(name).map((each) => each.p99Ms)),
  }));
  const ratio = service.perSecond / baseline.perSecond;
  return { operation: operation.name, wanted: operation.wanted, connections, service, baseline, ratio };
}

export async function run(program, operation, target, connections, seconds) {
  const timesMs = [];
  const requestOf = (program.name === 'baseline' && operation.baseline) || operation.request;
  const setupRequest = (request) => ({ ...request, ...requestOf(target, program.next++) });
  const startedAt = performance.now();
  const running = autocannon({
    url: program.url,
    connections,
    duration: seconds,
    headers: program.headers,
    requests: [{ setupRequest }],
  });
  running.on('response', (_client, _status, _bytes, timeMs) => timesMs.push(timeMs));
  const { non2xx, errors } = await running;
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  await untilIdle(program, target);
  if (non2xx + errors > 0) throw new Error(`${program.name}: ${non2xx + errors} of "${operation.name}" failed.`);
  return { perSecond: timesMs.length / elapsedSeconds, p50Ms: percentile(timesMs, 50), p99Ms: percentile(timesMs, 99) };
}

/** Waits until the service has processed the last requests of a run. */
async function untilIdle({ url, headers }, { path }) {
  const response = await fetch(`${url}${path}`, { headers });
  await response.arrayBuffer();
}
