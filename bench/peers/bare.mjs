import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createEmptyDatabase, withClient } from '../stores.mjs';
import { get, post, startServer } from './server.mjs';

export const BARE_DATABASE = 'bench_bare';

const TABLES = `
  CREATE TABLE bare_users (id uuid PRIMARY KEY, organization_id uuid NOT NULL, email text NOT NULL, first_name text, last_name text,
    status text NOT NULL DEFAULT 'pending', metadata jsonb NOT NULL DEFAULT '{}', created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now());
  CREATE UNIQUE INDEX ON bare_users (organization_id, lower(email));
  CREATE INDEX ON bare_users (organization_id, id);
  CREATE TABLE bare_sessions (id uuid PRIMARY KEY, token_hash bytea NOT NULL UNIQUE, user_id uuid NOT NULL REFERENCES bare_users,
    expires_at timestamptz NOT NULL);
  CREATE TABLE bare_events (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, type text NOT NULL, payload jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now());`;

/** Starts the bare server with `size` users and `sessions` sessions in a database of its own. */
export async function startBare(url, { size, sessions }) {
  const databaseUrl = await createEmptyDatabase(url, BARE_DATABASE);
  const organization = randomUUID();
  const tokens = Array.from({ length: sessions }, () => randomBytes(32).toString('base64url'));
  const users = await withClient(databaseUrl, (client) => seed(client, organization, size, tokens));
  const authorization = 'Bearer bare';
  const server = await startServer(join(import.meta.dirname, 'bare-server.mjs'), {
    DATABASE_URL: databaseUrl,
    AUTHORIZATION: authorization,
    ORGANIZATION: organization,
  });
  const at = (list, next) => list[next % list.length];
  return {
    ...server,
    name: 'bare',
    headers: { authorization, 'content-type': 'application/json' },
    requests: {
      'get user': (next) => get(`/users/${at(users, next).id}`),
      'list users (20)': () => get('/users'),
      'exact email': (next) => get(`/users?email=${encodeURIComponent(at(users, next).email)}`),
      'create user': (next) => post('/users', { email: `new.user${next}@example.com`, firstName: 'New', lastName: 'User' }),
      'verify session': (next) => post('/sessions/verify', { token: at(tokens, next) }),
    },
  };
}

async function seed(client, organization, size, tokens) {
  await client.query(TABLES);
  const { rows } = await client.query(
    `INSERT INTO bare_users (id, organization_id, email, first_name, last_name, status)
     SELECT gen_random_uuid(), $1, 'user' || number || '@example.com', 'Ada', 'Lovelace', 'active' FROM generate_series(1, $2) AS number
     RETURNING id, email`,
    [organization, size],
  );
  for (const [index, token] of tokens.entries()) {
    const hash = createHash('sha256').update(token).digest();
    const values = [randomUUID(), hash, rows[index % size].id];
    await client.query(`INSERT INTO bare_sessions VALUES ($1, $2, $3, now() + interval '1 day')`, values);
  }
  await client.query('ANALYZE');
  return rows;
}
