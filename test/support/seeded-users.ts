import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestApp } from './app.js';
import { connectScim, type ScimClient } from './scim.js';

const ROOT = join(import.meta.dirname, '../..');

/** Creates a tenant with the number of users by `npm run seed`. Returns the slug of its root organization. */
export async function seedUsers(app: TestApp, users: number, organizations = 1): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: app.config.databaseUrl };
  const args = ['scripts/seed.mjs', '--users', String(users), '--organizations', String(organizations)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  return /under "([a-z0-9-]+)"/.exec(stdout)![1]!;
}

/** Creates a tenant with the number of users, all managed by a SCIM connection, as if it had sent them. Returns a client of the connection. */
export const seedScimUsers = async (app: TestApp, users: number): Promise<ScimClient> =>
  manageByScim(app, await seedUsers(app, users));

/** Creates a SCIM connection that manages all users of the organization, as if it had sent them. Returns a client of the connection. */
export async function manageByScim(app: TestApp, slug: string): Promise<ScimClient> {
  const scim = await connectScim(app, slug, { allowLocalChanges: true });
  const parameters = [scim.connectionId];
  const managed = 'FROM scim_connections c WHERE c.id = $1 AND u.tenant_id = c.tenant_id';
  await app.database.query(`UPDATE users u SET managed_by = c.id ${managed}`, parameters);
  await app.database.query(
    `INSERT INTO scim_users (tenant_id, user_id, connection_id, user_name, user_name_key, external_id, email_keys, attributes, updated_at)
     SELECT tenant_id, id, managed_by, email, email_key, 'ext-' || id, ARRAY[email_key, 'other.' || email_key],
       jsonb_build_object('title', 'Engineer', 'emails', jsonb_build_array(
         jsonb_build_object('value', email, 'type', 'work', 'primary', true), jsonb_build_object('value', 'other.' || email, 'type', 'home'))),
       updated_at
     FROM users WHERE managed_by = $1`,
    parameters,
  );
  return scim;
}
