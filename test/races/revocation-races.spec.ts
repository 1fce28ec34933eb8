import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { newOrganization } from '../support/organizations.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';

/** The number of rounds. */
const ROUNDS = process.env['LONG'] ? 334 : 8;
/** The number of rounds with API keys. Each round takes one second longer. */
const KEY_ROUNDS = process.env['LONG'] ? 334 : 4;
/** The time within which every process rejects a revoked API key. */
const KEY_REVOCATION_MS = 1_000;
const LONG_TEST_MS = 30 * 60_000;
const CALLERS_PER_PROCESS = 3;

jest.setTimeout(LONG_TEST_MS);

/** After the response to a revocation, no process accepts a new request with the revoked session, role or key. */
describe('a service with two processes', () => {
  let database: TestDatabase;
  let first: TestApp;
  let second: TestApp;
  let organization: string;
  let user: SignedIn;

  beforeAll(async () => {
    database = await createTestDatabase();
    const shared = {
      databaseUrl: database.url,
      platformApiKey: `test-platform-${randomBytes(24).toString('hex')}`,
      secretsKeys: [randomBytes(32)],
    };
    first = await startApp(shared);
    second = await startApp(shared);
    organization = (await newOrganization(first)).id;
    user = await signedIn(first, organization);
  });
  afterAll(async () => {
    await first?.close();
    await second?.close();
    await database?.drop();
  });

  const apiPath = (rest: string): string => `/v1/organizations/${organization}${rest}`;

  /**
   * Sends requests to the two processes while `revoke` runs. Returns the statuses of requests that began more than `graceMs` after the end of
   * `revoke`.
   */
  async function statusesAfter(token: string, path: string, revoke: () => Promise<unknown>, graceMs = 0): Promise<number[]> {
    const responses: { startedAt: number; status: number }[] = [];
    const stopping = new AbortController();
    const call = async (app: TestApp): Promise<void> => {
      while (!stopping.signal.aborted) {
        const startedAt = performance.now();
        const { status } = await app.api.as(token).get(path).whenServed();
        responses.push({ startedAt, status });
      }
    };
    const calls = [first, second].flatMap((app) => Array.from({ length: CALLERS_PER_PROCESS }, () => call(app)));
    while (!responses.some(({ status }) => status === 200)) await new Promise((done) => setTimeout(done, 5));
    await revoke();
    const revokedAt = performance.now();
    await new Promise((done) => setTimeout(done, graceMs + 100));
    stopping.abort();
    await Promise.all(calls);
    return responses.filter(({ startedAt }) => startedAt > revokedAt + graceMs).map(({ status }) => status);
  }

  async function rounds(
    path: string,
    expected: number,
    round: (token: string) => Promise<() => Promise<unknown>>,
  ): Promise<void> {
    let checkedRequests = 0;
    for (let count = 0; count < ROUNDS; count++) {
      const { token } = await openSession(first, user, { at: organization });
      const statuses = await statusesAfter(token, path, await round(token));
      checkedRequests += statuses.length;
      expect(statuses.filter((status) => status !== expected)).toEqual([]);
    }
    expect(checkedRequests).toBeGreaterThan(ROUNDS);
  }

  it('returns 401 after the user is suspended', () =>
    rounds(apiPath(''), 401, async () => {
      await first.api.platform.post(apiPath(`/users/${user.id}/activate`)).expect(200);
      return () => second.api.platform.post(apiPath(`/users/${user.id}/suspend`)).expect(200);
    }).finally(() => first.api.platform.post(apiPath(`/users/${user.id}/activate`)).expect(200)));

  it('returns 401 after the session is signed out', () =>
    rounds(apiPath(''), 401, async (token) => () => first.api.as(token).post('/v1/auth/logout').expect(204)));

  it('returns 403 after the required role is removed', () =>
    rounds(apiPath('/webhooks'), 403, async () => {
      await first.api.platform.post(apiPath(`/users/${user.id}/roles`), { roleId: 'viewer' }).expect(201);
      return () => second.api.platform.delete(apiPath(`/users/${user.id}/roles/role_viewer`)).expect(204);
    }));

  it.each(['revoking', 'rotating'] as const)('rejects an API key one second after %s the key', async (action) => {
    let checkedRequests = 0;
    for (let count = 0; count < KEY_ROUNDS; count++) {
      const body = { name: 'k', scopes: ['organizations:read'] };
      const { id, key } = (await first.api.platform.post(apiPath('/api-keys'), body).expect(201)).body.data;
      const [one, other] = count % 2 === 0 ? [first, second] : [second, first];
      const revoke = (): Promise<unknown> =>
        action === 'revoking'
          ? one.api.platform.delete(apiPath(`/api-keys/${id}`)).expect(204)
          : other.api.platform.post(apiPath(`/api-keys/${id}/rotate`)).expect(201);
      const statuses = await statusesAfter(key, apiPath(''), revoke, KEY_REVOCATION_MS);
      checkedRequests += statuses.length;
      expect(statuses.filter((status) => status !== 401)).toEqual([]);
    }
    process.stdout.write(`${action} keys: ${KEY_ROUNDS} times, ${checkedRequests} requests from a second on, none served\n`);
    expect(checkedRequests).toBeGreaterThan(KEY_ROUNDS);
  });
});
