import autocannon from 'autocannon';
import { Client } from 'undici';
import { renameUsersForSearch, SEARCHED_NAME, readTargets, seedDirectories } from './directories.mjs';
import { percentile } from './statistics.mjs';
import { call, startService } from './service.mjs';

/** A prefix that matches about every tenth seeded user. */
const COMMON_PREFIX = 'ma';
const WARM_UP_ROUNDS = 10;
const CONNECTIONS = 16;

/** Target `flat`: maximum ratio of the p50 to the p50 in the smallest organization. */
export const MAX_GROWTH = 1.5;
/** Target `nearGet`: the p50 must be below this multiple of the p50 of the get. */
export const MAX_TIMES_GET = 4;

const pick = (list, round) => list[round % list.length];
const localPart = ({ email }) => email.slice(0, email.indexOf('@') + 1);

/** All reads, as queries below `/v1/organizations/:org/users`. */
export const READS = [
  { name: 'get', wanted: 'flat', path: ({ users }, round) => `/${pick(users, round).id}` },
  { name: 'first page', wanted: 'flat', path: () => '' },
  {
    name: 'page after a cursor in the middle',
    wanted: 'flat',
    path: ({ middleIds }, round) => `?after=${pick(middleIds, round)}`,
  },
  {
    name: 'page after a cursor at 90 %',
    wanted: 'flat',
    path: ({ deepIds }, round) => `?after=${pick(deepIds, round)}`,
  },
  { name: 'status', wanted: 'flat', path: () => '?status=suspended' },
  {
    name: 'status, after a cursor in the middle',
    wanted: 'flat',
    path: ({ middleIds }, round) => `?status=active&after=${pick(middleIds, round)}`,
  },
  { name: 'role that 8 % hold', wanted: 'flat', path: () => '?role=viewer' },
  { name: 'role that one user holds', wanted: 'flat', path: () => '?role=owner' },
  { name: 'role and status', wanted: 'flat', path: () => '?role=billing&status=suspended' },
  {
    name: 'role, after a cursor in the middle',
    wanted: 'flat',
    path: ({ middleIds }, round) => `?role=member&after=${pick(middleIds, round)}`,
  },
  { name: 'exact e-mail', wanted: 'flat', path: ({ users }, round) => `?email=${encodeURIComponent(pick(users, round).email)}` },
  { name: 'search, 0 matches', wanted: 'nearGet', path: () => '?search=quzzlewick' },
  {
    name: 'search, 1 match',
    wanted: 'nearGet',
    path: ({ users }, round) => `?search=${encodeURIComponent(localPart(pick(users, round)))}`,
  },
  { name: 'search, 20 matches', wanted: 'nearGet', path: () => `?search=${SEARCHED_NAME}` },
  { name: 'search, every tenth user', wanted: 'linear', path: () => `?search=${COMMON_PREFIX}`, rounds: 5 },
];

/**
 * Measures each read in organizations of several sizes, one request at a time. Each round measures all organizations in one database,
 * so that other load on the machine affects all sizes alike.
 */
export async function measureReads(databaseUrl, { sizes, rounds, writes }, log) {
  await seedDirectories(databaseUrl, sizes, log);
  const targets = await readTargets(databaseUrl, sizes);
  const service = await startService(databaseUrl);
  const client = new Client(service.url, { pipelining: 1 });
  try {
    await renameUsersForSearch(service, targets);
    const rows = READS.map((read) => ({ ...read, timesMs: new Map(sizes.map((size) => [size, []])), totals: new Map() }));
    for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
      if (round > 0 && round % 50 === 0) log(`Reads: ${round} of ${rounds} rounds`);
      for (const row of rows) {
        if (round >= (row.rounds ?? rounds) || (row.rounds && round < -1)) continue;
        for (const target of rotated(targets, round)) {
          const { elapsedMs, total } = await timed(client, service, target, row, round + WARM_UP_ROUNDS);
          if (round >= 0) row.timesMs.get(target.size).push(elapsedMs);
          row.totals.set(target.size, total);
        }
      }
    }
    return { rows: summary(rows, sizes), crowded: await searchAmongWrites(service, targets.at(-1), writes, log) };
  } finally {
    await client.close();
    await service.stop();
  }
}

/**
 * Measures a selective search in the largest organization on 16 connections, right after the creation of many users. An index that
 * defers work would do the deferred work during this search.
 */
async function searchAmongWrites(service, target, writes, log) {
  const organization = await call(service, 'POST', '/v1/organizations', { name: `Writes ${Date.now()}` });
  const create = (next) => ({
    method: 'POST',
    path: `/v1/organizations/${organization.data.id}/users`,
    body: JSON.stringify({ email: `${next}-${SEARCHED_NAME}@example.com`, firstName: 'Marion', lastName: 'Meier' }),
  });
  const search = () => ({ method: 'GET', path: `/v1/organizations/${target.slug}/users?search=${SEARCHED_NAME}` });
  const get = (next) => ({ method: 'GET', path: `/v1/organizations/${target.slug}/users/${pick(target.users, next).id}` });
  log(`Search after ${writes.toLocaleString('en')} creates`);
  await measureConcurrent(service, create, { amount: writes });
  const [searches, gets] = [
    await measureConcurrent(service, search, { duration: 5 }),
    await measureConcurrent(service, get, { duration: 5 }),
  ];
  const timesGet = searches.p50Ms / gets.p50Ms;
  return { writes, search: searches, get: gets, timesGet, holds: timesGet < MAX_TIMES_GET };
}

async function measureConcurrent({ url, headers }, requestOf, limits) {
  const timesMs = [];
  let next = 0;
  const setupRequest = (request) => ({ ...request, ...requestOf(next++) });
  const running = autocannon({ url, connections: CONNECTIONS, headers, requests: [{ setupRequest }], ...limits });
  running.on('response', (_client, _status, _bytes, timeMs) => timesMs.push(timeMs));
  const { non2xx, errors } = await running;
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed.`);
  return { p50Ms: percentile(timesMs, 50), p99Ms: percentile(timesMs, 99) };
}

async function timed(client, { headers }, target, { name, path }, round) {
  const startedAt = performance.now();
  const { statusCode, body } = await client.request({
    method: 'GET',
    path: `/v1/organizations/${target.slug}/users${path(target, round)}`,
    headers,
  });
  const text = await body.text();
  const elapsedMs = performance.now() - startedAt;
  if (statusCode !== 200) throw new Error(`"${name}" gave ${statusCode}: ${text}`);
  return { elapsedMs, total: JSON.parse(text).pagination?.total };
}

function summary(rows, sizes) {
  const [get] = rows;
  const p50 = (row, size) => percentile(row.timesMs.get(size), 50);
  return rows.map((row) => {
    const largest = sizes.at(-1);
    const growth = p50(row, largest) / p50(row, sizes[0]);
    const timesGet = p50(row, largest) / p50(get, largest);
    const holds = { flat: growth <= MAX_GROWTH, nearGet: timesGet < MAX_TIMES_GET, linear: true }[row.wanted];
    const bySize = sizes.map((size) => ({
      users: size,
      matches: row.totals.get(size),
      requests: row.timesMs.get(size).length,
      p50Ms: p50(row, size),
      p99Ms: percentile(row.timesMs.get(size), 99),
    }));
    return { read: row.name, wanted: row.wanted, bySize, growth, timesGet, holds };
  });
}

function rotated(list, round) {
  const start = ((round % list.length) + list.length) % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
