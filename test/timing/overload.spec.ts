import { randomBytes } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { buildServer, ServiceProcess } from '../support/service-process.js';
import { eventually } from '../support/delivery-app.js';
import { findFreePort } from '../support/free-port.js';
import { TestClient } from '../support/http-client.js';
import { openPool } from '../support/pool.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { quantile } from '../support/quantile.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

const LONG = process.env['LONG'] === '1';
const MEASURED_MS = LONG ? 10_000 : 2_000;
const OVERLOAD_MS = LONG ? 60_000 : 8_000;
const TIMES = 4;
/** As many callers as keep the service busy without a queue. */
const CALLERS = 32;
/** More than the service processes concurrently. */
const CONNECTIONS = 1_500;
const TICK_MS = 10;
const RECOVERY_MS = 5_000;
const LIMIT_MS = 300_000;

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly retryAfter: string | undefined;
  /** The user that the request creates. */
  readonly email: string;
}

describe('overload protection', () => {
  const platformKey = randomBytes(24).toString('hex');
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: Infinity });
  let database: TestDatabase;
  let pool: Pool;
  let service: ServiceProcess;
  let receiver: Receiver;
  let client: TestClient;
  let port: number;
  let count = 0;

  beforeAll(async () => {
    buildServer();
    database = await createTestDatabase();
    pool = openPool(database.url, 2);
    receiver = await startReceiver();
    port = await findFreePort();
    service = await ServiceProcess.start({
      PORT: String(port),
      DATABASE_URL: database.url,
      PLATFORM_API_KEY: platformKey,
      SECRETS_KEY: randomBytes(32).toString('base64'),
    });
    client = new TestClient(`http://127.0.0.1:${port}`, platformKey);
    await client.post('/v1/organizations', { name: 'Busy', slug: 'busy' }).expect(201);
    await client.post('/v1/organizations/busy/webhooks', { url: receiver.url, events: ['user.created'] }).expect(201);
  }, LIMIT_MS);
  afterAll(async () => {
    agent.destroy();
    await service.kill();
    await receiver.stop();
    await pool.end();
    await database.drop();
  });

  /**
   * Opens connections, as proxies keep them: Node.js accepts one new connection in each turn of its event loop, so requests on new
   * connections wait in the kernel, unknown to any service.
   */
  const connectAll = (): Promise<unknown> =>
    Promise.all(
      Array.from(
        { length: CONNECTIONS },
        () =>
          new Promise<void>((resolve, reject) => {
            httpRequest({ host: '127.0.0.1', port, agent, path: '/health/live' }, (response) =>
              response.resume().once('end', resolve),
            )
              .once('error', reject)
              .end();
          }),
      ),
    );

  /** Creates a user. Simpler than `fetch`, so that one process can send more requests than another can process. */
  const create = (): Promise<Answer> => {
    const email = `user-${++count}@example.com`;
    const startedAt = performance.now();
    const body = JSON.stringify({ email });
    const headers = { authorization: `Bearer ${platformKey}`, 'content-type': 'application/json', 'content-length': body.length };
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        { host: '127.0.0.1', port, agent, method: 'POST', path: '/v1/organizations/busy/users', headers },
        (response) => {
          response.resume().once('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              ms: performance.now() - startedAt,
              retryAfter: response.headers['retry-after'],
              email,
            }),
          );
        },
      );
      request
        .once('error', (error: NodeJS.ErrnoException) => {
          // The service has just closed this connection because it was idle, and has read nothing of the request.
          if (request.reusedSocket && error.code === 'ECONNRESET') resolve(create());
          else reject(error);
        })
        .end(body);
    });
  };

  /** Returns the requests per second when each caller waits for its response, once the service is warm. */
  async function sustainable(): Promise<number> {
    let done = 0;
    const until = performance.now() + MEASURED_MS;
    const call = async (): Promise<void> => {
      while (performance.now() < until) {
        if ((await create()).status === 201) done++;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, call));
    return (done / MEASURED_MS) * 1_000;
  }

  /**
   * Sends requests at this rate regardless of the responses; returns all responses. On a busy machine the service may be faster
   * than measured before: then the rate rises accordingly.
   */
  async function ask(rate: number, durationMs: number): Promise<{ answers: Answer[]; rate: number }> {
    const asked: Promise<Answer>[] = [];
    let [due, taken, best] = [0, 0, rate];
    const counting = setInterval(() => {
      best = Math.max(best, taken);
      taken = 0;
    }, 1_000);
    const startedAt = performance.now();
    for (let at = startedAt; at - startedAt < durationMs;) {
      await sleep(TICK_MS);
      const now = performance.now();
      due += ((now - at) / 1_000) * best * TIMES;
      at = now;
      while (asked.length < due) {
        const answer = create();
        answer.then(
          ({ status }) => status === 201 && taken++,
          () => undefined,
        );
        asked.push(answer);
      }
    }
    clearInterval(counting);
    return { answers: await Promise.all(asked), rate: best };
  }

  it(
    `rejects requests immediately at ${TIMES} times the sustainable rate, loses no accepted change, and recovers within ${RECOVERY_MS / 1_000} s`,
    async () => {
      await sustainable();
      const measured = await sustainable();
      const over = new AbortController();
      const probes: number[] = [];
      const probing = (async () => {
        for (; !over.signal.aborted; await sleep(200)) probes.push((await client.get('/health/live')).status);
      })();
      await connectAll();
      const { answers, rate } = await ask(measured, OVERLOAD_MS);
      const endedAt = performance.now();
      over.abort();
      await probing;
      for (let index = 0; index < 20; index++) {
        expect((await create()).status).toBe(201);
      }
      const backMs = performance.now() - endedAt;

      const taken = answers.filter(({ status }) => status === 201);
      const refused = answers.filter(({ status }) => status === 429 || status === 503);
      const refusals = refused.map(({ ms }) => ms);
      const metrics = (await client.get('/metrics').expect(200)).body as string;
      process.stdout.write(
        `${rate.toFixed(0)} creations/s sustained; asked for ${((answers.length / OVERLOAD_MS) * 1_000).toFixed(0)}/s: ` +
          `${taken.length} taken (p50 ${quantile(
            taken.map(({ ms }) => ms),
            0.5,
          ).toFixed(0)} ms), ${refused.length} refused ` +
          `(p50 ${quantile(refusals, 0.5).toFixed(0)} ms, p99 ${quantile(refusals, 0.99).toFixed(0)} ms); ` +
          `20 more done ${backMs.toFixed(0)} ms after the end\n`,
      );
      expect(answers.filter(({ status }) => ![201, 429, 503].includes(status))).toEqual([]);
      expect(refused.length).toBeGreaterThan(answers.length / 10);
      expect(refused.filter(({ retryAfter }) => !(Number(retryAfter) >= 1))).toEqual([]);
      expect(quantile(refusals, 0.99)).toBeLessThan(2_000);
      expect(metrics).toContain(`http_requests_refused_total ${refused.length}\n`);
      expect(taken.length).toBeGreaterThan(0);
      expect(backMs).toBeLessThan(RECOVERY_MS);
      expect(probes.filter((status) => status !== 200)).toEqual([]);

      const { rows } = await pool.query<{ email: string }>('SELECT email FROM users');
      const stored = new Set(rows.map(({ email }) => email));
      expect(taken.filter(({ email }) => !stored.has(email))).toEqual([]);
      expect(refused.filter(({ email }) => stored.has(email))).toEqual([]);
      await eventually(
        async () => new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size === stored.size,
        120_000,
        'each creation told',
      );
    },
    LIMIT_MS,
  );
});
