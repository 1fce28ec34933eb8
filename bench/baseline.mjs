import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { Pool } from 'pg';
import { typeidUnboxed } from 'typeid-js';
import * as sql from './baseline-statements.mjs';

/*
 * What the service is compared with: bare `http` and `pg`, in a process of its own, doing the same SQL work for the same answers, without
 * validation, permissions, problem details or anything else. Started by baseline-process.mjs.
 */
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const query = async (text, values) => (await pool.query(text, values)).rows;
const USERS_PATH = /^\/v1\/organizations\/([^/]+)\/users(?:\/([^/]+))?(\/roles)?$/;

const server = createServer((request, response) => {
  answer(request).then(
    ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    (error) => response.writeHead(500).end(String(error.stack)),
  );
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
process.on('disconnect', () => process.exit(0));

async function answer(request) {
  const url = new URL(request.url, 'http://localhost');
  const [, handle, userId, roles] = USERS_PATH.exec(url.pathname);
  if (request.headers.authorization !== process.env.AUTHORIZATION) return { status: 401, body: {} };
  const [scope] = await query(sql.SCOPE, [handle]);
  if (request.method === 'GET')
    return userId ? getUser(scope, userId) : list(scope, url.searchParams.get('search')?.toLowerCase() ?? undefined);
  const body = await bodyOf(request);
  return roles ? assignRole(scope, userId, body.roleId) : createUser(scope, body);
}

async function getUser(scope, userId) {
  const place = [scope.tenant_id, scope.id];
  const [user] = await query(sql.GET_USER, [...place, userId]);
  const held = await rolesHeld(place, [userId]);
  const memberships = await query(sql.MEMBERSHIPS, [userId]);
  const identityProviders = await query(sql.IDENTITIES, [user.tenant_id, userId]);
  return { status: 200, body: { data: { ...user, roles: held.get(userId), organizations: memberships, identityProviders } } };
}

async function list(scope, term) {
  return inTransaction('REPEATABLE READ, READ ONLY', async (query) => {
    const place = [scope.tenant_id, scope.id];
    const { ids, total } = term === undefined ? await page(query, place) : (await query(sql.SEARCH, [...place, `%${term}%`]))[0];
    const shown = ids.slice(0, 20);
    const users = new Map((await query(sql.USERS, [shown])).map((user) => [user.id, user]));
    const roles = await rolesHeld(place, shown, query);
    const data = shown.map((id) => ({ ...users.get(id), roles: roles.get(id) }));
    return { status: 200, body: { data, pagination: { page: 1, limit: 20, total, hasMore: ids.length > 20 } } };
  });
}

async function page(query, place) {
  const ids = (await query(sql.LIST, place)).map((row) => row.user_id);
  const [{ total }] = await query(sql.TOTAL, place);
  return { ids, total };
}

async function rolesHeld(place, userIds, ask = query) {
  const held = await ask(sql.ROLES_HELD, [...place, userIds]);
  const own = [...new Set(held.map((row) => row.role_id))].filter((id) => id.length > 26);
  const roles = new Map(own.length > 0 ? (await ask(sql.ROLES, [own])).map((role) => [role.id, role]) : []);
  const byUser = new Map(userIds.map((id) => [id, []]));
  for (const { user_id: userId, role_id: id } of held) byUser.get(userId).push(roles.get(id) ?? { id });
  return byUser;
}

async function createUser({ id: tenantId }, { email, firstName, lastName }) {
  const id = typeidUnboxed('usr');
  const now = new Date();
  await inTransaction('READ COMMITTED', async (query) => {
    await query(sql.SETTINGS, [[tenantId]]);
    await query(sql.INSERT_USER, [tenantId, id, email, firstName, lastName, now]);
    await query(sql.INSERT_MEMBERSHIP, [tenantId, id, 'role_member', now]);
    await query(sql.INSERT_ASSIGNMENT, [tenantId, id, 'role_member', false, 'pending', now]);
    await query(sql.INSERT_ENTRY, [tenantId, id, email, ` ${email}\n ${firstName} ${lastName}`.toLowerCase()]);
    await query(sql.INSERT_DELTAS, [tenantId, ['user', 'member', 'role_member'], 'pending']);
    await insertEvent(
      query,
      tenantId,
      'user.created',
      id,
      { id, email, firstName, lastName, status: 'pending', createdAt: now },
      now,
    );
  });
  return { status: 201, body: { data: { id, email, firstName, lastName, status: 'pending', createdAt: now } } };
}

async function assignRole({ id: tenantId, name }, userId, roleId) {
  const now = new Date();
  const created = await inTransaction('READ COMMITTED', async (query) => {
    const [user] = await query(sql.LOCK_USER, [userId]);
    await query(sql.MEMBERSHIP, [tenantId, tenantId, userId]);
    const role = roleId.length > 26 ? (await query(sql.HOLD_ROLE, [tenantId, roleId]))[0] : { id: roleId };
    const [existing] = await query(sql.ASSIGNMENT, [tenantId, tenantId, userId, roleId]);
    if (existing) return false;
    await query(sql.INSERT_ASSIGNMENT, [tenantId, userId, roleId, true, user.status, now]);
    await query(sql.INSERT_DELTAS, [tenantId, [roleId], user.status]);
    const data = { organization: { id: tenantId, name }, user: { id: userId, email: user.email }, role };
    await insertEvent(query, tenantId, 'role.assigned', userId, data, now);
    return true;
  });
  return { status: created ? 201 : 200, body: { data: { userId, roleId, organizationId: tenantId, assignedAt: now } } };
}

function insertEvent(query, tenantId, type, userId, data, now) {
  const id = typeidUnboxed('evt');
  const payload = JSON.stringify({ id, type, timestamp: now, organizationId: tenantId, data, metadata: { source: 'api' } });
  const digest = createHash('sha256').update(payload).digest();
  return query(sql.INSERT_EVENT, [id, tenantId, type, userId, payload, digest, now]);
}

async function inTransaction(isolation, work) {
  const client = await pool.connect();
  try {
    await client.query(`START TRANSACTION ISOLATION LEVEL ${isolation}`);
    const result = await work(async (text, values) => (await client.query(text, values)).rows);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    client.release(error);
    throw error;
  }
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
