import type { Client } from 'pg';

const USAGE = 'Usage: npm run platform-keys   |   npm run platform-keys -- revoke <id>';

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly shown: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

/** Lists the platform keys, or revokes one: no operation of the API does, so that nobody who got hold of one locks the operator out. */
export async function platformKeys(client: Client, [action = 'list', id, ...more]: readonly string[]): Promise<void> {
  if (more.length === 0 && action === 'list' && id === undefined) await list(client);
  else if (more.length === 0 && action === 'revoke' && id !== undefined) await revoke(client, id);
  else throw new Error(USAGE);
}

async function list(client: Client): Promise<void> {
  const { rows } = await client.query<KeyRow>(
    `SELECT id, name, prefix || '…' || last4 AS shown, created_at, last_used_at, revoked_at
     FROM api_keys WHERE tenant_id = 'platform' ORDER BY id`,
  );
  const time = (at: Date | null): string => at?.toISOString() ?? 'never';
  for (const { id, name, shown, created_at, last_used_at, revoked_at } of rows) {
    const state = revoked_at ? `revoked ${time(revoked_at)}` : `active, last used ${time(last_used_at)}`;
    console.log(`${id}  ${name}  ${shown}  created ${time(created_at)}, ${state}`);
  }
  if (rows.length === 0)
    console.log('There is no platform key. The next start of an API process creates one, unless PLATFORM_API_KEY is set.');
}

async function revoke(client: Client, id: string): Promise<void> {
  const { rows } = await client.query<{ source: string }>(
    `UPDATE api_keys SET revoked_at = COALESCE(revoked_at, now()) WHERE tenant_id = 'platform' AND id = $1 RETURNING source`,
    [id],
  );
  const key = rows[0];
  if (!key) throw new Error(`There is no platform key ${id}. Run "npm run platform-keys" to list the platform keys.`);
  // Heard by every process; one that does not hear it asks the database again within a second.
  await client.query(`SELECT pg_notify('access_changed', $1)`, [id]);
  console.log(`Revoked ${id}. All processes reject it within a second.`);
  if (key.source === 'environment')
    console.log('This key is set in PLATFORM_API_KEY. Change that variable too, or the next start makes the key valid again.');
}
