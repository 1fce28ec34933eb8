import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Pool } from 'pg';
import { textOf } from '../request-text.mjs';

/*
 * A server as a developer would write it by hand for one application: `http` and `pg`, own tables without tenants, and statements of one
 * row. No validation, permissions, limits or logs. bare.mjs starts it.
 */
const { DATABASE_URL, PORT, AUTHORIZATION, ORGANIZATION } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: 20 });
const COLUMNS = 'id, email, first_name, last_name, status, metadata, created_at, updated_at';

const query = async (name, text, values) => (await pool.query({ name, text, values })).rows;

const server = createServer((request, response) => {
  void send(response, answer(request));
});
server.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'));
process.on('disconnect', () => process.exit(0));

async function send(response, answer) {
  try {
    const text = JSON.stringify({ data: await answer });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
  } catch (error) {
    response.writeHead(500).end(String(error.stack));
  }
}

async function answer(request) {
  const url = new URL(request.url, 'http://localhost');
  if (request.headers.authorization !== AUTHORIZATION) throw new Error('The authorization is wrong.');
  const body = request.method === 'POST' ? JSON.parse(await textOf(request)) : undefined;
  if (url.pathname === '/sessions/verify') return verifySession(body);
  if (body) return createUser(body);
  const id = url.pathname.split('/')[2];
  const email = url.searchParams.get('email');
  if (id) return (await query('get', `SELECT ${COLUMNS} FROM bare_users WHERE id = $1`, [id]))[0];
  if (email === null)
    return query('list', `SELECT ${COLUMNS} FROM bare_users WHERE organization_id = $1 ORDER BY id LIMIT 20`, [ORGANIZATION]);
  return query('email', `SELECT ${COLUMNS} FROM bare_users WHERE organization_id = $1 AND lower(email) = $2`, [
    ORGANIZATION,
    email,
  ]);
}

async function verifySession({ token }) {
  const [session] = await query(
    'session',
    `SELECT s.id AS session_id, s.expires_at, u.id, u.email, u.first_name, u.last_name, u.status
     FROM bare_sessions s JOIN bare_users u ON u.id = s.user_id WHERE s.token_hash = $1 AND s.expires_at > now()`,
    [createHash('sha256').update(token).digest()],
  );
  return { active: session !== undefined, session };
}

/** Inserts the user and its event in one transaction. */
async function createUser({ email, firstName, lastName }) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query({
      name: 'create',
      text: `INSERT INTO bare_users (id, organization_id, email, first_name, last_name) VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
      values: [randomUUID(), ORGANIZATION, email, firstName, lastName],
    });
    await client.query({
      name: 'event',
      text: `INSERT INTO bare_events (type, payload) VALUES ('user.created', $1)`,
      values: [JSON.stringify(rows[0])],
    });
    await client.query('COMMIT');
    client.release();
    return rows[0];
  } catch (error) {
    client.release(error);
    throw error;
  }
}
