import autocannon from 'autocannon';
import { startBaseline } from './baseline-process.mjs';
import { seedDirectories } from './directories.mjs';
import { loadTarget, PASSWORD, scimUser } from './load-target.mjs';
import { startPeers, stopPeers, WANTED } from './peers/peers.mjs';
import { postgresTime } from './processor-time.mjs';
import { startService } from './service.mjs';
import { median, percentile } from './statistics.mjs';
import { copyDatabase, createDatabase, dropDatabase } from './stores.mjs';

const SERVICE_DATABASE = 'bench_service';
const BASELINE_DATABASE = 'bench_baseline';
const CONNECTIONS = [16, 64];
const USERS = 10_000;
const WARM_UP_SECONDS = 1;
export const FIGURES = ['perSecond', 'p50Ms', 'p99Ms', 'nodeMs', 'postgresMs'];

/**
 * The operations. `next` is a counter that increases with each request. `wanted` is the minimum ratio to the baseline at the lowest
 * concurrency. Operations without a counterpart in the baseline are compared with another of its operations.
 */
export const OPERATIONS = [
  { name: 'get user', wanted: 0.33, request: getUser },
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
  {
    name: 'verify session',
    request: ({ sessions }, next) => post('/v1/sessions/verify', { token: at(sessions, next) }),
    baseline: getUser,
  },
  {
    name: 'session request',
    request: ({ sessions }, next) => ({
      ...get('/v1/auth/session'),
      headers: { authorization: `Bearer ${at(sessions, next)}` },
    }),
    baseline: getUser,
  },
  // Each account has an address of its own, because an address can send 600 requests a minute. More connections would be rejected.
  {
    name: 'sign in',
    connections: [16],
    request: ({ slug, accounts }, next) => ({
      ...post('/v1/auth/login', { organization: slug, email: at(accounts, next).email, password: PASSWORD }),
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${next % accounts.length}` },
    }),
    baseline: getUser,
  },
  // A copy of the headers, because autocannon adds the length of a body to them.
  {
    name: 'SCIM lookup',
    request: ({ scim }, next) => ({
      ...get(`${scim.path}?filter=${encodeURIComponent(`userName eq "${at(scim.userNames, next)}"`)}`),
      headers: { ...scim.headers },
    }),
    baseline: ({ path, users }, next) => get(`${path}?email=${encodeURIComponent(at(users, next).email)}`),
  },
  {
    name: 'SCIM create',
    request: ({ scim }, next) => ({ ...post(scim.path, scimUser(`scim.user${next}@example.com`)), headers: { ...scim.headers } }),
    baseline: createUser,
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

export function getUser({ path, users }, next) {
  return get(`${path}/${at(users, next).id}`);
}

function createUser({ path }, next) {
  return post(path, { email: `new.user${next}@example.com`, firstName: 'New', lastName: 'User' });
}

const get = (path) => ({ method: 'GET', path });
const post = (path, body) => ({ method: 'POST', path, body: JSON.stringify(body) });
const at = (list, index) => list[index % list.length];

/**
 * Measures request rates and response times of the service and the baseline, alternating on the same machine. Service and baseline have
 * separate databases with the same rows. The service runs as shipped, except for a higher rate limit. The caller is an API key of an
 * organization, so the service counts the requests. `only` selects operations whose names contain it. At the lowest concurrency, other
 * programs with tables of their own take part: a bare server and, with `peers`, Keycloak and better-auth after a warm-up.
 */
export async function measureLoad(url, { rounds, seconds, peerWarmUpSeconds, only = '', nodeOptions, peers }, log) {
  const serviceUrl = await createDatabase(url, SERVICE_DATABASE);
  await seedDirectories(serviceUrl, [USERS], log);
  const baselineUrl = await copyDatabase(url, SERVICE_DATABASE, BASELINE_DATABASE);
  const service = await startService(serviceUrl, { RATE_LIMIT: '1000000000', TRUST_PROXY: '127.0.0.1' }, nodeOptions);
  const memoryIdleMiB = service.memoryMiB();
  const [target, baseline] = [await loadTarget(serviceUrl, service, USERS), await startBaseline(baselineUrl)];
  const headers = { ...service.headers, authorization: `Bearer ${target.key}` };
  const postgresTimeMs = await postgresTime(serviceUrl);
  const others = await startPeers(url, { size: USERS, peers }, log);
  const programs = [
    { name: 'service', ...service, headers },
    { name: 'baseline', ...baseline },
    ...others.map((peer) => ({ ...peer, warmUpSeconds: peers ? peerWarmUpSeconds : WARM_UP_SECONDS })),
  ].map((program) => ({ warmUpSeconds: WARM_UP_SECONDS, ...program, postgresTimeMs, next: 0 }));
  try {
    const rows = [];
    for (const connections of CONNECTIONS) {
      const chosen = OPERATIONS.filter(
        ({ name, connections: limited = CONNECTIONS }) => name.includes(only) && limited.includes(connections),
      );
      for (const operation of chosen) {
        log(`${operation.name}, ${connections} connections`);
        const running = programs.filter(({ requests }) =>
          requests ? connections === CONNECTIONS[0] && requests[operation.name] : true,
        );
        rows.push(await compare(running, operation, target, { connections, rounds, seconds }));
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
    await stopPeers(url, others);
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
  return {
    ...row,
    ...(row.wanted === undefined ? {} : { holds: row.ratio >= row.wanted }),
    peers: row.peers.map(withPeerVerdict(row)),
  };
}

const withPeerVerdict =
  ({ operation, service }) =>
  (peer) => {
    const wanted = WANTED[peer.name][operation];
    const ratio = service.perSecond / peer.perSecond;
    return { ...peer, ratio, ...(wanted === undefined ? {} : { wanted, holds: ratio >= wanted }) };
  };

async function compare(programs, operation, target, { connections, rounds, seconds }) {
  const measured = new Map(programs.map(({ name }) => [name, []]));
  for (const program of programs) await run(program, operation, target, connections, program.warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? programs : [...programs].reverse();
    for (const program of order) measured.get(program.name).push(await run(program, operation, target, connections, seconds));
  }
  const [service, baseline, ...peers] = programs.map(({ name }) => {
    const medianOf = (figure) => median(measured.get(name).map((each) => each[figure]));
    return { name, ...Object.fromEntries(FIGURES.map((figure) => [figure, medianOf(figure)])) };
  });
  const ratio = service.perSecond / baseline.perSecond;
  return { operation: operation.name, wanted: operation.wanted, connections, service, baseline, ratio, peers };
}

export async function run(program, operation, target, connections, seconds) {
  const timesMs = [];
  const ofOperation = (program.name === 'baseline' && operation.baseline) || operation.request;
  const requestOf = program.requests?.[operation.name] ?? ((next) => ofOperation(target, next));
  const setupRequest = (request) => ({ ...request, ...requestOf(program.next++) });
  const startedAt = performance.now();
  const before = processorTimes(program);
  const running = autocannon({
    url: program.url,
    connections,
    duration: seconds,
    headers: program.headers,
    requests: [
      { setupRequest, ...(operation.onResponse && { onResponse: (...answer) => operation.onResponse(target, ...answer) }) },
    ],
  });
  running.on('response', (_client, _status, _bytes, timeMs) => timesMs.push(timeMs));
  const { non2xx, errors, statusCodeStats } = await running;
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  await untilIdle(program, target);
  const after = processorTimes(program);
  if (non2xx + errors > 0)
    throw new Error(`${program.name}: ${non2xx + errors} of "${operation.name}" failed: ${JSON.stringify(statusCodeStats)}`);
  return {
    perSecond: timesMs.length / elapsedSeconds,
    p50Ms: percentile(timesMs, 50),
    p99Ms: percentile(timesMs, 99),
    nodeMs: (after.nodeMs - before.nodeMs) / timesMs.length,
    postgresMs: (after.postgresMs - before.postgresMs) / timesMs.length,
  };
}

/** The processor time until now, of a program that reports it. */
const processorTimes = ({ processorTimeMs, postgresTimeMs }) => ({
  nodeMs: processorTimeMs?.(),
  postgresMs: postgresTimeMs?.(),
});

/** Waits until the service has processed the last requests of a run. */
async function untilIdle({ url, headers }, { path }) {
  const response = await fetch(`${url}${path}`, { headers });
  await response.arrayBuffer();
}
