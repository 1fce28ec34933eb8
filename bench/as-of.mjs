import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readTargets, seedDirectories } from './directories.mjs';
import { run } from './load.mjs';
import { call, startService } from './service.mjs';
import { median } from './statistics.mjs';
import { createDatabase, createEmptyDatabase, dropDatabase, withClient } from './stores.mjs';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 2;
/** The number of users of the largest organization whose reads are measured. */
const SAMPLE_SIZE = 1_000;
const CHANGED_USERS = 1_000;
const WRITES_DATABASE = 'bench_history';
const BASELINE_DATABASE = 'bench_without_history';
/** Target: minimum rate of writes relative to the version without history. */
export const MIN_WRITE_RATIO = 0.85;

const get = (path) => ({ method: 'GET', path });
const post = (path, body) => ({ method: 'POST', path, body: JSON.stringify(body) });
const patch = (path, body) => ({ method: 'PATCH', path, body: JSON.stringify(body) });
const at = (list, index) => list[index % list.length];

/** The reads. `asOf` is the query, or empty for a read of the present. */
const READS = [
  { name: 'get user', request: ({ path, users }, next, asOf) => get(`${path}/users/${at(users, next).id}${asOf}`) },
  {
    name: 'check permission',
    request: ({ path, users }, next, asOf) =>
      post(`${path}/permissions/check${asOf}`, { userId: at(users, next).id, permission: 'users:read' }),
  },
  { name: 'get settings', request: ({ path }, _next, asOf) => get(`${path}/settings${asOf}`) },
  { name: 'list users (20)', request: ({ path }, _next, asOf) => get(`${path}/users${asOf}`) },
];

const WRITES = [
  {
    name: 'create user',
    request: ({ path }, next) =>
      post(`${path}/users`, { email: `new.user${next}@example.com`, firstName: 'New', lastName: 'User' }),
  },
  {
    name: 'update user',
    request: ({ path, users }, next) => patch(`${path}/users/${at(users, next).id}`, { displayName: `Name ${next}` }),
  },
  {
    name: 'suspend user',
    request: ({ path, users }, next) => post(`${path}/users/${at(users, next).id}/suspend`, { reason: `Reason ${next}` }),
  },
  {
    name: 'change role of a member',
    request: ({ path, users }, next) =>
      post(`${path}/members`, { userId: at(users, next).id, role: at(['viewer', 'member'], Math.floor(next / users.length)) }),
  },
];

/**
 * Measures reads as of a moment beside reads of the present, in an organization of `users` users, and writes. With `baseline`, the folder of
 * a built version without history, also measures its writes, in turns on the same machine.
 */
export async function measureAsOf(databaseUrl, { users, rounds, seconds, baseline }, log) {
  return {
    users,
    reads: await measureReads(databaseUrl, { users, rounds, seconds }, log),
    writes: await measureWrites(databaseUrl, { rounds, seconds, baseline }, log),
  };
}

async function measureReads(databaseUrl, { users, rounds, seconds }, log) {
  await seedDirectories(databaseUrl, [users], log);
  const [{ slug, users: sample }] = await readTargets(databaseUrl, [users], SAMPLE_SIZE);
  const service = await startService(databaseUrl, { RATE_LIMIT: '1000000000', RETENTION_HISTORY: '36500d' });
  const program = { name: 'service', ...service, next: 0 };
  const target = { path: `/v1/organizations/${slug}`, users: sample };
  const moment = await momentNow(databaseUrl);
  try {
    // Each user has a later version, so that the present rows are not the answer.
    for (const { id } of sample) await call(service, 'PATCH', `${target.path}/users/${id}`, { displayName: `After ${moment}` });
    const rows = [];
    for (const { name, request } of READS) {
      log(`${name}, now and as of a moment`);
      const variants = ['', `?asOf=${moment}`].map((asOf) => ({ name, request: (place, next) => request(place, next, asOf) }));
      const [now, asOf] = await inTurns(
        variants.map((operation) => ({ program, operation, target })),
        { rounds, seconds },
      );
      rows.push({ name, now, asOf, ratio: asOf.perSecond / now.perSecond });
    }
    return rows;
  } finally {
    await service.stop();
  }
}

export async function measureWrites(databaseUrl, { rounds, seconds, baseline }, log) {
  const places = [{ folder: undefined, database: WRITES_DATABASE, create: createDatabase }];
  if (baseline) places.push({ folder: baseline, database: BASELINE_DATABASE, create: createEmptyDatabase });
  const programs = [];
  try {
    for (const { folder, database, create } of places) {
      if (folder) buildIn(folder);
      const url = await create(databaseUrl, database);
      const service = await startService(url, { RATE_LIMIT: '1000000000' }, [], folder);
      programs.push({ program: { name: database, ...service, next: 0 }, target: await writeTarget(service) });
      log('VACUUM ANALYZE, as autovacuum would do within minutes');
      await withClient(url, (client) => client.query('VACUUM ANALYZE'));
    }
    const rows = [];
    for (const operation of WRITES) {
      log(`${operation.name}${baseline ? ', with and without history' : ''}`);
      const [withHistory, without] = await inTurns(
        programs.map((each) => ({ ...each, operation })),
        { rounds, seconds },
      );
      const ratio = without && withHistory.perSecond / without.perSecond;
      rows.push({
        name: operation.name,
        withHistory,
        without,
        ratio,
        holds: ratio === undefined ? undefined : ratio >= MIN_WRITE_RATIO,
      });
    }
    return rows;
  } finally {
    for (const { program } of programs) await program.stop();
    for (const { database } of places) await dropDatabase(databaseUrl, database);
  }
}

async function writeTarget(service) {
  const organization = await call(service, 'POST', '/v1/organizations', { name: 'Bench' });
  const path = `/v1/organizations/${organization.data.id}`;
  const users = [];
  for (let count = 0; count < CHANGED_USERS; count++) {
    const { data } = await call(service, 'POST', `${path}/users`, { email: `changed${count}@example.com`, firstName: 'Ada' });
    users.push({ id: data.id });
  }
  return { path, users };
}

/** Measures several variants in alternating order. Returns the medians of each variant. */
async function inTurns(variants, { rounds, seconds }) {
  const measured = variants.map(() => []);
  const runOne = ({ program, operation, target }, duration) => run(program, operation, target, CONNECTIONS, duration);
  for (const variant of variants) await runOne(variant, WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round++) {
    const order = variants.map((variant, index) => ({ variant, index }));
    for (const { variant, index } of round % 2 === 0 ? order : order.toReversed())
      measured[index].push(await runOne(variant, seconds));
  }
  const medianOf = (runs, name) => median(runs.map((each) => each[name]));
  return measured.map((runs) => ({
    perSecond: medianOf(runs, 'perSecond'),
    p50Ms: medianOf(runs, 'p50Ms'),
    p99Ms: medianOf(runs, 'p99Ms'),
  }));
}

function momentNow(databaseUrl) {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query('SELECT clock_timestamp() AS now');
    // The next millisecond, so that the moment is after all changes.
    return new Date(rows[0].now.getTime() + 1).toISOString();
  });
}

function buildIn(folder) {
  const { status } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `import { buildIfStale } from './scripts/build-if-stale.mjs'; buildIfStale();`],
    {
      cwd: join(folder),
      stdio: ['ignore', 2, 2],
    },
  );
  if (status !== 0) throw new Error(`The version in ${folder} can't be built.`);
}
