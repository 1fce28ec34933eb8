import { randomBytes } from 'node:crypto';
import { KeycloakServer } from '../test/keycloak/keycloak-server.ts';
import { KEYCLOAK_DATABASE, personOf } from './peers/keycloak.mjs';
import { timeOfFamily } from './processor-time.mjs';
import { createEmptyDatabase } from './stores.mjs';

const REALM = 'bench';
const PASSWORD = 'lantern orbit velvet quarry';
const USERS = 20;
/** Each run loses some refresh tokens, whose answer comes after its end. */
const SIGN_INS = 150;

/** Starts Keycloak with PostgreSQL and the same clients: a machine client, and a client whose refresh tokens are rotated. */
export async function startKeycloak(url, log) {
  log('Starting Keycloak');
  const server = await KeycloakServer.start({ databaseUrl: await createEmptyDatabase(url, KEYCLOAK_DATABASE) });
  try {
    const machine = { client_id: 'machine', client_secret: randomBytes(24).toString('hex') };
    const web = { client_id: 'web', client_secret: randomBytes(24).toString('hex') };
    const usernames = Array.from({ length: USERS }, (_, number) => `user${number}`);
    await server.createRealm(REALM, {
      revokeRefreshToken: true,
      refreshTokenMaxReuse: 0,
      accessTokenLifespan: 3_600,
      clients: [
        clientOf(machine, { serviceAccountsEnabled: true, standardFlowEnabled: false }),
        clientOf(web, { directAccessGrantsEnabled: true }),
      ],
      users: usernames.map((username) => personOf(username, PASSWORD)),
    });
    const endpoints = `/realms/${REALM}/protocol/openid-connect`;
    const signIns = [];
    log(`${SIGN_INS} sign-ins at Keycloak`);
    for (let count = 0; count < SIGN_INS; count++)
      signIns.push(await signIn(server.url + endpoints, web, usernames[count % USERS]));
    return {
      name: 'Keycloak',
      url: server.url,
      headers: {},
      processorTimeMs: () => timeOfFamily(server.pid),
      target: {
        path: `/realms/${REALM}`,
        endpoints: {
          token: `${endpoints}/token`,
          introspect: `${endpoints}/token/introspect`,
          userinfo: `${endpoints}/userinfo`,
        },
        machine,
        web,
        accessTokens: signIns.slice(0, USERS).map(({ access_token: token }) => token),
        refreshTokens: signIns.slice(USERS).map(({ refresh_token: token }) => token),
      },
      stop: () => server.stop(),
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

const clientOf = ({ client_id: clientId, client_secret: secret }, fields) => ({
  clientId,
  secret,
  clientAuthenticatorType: 'client-secret',
  publicClient: false,
  ...fields,
});

async function signIn(endpoints, client, username) {
  const body = new URLSearchParams({ ...client, grant_type: 'password', scope: 'openid', username, password: PASSWORD });
  const response = await fetch(`${endpoints}/token`, { method: 'POST', body });
  if (!response.ok) throw new Error(`Keycloak refused a sign-in: ${await response.text()}`);
  return response.json();
}
