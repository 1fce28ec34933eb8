import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../support/free-port.js';
import { TestClient } from '../support/http-client.js';
import { testReceiver } from '../support/receiver.js';
import { startRedisCluster } from '../support/redis-cluster.js';
import { startReplicatedPostgres } from '../support/replicated-postgres.js';
import { PASSWORD } from '../support/sign-in.js';
import { IS_LONG } from './fault-run.js';
import { TestService } from '../support/service-process.js';
import { testServer } from '../support/test-server.js';

const REPLICA_LAG_MS = 400;
const WRITERS = 4;
const WRITES_EACH = IS_LONG ? 250 : 10;
const REVOCATIONS = IS_LONG ? 100 : 5;
const RATE_LIMIT = 400;
const LIMIT_MS = 600_000;
const USERS = '/v1/organizations/acme/users';

jest.setTimeout(LIMIT_MS);

describe('a scaled-out service', () => {
  const cluster = testServer(startRedisCluster);
  const postgres = testServer(() => startReplicatedPostgres(REPLICA_LAG_MS));
  const receiver = testReceiver();
  const service = testServer(() =>
    TestService.create({
      DATABASE_URL: postgres.url,
      DATABASE_REPLICA_URLS: postgres.standby.url,
      DATABASE_POOL_SIZE: '8',
      REDIS_URL: cluster.urls.join(),
      RATE_LIMIT: String(RATE_LIMIT),
    }),
  );
  let urls: string[];

  beforeAll(async () => {
    const ports = await Promise.all(Array.from({ length: 5 }, findFreePort));
    await Promise.all(ports.map((port, index) => service.start({ ROLE: index < 2 ? 'api' : 'worker', PORT: String(port) })));
    urls = ports.slice(0, 2).map((port) => `http://127.0.0.1:${port}`);
    await api(0).post('/v1/organizations', { name: 'Acme' }).expect(201);
  });

  /** Returns a client of one of the two API processes. The default credential is the platform key. */
  const api = (index: number, credential = service.environment['PLATFORM_API_KEY']): TestClient =>
    new TestClient(urls[index % 2]!, credential);

  async function newSession(email: string): Promise<{ userId: string; token: string }> {
    const { id } = (await api(0).post(USERS, { email, sendInvitation: true }).expect(201)).body.data;
    const { body } = await api(1)
      .get(`/dev/mailbox.json?to=${encodeURIComponent(email)}`)
      .expect(200);
    const invitation = new URL(body.data[0].links[0]).searchParams.get('token');
    await api(1).post('/v1/auth/accept-invitation', { token: invitation, password: PASSWORD }).expect(200);
    const signedIn = await api(0).post('/v1/auth/login', { organization: 'acme', email, password: PASSWORD }).expect(200);
    return { userId: id, token: signedIn.body.data.sessionToken };
  }

  it('returns each change immediately in every API process', async () => {
    await api(0)
      .post('/v1/organizations/acme/webhooks', { url: receiver.url, events: ['user.created'] })
      .expect(201);
    const write = async (writer: number): Promise<void> => {
      for (let number = 0; number < WRITES_EACH; number++) {
        const email = `w${writer}-${number}@example.com`;
        const { id } = (await api(number).post(USERS, { email }).expect(201)).body.data;
        const other = api(number + 1);
        const lists = [`${USERS}?search=${email}`, `${USERS}?email=${email}`, `${USERS}?limit=100`];
        for (const list of lists) {
          const { data } = (await other.get(list).expect(200)).body;
          expect([list, data.map((user: { id: string }) => user.id)]).toEqual([list, expect.arrayContaining([id])]);
        }
        await other.patch(`${USERS}/${id}`, { firstName: `Name ${number}` }).expect(200);
        const [found] = (await api(number).get(`${USERS}?email=${email}`).expect(200)).body.data;
        expect(found.firstName).toBe(`Name ${number}`);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

    const events = WRITERS * WRITES_EACH;
    const requests = await receiver.waitFor(events, 60_000);
    await sleep(1_000);
    expect(receiver.requests).toHaveLength(events);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(events);
  });

  it('reads lists from the primary while the replica is down', async () => {
    const readOnReplica = `SELECT FROM pg_stat_activity WHERE application_name = 'identity-service' AND query LIKE '%directory_entries%'`;
    const deadline = performance.now() + 30_000;
    do {
      expect(performance.now()).toBeLessThan(deadline);
      await sleep(2 * REPLICA_LAG_MS);
      await Promise.all([0, 1].map((index) => api(index).get(USERS).expect(200)));
    } while ((await postgres.standby.query(readOnReplica)).length === 0);

    await postgres.standby.end('SIGQUIT');
    for (let count = 0; count < 10; count++) await api(count).get(USERS).expect(200);
    await postgres.standby.start();
  }, 60_000);

  it('revokes access in every API process immediately', async () => {
    const { userId, token } = await newSession('revoked@example.com');
    for (let count = 0; count < REVOCATIONS; count++) {
      const [first, second] = [count, count + 1];
      await api(first).post(`${USERS}/${userId}/roles`, { roleId: 'viewer' }).expect(201);
      await api(second, token).get('/v1/organizations/acme/webhooks').expect(200);
      await api(first).delete(`${USERS}/${userId}/roles/role_viewer`).expect(204);
      await api(second, token).get('/v1/organizations/acme/webhooks').expect(403);
    }
    await api(0, token).post('/v1/auth/logout').expect(204);
    await api(1, token).get('/v1/organizations/acme').expect(401);
  });
});
