import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { Pool } from 'pg';
import { typeidUnboxed } from 'typeid-js';
import { exchangeToken } from './baseline-oauth.mjs';
import * as sql from './baseline-statements.mjs';
import { textOf } from './request-text.mjs';

/*
 * The baseline of the benchmark: plain `http` and `pg` in a separate process with the same responses, without validation, permissions,
 * rate limits or logs. Authentication is one comparison. baseline-process.mjs starts it.
 */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const ask = async (statement, values) => (await pool.query({ ...statement, values })).rows;
const PATH = /^\/v1\/organizations\/([^/]+)\/users(?:\/([^/]+))?(\/roles)?$/;

const server = createServer((request, response) => {
  void send(response, answer(request));
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
process.on('disconnect', () => process.exit(0));

async function send(response, answer) {
  try {
    const { status, body } = await answer;
    const text = JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
  } catch (error) {
    response.writeHead(500).end(String(error.stack));
  }
}

async function answer(request) {
  const url = new URL(request.url, 'http://localhost');
  if (url.pathname === '/oauth/token') return exchangeToken(pool, new URLSearchParams(await textOf(request)));
  const [, handle, userId, roles] = PATH.exec(url.pathname);
  if (request.headers.authorization !== process.env.AUTHORIZATION) return { status: 401, body: {} };
  if (request.method === 'POST') {
    const body = JSON.parse(await textOf(request));
    return roles ? assignRole(handle, userId, body.roleId) : createUser(handle, body);
  }
  if (userId) return getUser(handle, userId);
  const [email, search] = [url.searchParams.get('email'), url.searchParams.get('search')];
  if (email !== null) return list(await ask(sql.BY_EMAIL, [handle, email.toLowerCase()]));
  return list(search === null ? await ask(sql.LIST, [handle]) : await ask(sql.SEARCH, [handle, `%${search.toLowerCase()}%`]));
}

async function getUser(handle, userId) {
  const [user] = await ask(sql.GET_USER, [handle, userId]);
  return { status: 200, body: { data: user } };
}

function list(rows) {
  const [{ total }] = rows;
  const data = rows.filter(({ id }) => id !== null).slice(0, 20);
  return { status: 200, body: { data, pagination: { page: 1, limit: 20, total, hasMore: rows.length > 20 } } };
}

async function createUser(handle, { email, firstName, lastName }) {
  const user = { id: typeidUnboxed('usr'), email, firstName, lastName, status: 'pending', createdAt: new Date() };
  await change(handle, 'user.created', user.id, user, (run, tenantId) =>
    run(sql.INSERT_USER, [tenantId, user.id, email, firstName, lastName, user.createdAt]),
  );
  return { status: 201, body: { data: user } };
}

async function assignRole(handle, userId, roleId) {
  const assignedAt = new Date();
  await change(handle, 'role.assigned', userId, { user: { id: userId }, role: { id: roleId } }, (run, tenantId) =>
    run(sql.INSERT_ASSIGNMENT, [tenantId, userId, roleId, assignedAt]),
  );
  return { status: 201, body: { data: { userId, roleId, assignedAt } } };
}

/** Runs the change and inserts its event in one transaction. */
async function change(handle, type, userId, data, write) {
  const client = await pool.connect();
  const run = async (statement, values) => (await client.query({ ...statement, values })).rows;
  try {
    const [scope] = await run(sql.FIND_SCOPE, [handle]);
    await client.query('BEGIN');
    await write(run, scope.tenant_id);
    const [id, at] = [typeidUnboxed('evt'), new Date()];
    const payload = JSON.stringify({ id, type, timestamp: at, organizationId: scope.id, data, metadata: { source: 'api' } });
    const digest = createHash('sha256').update(payload).digest();
    await run(sql.INSERT_EVENT, [id, scope.tenant_id, type, userId, payload, digest, at]);
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    client.release(error);
    throw error;
  }
}
