import { randomBytes } from 'node:crypto';
import { ADMIN, KeycloakServer } from '../../test/keycloak/keycloak-server.ts';
import { timeOfFamily } from '../processor-time.mjs';
import { createEmptyDatabase } from '../stores.mjs';
import { form, get, post } from './server.mjs';

export const KEYCLOAK_DATABASE = 'bench_keycloak';
const REALM = 'bench';
const DAY_SECONDS = 86_400;
/** Users that are created by one request. */
const IMPORTED_AT_ONCE = 1_000;

/** Starts Keycloak with PostgreSQL, `size` users and `accounts` users with a password and a session. */
export async function startKeycloakDirectory(url, { size, accounts, password }, log) {
  log('Starting Keycloak');
  const server = await KeycloakServer.start({ databaseUrl: await createEmptyDatabase(url, KEYCLOAK_DATABASE) });
  try {
    const web = { client_id: 'web', client_secret: randomBytes(24).toString('hex') };
    const clients = [
      {
        clientId: web.client_id,
        secret: web.client_secret,
        clientAuthenticatorType: 'client-secret',
        directAccessGrantsEnabled: true,
      },
    ];
    const people = Array.from({ length: accounts }, (_, number) => personOf(`account${number}`, password));
    await server.createRealm(REALM, { accessTokenLifespan: DAY_SECONDS, clients, users: people });
    const headers = await administrator(server);
    log(`${size} users in Keycloak`);
    const ids = await importUsers(server, headers, size);
    const tokenPath = `/realms/${REALM}/protocol/openid-connect`;
    const signIn = (next) =>
      form(`${tokenPath}/token`, {
        ...web,
        grant_type: 'password',
        scope: 'openid',
        username: `account${next % accounts}`,
        password,
      });
    const tokens = [];
    for (let number = 0; number < accounts; number++) tokens.push(await send(server, signIn(number)));
    const at = (list, next) => list[next % list.length];
    const users = `/admin/realms/${REALM}/users`;
    return {
      name: 'Keycloak',
      url: server.url,
      headers,
      processorTimeMs: () => timeOfFamily(server.pid),
      stop: () => server.stop(),
      requests: {
        'get user': (next) => get(`${users}/${at(ids, next)}`),
        'list users (20)': () => get(`${users}?max=20`),
        'exact email': (next) => get(`${users}?exact=true&email=user${next % size}%40example.com`),
        'create user': (next) => post(users, personOf(`new.user${next}`)),
        'verify session': (next) => form(`${tokenPath}/token/introspect`, { ...web, token: at(tokens, next).access_token }),
        'session request': (next) => get(`${tokenPath}/userinfo`, { authorization: `Bearer ${at(tokens, next).access_token}` }),
        'sign in': signIn,
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Returns a user in the format of Keycloak. */
export const personOf = (username, password) => ({
  username,
  enabled: true,
  email: `${username}@example.com`,
  emailVerified: true,
  firstName: 'Ada',
  lastName: 'Lovelace',
  ...(password && { credentials: [{ type: 'password', value: password, temporary: false }] }),
});

/** Returns headers of an administrator whose token lives for a day. */
async function administrator(server) {
  const grant = form('/realms/master/protocol/openid-connect/token', {
    client_id: 'admin-cli',
    grant_type: 'password',
    ...ADMIN,
  });
  const headersOf = ({ access_token: token }) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });
  const headers = headersOf(await send(server, grant));
  const path = '/admin/realms/master';
  await send(server, { method: 'PUT', path, headers, body: JSON.stringify({ accessTokenLifespan: DAY_SECONDS }) });
  return headersOf(await send(server, grant));
}

async function importUsers(server, headers, size) {
  for (let first = 0; first < size; first += IMPORTED_AT_ONCE) {
    const count = Math.min(IMPORTED_AT_ONCE, size - first);
    const users = Array.from({ length: count }, (_, index) => personOf(`user${first + index}`));
    await send(server, post(`/admin/realms/${REALM}/partialImport`, { ifResourceExists: 'FAIL', users }, headers));
  }
  const found = await send(server, get(`/admin/realms/${REALM}/users?max=1000&search=user`, headers));
  return found.map(({ id }) => id);
}

async function send(server, { path, ...request }) {
  const response = await fetch(server.url + path, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`${request.method} ${path} of Keycloak returned ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
