import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { config } from 'dotenv';
import { Client } from 'pg';
import { buildIfStale, projectDir } from './build-if-stale.mjs';
import { seedHistory } from './seed-history.mjs';
import { seedTree } from './seed-tree.mjs';
import { seedUsers } from './seed-users.mjs';
import { seedWalk } from './seed-walk.mjs';

const USAGE = `Usage:
  npm run seed -- [--users 1000] [--organizations 20]   (up to 1,000,000 users and 10,000 organizations)
  API_KEY=<platform key> npm run seed -- --walk         (307 people with all that an administrator meets; API=http://localhost:3000)`;
const BATCH_SIZE = 25_000;
const SEARCH_INDEX = 'directory_entries_search_idx';
const SEEDING_PENDING_LIST_KB = 65_536;

config({ path: join(projectDir, '.env'), quiet: true });
try {
  const { walk, ...amounts } = readOptions();
  if (walk) await seedWalk({ api: process.env.API ?? 'http://localhost:3000', key: platformKey() });
  else await seed(amounts);
} catch (error) {
  console.error(
    error.code === '42P01' ? 'The database has no tables yet. Start the service once to run the migrations.' : error.message,
  );
  process.exitCode = 1;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      users: { type: 'string', default: '1000' },
      organizations: { type: 'string', default: '20' },
      walk: { type: 'boolean', default: false },
    },
  });
  const users = Number(values.users);
  const organizations = Number(values.organizations);
  const isCount = (value, max) => Number.isInteger(value) && value >= 1 && value <= max;
  if (!isCount(users, 1_000_000) || !isCount(organizations, 10_000)) throw new Error(USAGE);
  return { users, organizations, walk: values.walk };
}

function platformKey() {
  const key = process.env.API_KEY ?? process.env.PLATFORM_API_KEY;
  if (key === undefined) throw new Error(`Set API_KEY to the platform key of the running service.\n${USAGE}`);
  return key;
}

async function seed({ users, organizations }) {
  buildIfStale();
  const { databaseUrl } = await import('../dist/server/database-url.js');
  const client = new Client({ connectionString: await databaseUrl() });
  await client.connect();
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
  try {
    await client.query(`SET synchronous_commit = off; SET work_mem = '128MB'`);
    const tree = await seedTree(client, organizations);
    await withFastSearchIndex(client, users > BATCH_SIZE, async () => {
      for (let first = 1; first <= users; first += BATCH_SIZE) {
        const last = Math.min(users, first + BATCH_SIZE - 1);
        await seedUsers(client, tree, { first, last, total: users });
        console.error(`${last.toLocaleString('en')} of ${users.toLocaleString('en')} users after ${seconds()} s`);
      }
    });
    await seedHistory(client, tree.organizationIds[0]);
    for (const table of ['organizations', 'users', 'memberships', 'role_assignments', 'directory_entries'])
      await client.query(`ANALYZE ${table}`);
    const amounts = `${users.toLocaleString('en')} users in ${organizations.toLocaleString('en')} organizations`;
    console.log(`Wrote ${amounts} under "${tree.slug}" in ${seconds()} s. Read them: GET /v1/organizations/${tree.slug}/users`);
  } finally {
    await client.end();
  }
}

/** Runs `write` with a larger buffer of the search index, which makes bulk inserts faster. */
async function withFastSearchIndex(client, isWorthIt, write) {
  if (!isWorthIt) return write();
  const { rows } = await client.query(`SELECT array_to_string(reloptions, ', ') AS options FROM pg_class WHERE relname = $1`, [
    SEARCH_INDEX,
  ]);
  await client.query(`ALTER INDEX ${SEARCH_INDEX} SET (gin_pending_list_limit = ${SEEDING_PENDING_LIST_KB})`);
  try {
    await write();
  } finally {
    await client.query(`ALTER INDEX ${SEARCH_INDEX} SET (${rows[0].options})`);
    await client.query('SELECT gin_clean_pending_list($1)', [SEARCH_INDEX]);
  }
}
