import { expect, it, jest } from '@jest/globals';
import { PasswordHasher } from '#platform/crypto';
import { TestClient } from '../support/http-client.js';
import { countFaults, type Faults, faultsOf, IS_LONG, SEED, withFaults } from './fault-run.js';
import { checkOAuth } from './oauth-check.js';
import { OAuthAnswers } from './oauth-answers.js';
import { CALLBACK, type OAuthClientKey, OAuthLog, type OAuthPerson, OAuthUser } from './oauth-users.js';
import { STEADY_PATH } from './observed-receiver.js';
import { Random } from './random.js';
import { SystemUnderTest } from './system-under-test.js';

const [SIGN_INS, REFRESHES, USERS, CLIENTS] = IS_LONG ? [2_000, 20_000, 40, 5] : [40, 400, 8, 2];
const FAULTS: Faults = [
  ['kill api', 2, 30],
  ['kill worker', 0, 5],
  ['kill database', 2, 15],
];
const LIMIT_MS = (IS_LONG ? 120 : 5) * 60_000;
const DRAIN_LIMIT_MS = 90_000;
const PROBLEMS_SHOWN = 30;
const PASSWORD = 'lantern orbit velvet quarry';
const ACME = '/v1/organizations/acme';

/** Creates users with a session in the organization "acme". Each user has an address, because sign-ins are limited by address. */
async function createPeople(system: SystemUnderTest): Promise<OAuthPerson[]> {
  const hash = await new PasswordHasher().hash(PASSWORD);
  const people: OAuthPerson[] = [];
  for (let number = 1; number <= USERS; number++) {
    const email = `user-${number}@example.com`;
    const address = `198.51.100.${number}`;
    const { id } = (await system.client.post(`${ACME}/users`, { email }).expect(201)).body.data;
    await system.client.post(`${ACME}/users/${id}/activate`).expect(200);
    await system.database.query(
      `INSERT INTO user_credentials (tenant_id, user_id, password_hash, password_changed_at)
       SELECT tenant_id, id, $2, now() FROM users WHERE id = $1`,
      [id, hash],
    );
    const anonymous = new TestClient(system.url, undefined, () => ({ 'x-forwarded-for': address }));
    const signedIn = await anonymous.post('/v1/auth/login', { organization: 'acme', email, password: PASSWORD }).expect(200);
    people.push({ id, cookie: `faulty-session=${signedIn.body.data.sessionToken}`, address });
  }
  return people;
}

async function createClients({ client }: SystemUnderTest): Promise<OAuthClientKey[]> {
  const clients: OAuthClientKey[] = [];
  for (let number = 1; number <= CLIENTS; number++) {
    const body = { name: `Application ${number}`, type: 'web', authentication: 'client_secret_post', redirectUris: [CALLBACK] };
    const { id, secret } = (await client.post(`${ACME}/oauth-clients`, body).expect(201)).body.data;
    clients.push({ id, secret });
  }
  return clients;
}

jest.setTimeout(LIMIT_MS);

it(`accepts no code and no refresh token twice in ${SIGN_INS} sign-ins and ${REFRESHES} refreshes during faults`, async () => {
  const random = new Random(SEED);
  const system = await SystemUnderTest.create(
    {
      redis: 'one',
      postgres: 'own',
      apis: 2,
      writers: 0,
      webhookPaths: [STEADY_PATH],
      environment: { BASE_URL: 'http://localhost:3000', TRUST_PROXY: 'loopback' },
    },
    random,
  );
  try {
    const [people, clients] = [await createPeople(system), await createClients(system)];
    const setupEvents = await system.countEvents();
    const ownRandom = (): Random => new Random(random.between(0, 2 ** 31));
    const answers = new OAuthAnswers(system.urls, system.progress, ownRandom());
    const log = new OAuthLog();
    const users = people.map((person) => new OAuthUser(person, clients, answers, log, ownRandom()));
    const { counts } = log;
    const isDone = (): boolean => counts.signIns >= SIGN_INS && counts.refreshes >= REFRESHES;
    const startedAt = performance.now();
    const plan = { faults: FAULTS, requests: SIGN_INS * 2 + REFRESHES, sent: () => answers.counts.requests };
    const rounds = await withFaults({ system, random }, plan, async (areFaultsLeft) => {
      await Promise.all(users.map((user) => user.run(() => isDone() && !areFaultsLeft())));
    });
    await Promise.all(users.map((user) => user.finish()));
    const durationMs = Math.round(performance.now() - startedAt);

    await system.drain(DRAIN_LIMIT_MS);
    const { violations, events } = await checkOAuth(system, { log, users, setupEvents });
    const found = [...answers.problems, ...violations];
    const numbers = {
      faults: countFaults(rounds),
      ...answers.counts,
      ...counts,
      longestPauseMs: log.longestPauseMs,
      durationMs,
      events,
    };
    process.stdout.write(`OAuth (seed ${SEED}): ${JSON.stringify(numbers)}\n`);
    const details = found.length > 0 ? { rounds, processLogs: system.processLogs() } : {};
    expect({ seed: SEED, found: found.slice(0, PROBLEMS_SHOWN), ...details }).toEqual({ seed: SEED, found: [] });
    expect(rounds).toHaveLength(faultsOf(FAULTS).length);
    expect(isDone()).toBe(true);
  } finally {
    await system.close();
  }
});
