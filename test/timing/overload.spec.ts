import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { TestService } from '../support/service-process.js';
import { eventually } from '../support/delivery-app.js';
import { runSql } from '../support/run-sql.js';
import { quantile } from '../support/quantile.js';
import { testReceiver } from '../support/receiver.js';
import { testServer } from '../support/test-server.js';

const LONG = process.env['LONG'] === '1';
const MEASURED_MS = LONG ? 10_000 : 2_000;
const OVERLOAD_MS = LONG ? 60_000 : 5_000;
const TIMES = 4;
/** The number of callers that use the full capacity of the service without a queue. */
const CALLERS = 32;
/** The number of connections. The service processes fewer requests concurrently. */
const CONNECTIONS = 1_500;
const TICK_MS = 10;
const RECOVERY_MS = 5_000;
const LIMIT_MS = 300_000;

interface CreationResponse {
  readonly status: number;
  readonly ms: number;
  readonly retryAfter: string | undefined;
  /** The email address of the user that the request creates. */
  readonly email: string;
}

jest.setTimeout(LIMIT_MS);

describe('overload protection', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: Infinity });
  const receiver = testReceiver();
  const service = testServer(() => TestService.create());
  let count = 0;

  beforeAll(async () => {
    await service.start();
    const { client } = service;
    await client.post('/v1/organizations', { name: 'Busy', slug: 'busy' }).expect(201);
    await client.post('/v1/organizations/busy/webhooks', { url: receiver.url, events: ['user.created'] }).expect(201);
  });
  afterAll(() => agent.destroy());

  /** Sends a request. `fetch` would use too much processor time to overload the service from one process. */
  const send = (method: string, path: string, body = ''): Promise<Omit<CreationResponse, 'email'>> => {
    const startedAt = performance.now();
    const authorization = `Bearer ${service.environment['PLATFORM_API_KEY']}`;
    const headers = { authorization, 'content-type': 'application/json', 'content-length': body.length };
    return new Promise((resolve, reject) => {
      const request = httpRequest({ host: '127.0.0.1', port: service.port, agent, method, path, headers }, (response) => {
        const { statusCode: status = 0, headers: received } = response;
        response
          .resume()
          .once('end', () => resolve({ status, ms: performance.now() - startedAt, retryAfter: received['retry-after'] }));
      });
      request
        .once('error', (error: NodeJS.ErrnoException) => {
          // The service closed the idle connection before the request arrived.
          if (request.reusedSocket && error.code === 'ECONNRESET') resolve(send(method, path, body));
          else reject(error);
        })
        .end(body);
    });
  };

  /**
   * Opens keep-alive connections in advance, as proxies do. Node.js accepts one new connection per turn of the event loop. Requests on new
   * connections would wait in the kernel, where the service can't reject requests.
   */
  const connectAll = () => Promise.all(Array.from({ length: CONNECTIONS }, () => send('GET', '/health/live')));

  async function createUser(): Promise<CreationResponse> {
    const email = `user-${++count}@example.com`;
    return { email, ...(await send('POST', '/v1/organizations/busy/users', JSON.stringify({ email }))) };
  }

  /** Returns the number of created users per second. Each caller waits for its response before the next request. */
  async function measureSustainableRate(): Promise<number> {
    let done = 0;
    const until = performance.now() + MEASURED_MS;
    const call = async (): Promise<void> => {
      while (performance.now() < until) {
        if ((await createUser()).status === 201) done++;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, call));
    return (done / MEASURED_MS) * 1_000;
  }

  /**
   * Sends `TIMES` times `rate` requests per second without waiting for responses. Increases `rate` if the service accepts more requests per second.
   * Returns all responses and the highest rate.
   */
  async function sendAtRate(rate: number, durationMs: number): Promise<{ responses: CreationResponse[]; rate: number }> {
    const requests: Promise<CreationResponse>[] = [];
    let [due, accepted, highestRate] = [0, 0, rate];
    const counting = setInterval(() => {
      highestRate = Math.max(highestRate, accepted);
      accepted = 0;
    }, 1_000);
    const startedAt = performance.now();
    for (let at = startedAt; at - startedAt < durationMs;) {
      await sleep(TICK_MS);
      const now = performance.now();
      due += ((now - at) / 1_000) * highestRate * TIMES;
      at = now;
      while (requests.length < due) {
        const response = createUser();
        response.then(
          ({ status }) => status === 201 && accepted++,
          () => undefined,
        );
        requests.push(response);
      }
    }
    clearInterval(counting);
    return { responses: await Promise.all(requests), rate: highestRate };
  }

  it(`rejects requests immediately at ${TIMES} times the sustainable rate`, async () => {
    await measureSustainableRate();
    const measured = await measureSustainableRate();
    const loadEnded = new AbortController();
    const probes: number[] = [];
    const probing = (async () => {
      for (; !loadEnded.signal.aborted; await sleep(200)) probes.push((await service.client.get('/health/live')).status);
    })();
    await connectAll();
    const { responses, rate } = await sendAtRate(measured, OVERLOAD_MS);
    const endedAt = performance.now();
    loadEnded.abort();
    await probing;
    for (let index = 0; index < 20; index++) {
      expect((await createUser()).status).toBe(201);
    }
    const recoveryMs = performance.now() - endedAt;

    const accepted = responses.filter(({ status }) => status === 201);
    const rejected = responses.filter(({ status }) => status === 429 || status === 503);
    const rejectionTimesMs = rejected.map(({ ms }) => ms);
    const metrics = (await service.client.get('/metrics').expect(200)).body as string;
    process.stdout.write(
      `${rate.toFixed(0)} creations/s sustained; sent ${((responses.length / OVERLOAD_MS) * 1_000).toFixed(0)}/s: ` +
        `${accepted.length} accepted, ${rejected.length} rejected ` +
        `(p50 ${quantile(rejectionTimesMs, 0.5).toFixed(0)} ms, p99 ${quantile(rejectionTimesMs, 0.99).toFixed(0)} ms); ` +
        `20 more done ${recoveryMs.toFixed(0)} ms after the end\n`,
    );
    expect(responses.filter(({ status }) => ![201, 429, 503].includes(status))).toEqual([]);
    expect(rejected.length).toBeGreaterThan(responses.length / 10);
    expect(rejected.filter(({ retryAfter }) => !(Number(retryAfter) >= 1))).toEqual([]);
    expect(quantile(rejectionTimesMs, 0.99)).toBeLessThan(2_000);
    expect(metrics).toContain(`http_requests_refused_total ${rejected.length}\n`);
    expect(accepted.length).toBeGreaterThan(0);
    expect(recoveryMs).toBeLessThan(RECOVERY_MS);
    expect(probes.filter((status) => status !== 200)).toEqual([]);

    const users = await runSql<{ email: string }>(service.environment['DATABASE_URL']!, 'SELECT email FROM users');
    const stored = new Set(users.map(({ email }) => email));
    expect(accepted.filter(({ email }) => !stored.has(email))).toEqual([]);
    expect(rejected.filter(({ email }) => stored.has(email))).toEqual([]);
    await eventually(
      async () => new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size === stored.size,
      120_000,
      'an event of each user is delivered',
    );
  });
});
