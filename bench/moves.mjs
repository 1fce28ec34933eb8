import { isDeepStrictEqual } from 'node:util';
import { newId } from '#platform/common';
import { call, startService } from './service.mjs';
import { percentile } from './statistics.mjs';
import { copyDatabase, createDatabase, dropDatabase, withClient } from './stores.mjs';

const SERVICE_DATABASE = 'bench_moves';
const BASELINE_DATABASE = 'bench_moves_baseline';
const LEVELS = 8;
/** Users of each parent with a role there, who gain or lose permissions by each move. */
const ADMINISTRATORS = 20;
const WEBHOOKS = 2;
const USERS_MAX = 1_000;
const USERS_AT_ONCE = 8;
/** The reads during moves, and the number of reads without moves to compare with. They return whether they showed a part of a move. */
const READS = [
  {
    name: 'descendant',
    connections: 2,
    stillCount: 400,
    read: async (service, { ids }, next) => {
      await call(service, 'GET', `/v1/organizations/${ids[(next * 7) % ids.length]}`);
      return false;
    },
  },
  { name: 'children (100)', connections: 2, stillCount: 200, read: readChildren },
  { name: 'hierarchy', connections: 1, stillCount: 20, read: readHierarchy },
];

/** Maximum milliseconds of a move of this many descendants. */
export const MOVE_LIMIT = { descendants: 10_000, ms: 2_000 };

/**
 * Measures previews and moves of an organization back and forth between two parents, in a tenant for each size. The baseline is the UPDATE
 * of the same rows in one transaction, in a copy of the database, in turns with the service. Then measures reads of the tree without and
 * during moves, and counts the reads that show a part of a move.
 */
export async function measureMoves(url, { sizes, rounds }, log) {
  const rows = [];
  for (const descendants of sizes) {
    log(`moves, ${descendants.toLocaleString('en')} descendants`);
    try {
      rows.push({ descendants, ...(await measureSize(url, descendants, rounds)) });
    } finally {
      for (const name of [SERVICE_DATABASE, BASELINE_DATABASE]) await dropDatabase(url, name);
    }
  }
  return rows;
}

async function measureSize(url, descendants, rounds) {
  const databaseUrl = await createDatabase(url, SERVICE_DATABASE);
  const tree = await withService(databaseUrl, (service) => seedTree(databaseUrl, service, descendants));
  const baselineUrl = await copyDatabase(url, SERVICE_DATABASE, BASELINE_DATABASE);
  return withService(databaseUrl, (service) =>
    withClient(baselineUrl, async (client) => {
      const moves = await compareMoves(service, client, tree, rounds);
      return { ...moves, reads: await measureReaders(service, tree, rounds) };
    }),
  );
}

async function withService(databaseUrl, use) {
  const service = await startService(databaseUrl, { RATE_LIMIT: '1000000000' });
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
}

/** Creates a root organization with two parents. The second parent requires MFA, so each move changes the settings of all descendants. */
async function seedTree(databaseUrl, service, descendants) {
  const organization = async (body) => (await call(service, 'POST', '/v1/organizations', body)).data.id;
  const root = await organization({ name: 'Root' });
  const parents = [
    await organization({ name: 'Left', parentId: root }),
    await organization({
      name: 'Right',
      parentId: root,
      settings: { requireMfa: true },
      lockedSettings: ['requireMfa'],
    }),
  ];
  const moved = await organization({ name: 'Moved', parentId: parents[0] });
  const ids = await insertDescendants(databaseUrl, { root, path: [root, parents[0], moved] }, descendants);
  for (const parent of parents) {
    const path = `/v1/organizations/${parent}`;
    for (let count = 0; count < WEBHOOKS; count++) {
      const webhook = { name: `Audit ${count}`, url: 'https://example.com/audit', events: ['user.*'], includeDescendants: true };
      await call(service, 'POST', `${path}/webhooks`, webhook);
    }
    for (let count = 0; count < ADMINISTRATORS; count++)
      await call(service, 'POST', `${path}/users`, { email: `${parent}.${count}@example.com`, roles: ['admin'] });
  }
  await addUsers(service, ids.slice(0, USERS_MAX));
  await withClient(databaseUrl, (client) => client.query('VACUUM (ANALYZE)'));
  return { root, parents, moved, ids };
}

/** Adds a user to each organization. */
async function addUsers(service, organizationIds) {
  let next = 0;
  const add = async () => {
    while (next < organizationIds.length) {
      const id = organizationIds[next++];
      await call(service, 'POST', `/v1/organizations/${id}/users`, { email: `${id}@example.com` });
    }
  };
  await Promise.all(Array.from({ length: USERS_AT_ONCE }, add));
}

/** Inserts organizations of equally many on each level below the last organization of `path`. Returns their ids. */
function insertDescendants(databaseUrl, { root, path }, count) {
  const rows = [];
  let above = [path];
  for (let level = 1; level <= LEVELS; level++) {
    const size = Math.ceil((count * level) / LEVELS) - rows.length;
    above = Array.from({ length: size }, (_, index) => {
      const ancestors = above[index % above.length];
      const id = newId('organization');
      rows.push({ id, parent: ancestors.at(-1), ancestors });
      return [...ancestors, id];
    });
  }
  return withClient(databaseUrl, async (client) => {
    await client.query(
      `WITH given AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS r (id text, parent text, ancestors jsonb)), made AS (
         INSERT INTO organizations (tenant_id, id, parent_id, ancestor_ids, name, slug, created_at, updated_at)
         SELECT $1, id, parent, ARRAY(SELECT jsonb_array_elements_text(ancestors)), id, replace(id, '_', '-'), now(), now() FROM given)
       INSERT INTO organization_handles (handle, tenant_id, organization_id) SELECT id, $1, id FROM given`,
      [root, JSON.stringify(rows)],
    );
    return rows.map(({ id }) => id);
  });
}

async function compareMoves(service, client, tree, rounds) {
  const times = { preview: [], move: [], update: [] };
  const timed = async (name, work) => {
    const startedAt = performance.now();
    const result = await work();
    times[name].push(performance.now() - startedAt);
    return result;
  };
  // The first round is not measured.
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) for (const name of Object.keys(times)) times[name] = [];
    const from = round % 2;
    const body = { parentId: tree.parents[1 - from] };
    const path = `/v1/organizations/${tree.moved}/move`;
    const previewed = await timed('preview', () => call(service, 'POST', `${path}/preview`, body));
    const moved = await timed('move', () => call(service, 'POST', path, body));
    if (!isDeepStrictEqual(moved, previewed)) throw new Error('A move differed from its preview.');
    await timed('update', () => updateRows(client, tree, from));
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, summary(all)]));
}

/** Moves the rows in one transaction, without rules, effects and event. */
async function updateRows(client, { root, parents, moved, ids }, from) {
  await client.query('BEGIN');
  const { rowCount } = await client.query(
    `UPDATE organizations SET parent_id = CASE WHEN id = $2 THEN $3 ELSE parent_id END, ancestor_ids = $4::text[] || ancestor_ids[3:]
     WHERE tenant_id = $1 AND (id = $2 OR ancestor_ids @> ARRAY[$2])`,
    [root, moved, parents[1 - from], [root, parents[1 - from]]],
  );
  await client.query('COMMIT');
  if (rowCount !== ids.length + 1) throw new Error(`The baseline moved ${rowCount} rows.`);
}

/** Measures each kind of read while nothing moves, then while the organization moves back and forth. */
async function measureReaders(service, tree, rounds) {
  const rows = [];
  for (const { name, connections, stillCount, read } of READS) {
    const measure = (isDone) => measureReads(connections, isDone, (next) => read(service, tree, next));
    const still = await measure((count) => count >= stillCount);
    const state = { done: false };
    const reading = measure(() => state.done);
    const moving = await moveBackAndForth(service, tree, rounds)
      .finally(() => (state.done = true))
      .then(() => reading);
    rows.push({ name, still: summary(still.times), moving: summary(moving.times), partial: moving.partial });
  }
  return rows;
}

/** Reads over several connections until `isDone`. Returns the times, and the number of reads that showed a part of a move. */
async function measureReads(connections, isDone, read) {
  const measured = { times: [], partial: 0 };
  let next = 0;
  const readOn = async () => {
    while (!isDone(next)) {
      const startedAt = performance.now();
      const showsPart = await read(next++);
      measured.times.push(performance.now() - startedAt);
      if (showsPart) measured.partial++;
    }
  };
  await Promise.all(Array.from({ length: connections }, readOn));
  return measured;
}

async function moveBackAndForth(service, { moved, parents }, rounds) {
  for (let round = 0; round < rounds; round++) {
    const { data } = await call(service, 'GET', `/v1/organizations/${moved}`);
    const parentId = parents.find((id) => id !== data.parentId);
    await call(service, 'POST', `/v1/organizations/${moved}/move`, { parentId });
  }
}

/** Either all children of the moved organization inherit from the previous parent, or all inherit from the new parent. */
async function readChildren(service, { moved }) {
  const { data } = await call(service, 'GET', `/v1/organizations?parentId=${moved}&limit=100`);
  return new Set(data.map(({ settings }) => settings.requireMfa)).size > 1;
}

/** Either one parent has all moved organizations, or the other parent has them. */
async function readHierarchy(service, { root, parents, ids }) {
  const sizeOf = ({ children }) => children.reduce((sum, child) => sum + 1 + sizeOf(child), 0);
  const { data } = await call(service, 'GET', `/v1/organizations/${root}/hierarchy`);
  const sizes = parents.map((id) => sizeOf(data.children.find((child) => child.id === id))).sort((a, b) => a - b);
  return !isDeepStrictEqual(sizes, [0, ids.length + 1]);
}

const summary = (times) => ({ count: times.length, p50Ms: percentile(times, 50), maxMs: Math.max(...times) });
