import { createHash } from 'node:crypto';
import { firstIdAt } from '#platform/common';
import { Client } from 'pg';
import type { TestApp } from './app.js';
import { made, newAddress, newOrganization } from './organizations.js';
import { runSql } from './run-sql.js';

export interface Tenant {
  readonly id: string;
  readonly userIds: readonly string[];
}

/** Creates tenants with children, users, memberships, API keys and webhooks with the API. */
export async function createTenants(app: TestApp, count: number): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (let index = 0; index < count; index++) {
    const { id } = await newOrganization(app);
    const path = `/v1/organizations/${id as string}`;
    await newOrganization(app, { parentId: id });
    const userIds: string[] = [];
    for (let user = 0; user < 3; user++) userIds.push((await made(app, `${path}/users`, { email: newAddress() })).id as string);
    await made(app, `${path}/api-keys`, { name: 'Key', scopes: ['users:read'] });
    await made(app, `${path}/webhooks`, { name: 'Hook', url: 'http://127.0.0.1:9/hook', events: ['user.created'] });
    tenants.push({ id: id as string, userIds });
  }
  return tenants;
}

/** Inserts events of this week into the database, in equal numbers for each tenant. Inserts as many in the week of 1970. */
export async function insertEvents(databaseUrl: string, tenantIds: readonly string[], count: number): Promise<void> {
  const firstIds = [new Date(), new Date(0)].map((at) => firstIdAt('event', at).slice(0, -8));
  for (const firstId of firstIds)
    await runSql(
      databaseUrl,
      `INSERT INTO events (tenant_id, id, type, organization_id, actor_type, payload, payload_digest, position, occurred_at)
       SELECT t.id, '${firstId}' || lpad(n::text, 8, '0'), 'test.event', t.id, 'system', repeat('x', 500), '\\x00', 1000000 + n, now()
       FROM generate_series(1, ${count}) n, unnest('{${tenantIds.join()}}'::text[]) WITH ORDINALITY AS t (id, place)
       WHERE n % ${tenantIds.length} + 1 = t.place`,
    );
}

/** Returns the number of rows and a checksum of each table, but not of partitions. The order of rows has no influence. */
export async function contentsOf(databaseUrl: string): Promise<Record<string, { rows: number; checksum: string }>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
    );
    const contents: Record<string, { rows: number; checksum: string }> = {};
    for (const { name } of tables.rows) {
      const { rows } = await client.query<unknown[]>({ text: `SELECT * FROM ${name}`, rowMode: 'array' });
      const lines = rows.map((row) => JSON.stringify(row)).toSorted();
      contents[name] = { rows: rows.length, checksum: createHash('sha256').update(lines.join('\n')).digest('hex') };
    }
    return contents;
  } finally {
    await client.end();
  }
}
