import { join } from 'node:path';
import { config } from 'dotenv';
import { Client } from 'pg';
import { projectDir } from './build-if-stale.mjs';
import { databaseUrl, reasonOf } from './database-url.mjs';

// Lists the platform keys, or revokes one: no operation of the API does, so that nobody who got hold of one locks the operator out.
const USAGE = 'Usage: npm run platform-keys   |   npm run platform-keys -- revoke <id>';

config({ path: join(projectDir, '.env'), quiet: true });
const [action = 'list', id, ...more] = process.argv.slice(2);
try {
  if (more.length > 0 || !(action === 'list' ? id === undefined : action === 'revoke' && id)) throw new Error(USAGE);
  const client = new Client({ connectionString: await databaseUrl() });
  await client.connect();
  try {
    await (action === 'revoke' ? revoke(client, id) : list(client));
  } finally {
    await client.end();
  }
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}

async function list(client) {
  const { rows } = await client.query(
    `SELECT id, name, prefix || '…' || last4 AS shown, created_at, last_used_at, revoked_at
     FROM api_keys WHERE tenant_id = 'platform' ORDER BY id`,
  );
  const time = (at) => at?.toISOString() ?? 'never';
  for (const { id, name, shown, created_at, last_used_at, revoked_at } of rows) {
    const state = revoked_at ? `revoked ${time(revoked_at)}` : `active, last used ${time(last_used_at)}`;
    console.log(`${id}  ${name}  ${shown}  created ${time(created_at)}, ${state}`);
  }
  if (rows.length === 0)
    console.log('There is no platform key. The next start of an API process creates one, unless PLATFORM_API_KEY is set.');
}

async function revoke(client, id) {
  const { rows } = await client.query(
    `UPDATE api_keys SET revoked_at = COALESCE(revoked_at, now()) WHERE tenant_id = 'platform' AND id = $1 RETURNING source`,
    [id],
  );
  if (rows.length === 0)
    throw new Error(`There is no platform key ${id}. Run "npm run platform-keys" to list the platform keys.`);
  // Heard by every process; one that does not hear it asks the database again within a second.
  await client.query(`SELECT pg_notify('access_changed', $1)`, [id]);
  console.log(`Revoked ${id}. All processes reject it within a second.`);
  if (rows[0].source === 'environment')
    console.log('This key is set in PLATFORM_API_KEY. Change that variable too, or the next start makes the key valid again.');
}
