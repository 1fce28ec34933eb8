import { ACCOUNTS, PASSWORD } from '../load-target.mjs';
import { dropDatabase } from '../stores.mjs';
import { BARE_DATABASE, startBare } from './bare.mjs';
import { BETTER_AUTH_DATABASE, startBetterAuth } from './better-auth.mjs';
import { KEYCLOAK_DATABASE, startKeycloakDirectory } from './keycloak.mjs';

/** Minimum rates of the service relative to the peers. */
export const WANTED = {
  bare: { 'get user': 0.4, 'list users (20)': 0.4, 'exact email': 0.4, 'create user': 0.33 },
  Keycloak: { 'get user': 1.4, 'create user': 2, 'verify session': 1, 'session request': 0.8, 'sign in': 4 },
  'better-auth': { 'add member': 1.5 },
};

/** Starts the bare server and, with `peers`, Keycloak and better-auth, which have as many users. Each has a database of its own. */
export async function startPeers(url, { size, peers }, log) {
  const started = [await startBare(url, { size, sessions: ACCOUNTS })];
  if (!peers) return started;
  const people = { size, accounts: ACCOUNTS, password: PASSWORD };
  try {
    for (const start of [startBetterAuth, startKeycloakDirectory]) started.push(await start(url, people, log));
    return started;
  } catch (error) {
    await stopPeers(url, started);
    throw error;
  }
}

export async function stopPeers(url, peers) {
  for (const { stop } of peers) await stop();
  for (const name of [BARE_DATABASE, BETTER_AUTH_DATABASE, KEYCLOAK_DATABASE]) await dropDatabase(url, name);
}
