import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { config } from 'dotenv';
import { Client } from 'pg';
import { projectDir } from './build-if-stale.mjs';
import { databaseUrl, reasonOf } from './database-url.mjs';

// Prints a link that lets whoever opens it first into the dashboard, with all that a platform key may do. Who can write to the database
// could do as much without it. As libs/auth/src/operators makes them.
config({ path: join(projectDir, '.env'), quiet: true });
try {
  const client = new Client({ connectionString: await databaseUrl() });
  await client.connect();
  const token = randomBytes(32).toString('base64url');
  try {
    await client.query(
      "INSERT INTO operator_links (token_hash, origin, created_at, expires_at) VALUES ($1, 'request', now(), now() + interval '1 hour')",
      [createHash('sha256').update(token).digest()],
    );
  } finally {
    await client.end();
  }
  const baseUrl = (process.env.BASE_URL || `http://localhost:${process.env.PORT || 3000}`).replace(/\/+$/, '');
  console.log(`Dashboard link (works once, expires in one hour): ${baseUrl}/dashboard/first-hour#token=${token}`);
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = 1;
}
