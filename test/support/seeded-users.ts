import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestApp } from './app.js';

const ROOT = join(import.meta.dirname, '../..');

/** Creates a tenant with the number of users by `npm run seed`. Returns the slug of its organization. */
export async function seedUsers(app: TestApp, users: number): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: app.config.databaseUrl };
  const args = ['scripts/seed.mjs', '--users', String(users), '--organizations', '1'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  return /under "([a-z0-9-]+)"/.exec(stdout)![1]!;
}
