import { createHash, randomBytes } from 'node:crypto';
import type { Client } from 'pg';

/**
 * Prints a link that lets whoever opens it first into the dashboard, with all that a platform key may do. Who can write to the database
 * could do as much without it. As libs/identity/auth/src/operators makes them.
 */
export async function dashboardLink(client: Client): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  await client.query(
    "INSERT INTO operator_links (token_hash, origin, created_at, expires_at) VALUES ($1, 'request', now(), now() + interval '1 hour')",
    [createHash('sha256').update(token).digest()],
  );
  const baseUrl = (process.env['BASE_URL'] || `http://localhost:${process.env['PORT'] || 3000}`).replace(/\/+$/, '');
  console.log(`Dashboard link (works once, expires in one hour): ${baseUrl}/dashboard/getting-started#token=${token}`);
}
