import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestClient, TestResponse } from '../support/http-client.js';
import { IS_LONG, LIMIT_MS } from './fault-run.js';
import { type ServiceProcess, TestService } from '../support/service-process.js';
import { testServer } from '../support/test-server.js';

/** The number of kills. The long run uses a thousand keys. */
const KILLS = IS_LONG ? 40 : 2;
const KEYS_PER_KILL = 25;
const REPEATS = 5;
const RETRY_LIMIT_MS = 10_000;
const USERS = '/v1/organizations/acme/users';

jest.setTimeout(LIMIT_MS);

describe('the Idempotency-Key header', () => {
  const service = testServer(() => TestService.create());
  let running: ServiceProcess;
  let client: TestClient;

  beforeAll(async () => {
    running = await service.start();
    ({ client } = service);
    await client.post('/v1/organizations', { name: 'Acme' }).expect(201);
  });

  const post = (key: string, email: string): Promise<TestResponse> =>
    client.post(USERS, { email }, { headers: { 'idempotency-key': key } });
  const usersWith = async (email: string): Promise<number> =>
    (await client.get(`${USERS}?email=${email}`).expect(200)).body.pagination.total;

  it(`prevents duplicate users while the process is killed ${KILLS} times`, async () => {
    const outcomes = { answered: 0, cut: 0, createdWithoutResponse: 0 };
    for (let kill = 0; kill < KILLS; kill++) {
      const keys = Array.from({ length: KEYS_PER_KILL }, (_, index) => `kill-${kill}-${index}`);
      const created = new Set<string>();
      const send = async (key: string): Promise<TestResponse | undefined> => {
        const response = await post(key, `${key}@example.com`).catch(() => undefined);
        if (response?.status === 201) created.add(key);
        return response;
      };
      // Sends several concurrent requests with each key.
      const sent = keys.map((key) => Array.from({ length: REPEATS }, () => send(key)));
      const enough = Math.random() * KEYS_PER_KILL;
      while (created.size < enough) await sleep(1);
      await running.kill();
      const before = await Promise.all(sent.map((each) => Promise.all(each)));
      running = await service.start();

      for (const [index, key] of keys.entries()) {
        const success = before[index]!.find((response) => response?.status === 201);
        const response = await finalResponse(key, `${key}@example.com`);
        expect([key, response.status]).toEqual([key, 201]);
        if (success) expect([response.body, response.headers.get('idempotent-replayed')]).toEqual([success.body, 'true']);
        else if (response.headers.get('idempotent-replayed')) outcomes.createdWithoutResponse++;
        outcomes[success ? 'answered' : 'cut']++;
        expect((await post(key, `${key}@example.com`)).body).toEqual(response.body);
        expect((await post(key, `other-${key}@example.com`)).status).toBe(422);
        expect(await usersWith(`${key}@example.com`)).toBe(1);
      }
    }
    process.stdout.write(
      `${KILLS} kills, ${KILLS * KEYS_PER_KILL} keys: ${outcomes.answered} with a response before, ${outcomes.cut} not, ` +
        `of which ${outcomes.createdWithoutResponse} had been created without a response; one user each\n`,
    );
    expect(outcomes.cut).toBeGreaterThan(0);
  });

  /** Repeats the request while the response is 409. Returns the first response with another status. */
  async function finalResponse(key: string, email: string): Promise<TestResponse> {
    const deadline = performance.now() + RETRY_LIMIT_MS;
    for (;;) {
      const response = await post(key, email);
      if (response.status !== 409 || performance.now() > deadline) return response;
      await sleep(100);
    }
  }
});
