import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../support/free-port.js';
import { TestClient } from '../support/http-client.js';
import { createTestDatabase } from '../support/postgres.js';
import { startReceiver } from '../support/receiver.js';
import { buildServer, failedStart, type ServiceEnvironment, ServiceProcess } from '../support/service-process.js';

const SHUTDOWN_TIMEOUT_MS = 20_000;
const EXIT_MARGIN_MS = 5_000;
/** The time limit for several startups of the service on a busy machine. */
const LONG_TEST_MS = 180_000;

const cleanUps: (() => Promise<unknown> | void)[] = [];

beforeAll(buildServer, 120_000);
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function database(): Promise<string> {
  const created = await createTestDatabase();
  cleanUps.push(() => created.drop());
  return created.url;
}

async function start(environment: ServiceEnvironment): Promise<ServiceProcess> {
  const service = ServiceProcess.spawn(environment);
  cleanUps.push(() => service.kill());
  await service.ready();
  return service;
}

const secrets = (): ServiceEnvironment => ({
  SECRETS_KEY: randomBytes(32).toString('base64'),
  PLATFORM_API_KEY: randomBytes(24).toString('hex'),
});

jest.setTimeout(LONG_TEST_MS);

describe('a failed startup', () => {
  it('prints one line if the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    cleanUps.push(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { lines } = await failedStart({ ...secrets(), DATABASE_URL: await database(), PORT: String(port) });
    expect(lines).toEqual([`Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or set PORT.`]);
  });

  it('prints one line for each invalid variable', async () => {
    const { lines } = await failedStart({
      PORT: 'abc',
      WEBHOOK_TIMEOUT: 'soon',
      DATABASE_URL: 'mysql://someone:never-printed@db/x',
    });
    expect(lines).toHaveLength(3);
    for (const variable of ['PORT', 'WEBHOOK_TIMEOUT', 'DATABASE_URL'])
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${variable} `)));
    expect(lines.join('\n')).not.toContain('never-printed');
  });

  it.each(['api', 'worker'])('prints that the role %s needs a database and Redis', async (ROLE) => {
    const { lines } = await failedStart({ ROLE });
    expect(lines.join('\n')).toMatch(/DATABASE_URL/);
    expect(lines.join('\n')).toMatch(/REDIS_URL/);
    expect(lines.length).toBeLessThanOrEqual(2);
  });
});

describe('SIGTERM under load', () => {
  /** Sends the first half of a POST request. `finish` sends the second half. */
  function halfSent(port: number, key: string, body: object): { sent: Promise<unknown>; finish(): Promise<number> } {
    const text = JSON.stringify(body);
    const call = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v1/organizations/acme/users',
      agent: false,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    });
    const answered = once(call, 'response').then(async ([response]) => {
      for await (const _ of response);
      return response.statusCode as number;
    });
    answered.catch(() => undefined);
    call.flushHeaders();
    const sent = new Promise((resolve) => call.write(text.slice(0, 10), resolve));
    return {
      sent,
      finish: () => {
        call.end(text.slice(10));
        return answered;
      },
    };
  }

  it('interrupts no request and no delivery attempt', async () => {
    const receiver = await startReceiver(() => ({ delayMs: 300 }));
    cleanUps.push(() => receiver.stop());
    const port = await findFreePort();
    const environment: ServiceEnvironment = {
      ...secrets(),
      DATABASE_URL: await database(),
      PORT: String(port),
      SHUTDOWN_TIMEOUT: `${SHUTDOWN_TIMEOUT_MS}ms`,
    };
    const key = environment['PLATFORM_API_KEY']!;
    const service = await start(environment);
    const client = new TestClient(`http://127.0.0.1:${port}`, key);
    await client.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    await client.post('/v1/organizations/acme/webhooks', { url: receiver.url, events: ['*'] }).expect(201);

    // Each client sends its requests in sequence until the service accepts no more connections.
    const created: string[] = [];
    const unanswered: string[] = [];
    const hammer = async (name: string): Promise<void> => {
      for (let number = 0; unanswered.length < 100; number++) {
        const email = `${name}-${number}@example.com`;
        const call = halfSent(port, key, { email });
        const status = await call.finish().catch((error: NodeJS.ErrnoException) => error.code);
        if (status === 201) created.push(email);
        else unanswered.push(email);
        if (status === 'ECONNREFUSED') return;
      }
    };
    const hammering = ['a', 'b', 'c', 'd'].map(hammer);
    const slow = Array.from({ length: 20 }, (_, index) => halfSent(port, key, { email: `slow-${index}@example.com` }));
    await Promise.all(slow.map(({ sent }) => sent));
    await receiver.waitFor(10, 30_000);

    const stoppedAt = performance.now();
    const exiting = service.terminate();
    await sleep(200);
    const statuses = await Promise.all(slow.map(({ finish }) => finish()));
    const exit = await exiting;
    const tookMs = performance.now() - stoppedAt;
    await Promise.all(hammering);
    expect(statuses).toEqual(slow.map(() => 201));
    expect({ ...exit, stderr: service.stderr }).toEqual({ code: 0, signal: null, stderr: '' });
    expect(tookMs).toBeLessThan(SHUTDOWN_TIMEOUT_MS + EXIT_MARGIN_MS);

    await start(environment);
    for (const email of unanswered) {
      const found = await client.get(`/v1/organizations/acme/users?search=${email}`).expect(200);
      expect(found.body.data).toEqual([]);
    }
    const total = created.length + slow.length;
    const requests = await receiver.waitFor(total, 30_000);
    await sleep(1_000);
    expect(receiver.requests).toHaveLength(total);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(total);
    process.stdout.write(
      `SIGTERM: ended after ${Math.round(tookMs)} ms; ${total} requests answered, ${unanswered.length} not begun; no event twice\n`,
    );
  });
});

describe('a startup', () => {
  const keyIn = (service: ServiceProcess): string | undefined => /\b[a-z]+_sk_\w+/.exec(service.stdout)?.[0];

  it('keeps the data and keys of the previous run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'service-data-'));
    chmodSync(folder, 0o755);
    cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
    const port = await findFreePort();
    const environment = { DATA_DIR: join(folder, 'data'), PORT: String(port), WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
    const first = await start(environment);
    const key = keyIn(first);
    const client = new TestClient(`http://127.0.0.1:${port}`, key);
    await client.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    const webhook = { url: `http://127.0.0.1:${port}/`, events: ['role.*'] };
    const { secret, id } = (await client.post('/v1/organizations/acme/webhooks', webhook).expect(201)).body.data;
    expect(await first.terminate()).toEqual({ code: 0, signal: null });

    const second = await start(environment);
    expect(keyIn(second)).toBeUndefined();
    expect((await client.get('/v1/organizations/acme').expect(200)).body.data).toMatchObject({ slug: 'acme' });
    expect((await client.get(`/v1/organizations/acme/webhooks/${id}/secret`).expect(200)).body.data).toMatchObject({ secret });

    // The database of a killed service keeps running, and the next startup uses the database.
    await second.kill();
    const third = await start(environment);
    expect(keyIn(third)).toBeUndefined();
    await client.get('/v1/organizations/acme').expect(200);
    expect(await third.terminate()).toEqual({ code: 0, signal: null });
  });

  it('prints only one platform key if several processes start concurrently', async () => {
    const environment = { ...secrets(), PLATFORM_API_KEY: '', DATABASE_URL: await database() };
    const ports = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
    const services = await Promise.all(ports.map((port) => start({ ...environment, PORT: String(port) })));
    const keys = services.flatMap((service) => keyIn(service) ?? []);
    expect(keys).toHaveLength(1);
    for (const port of ports) await new TestClient(`http://127.0.0.1:${port}`, keys[0]).get('/v1/organizations').expect(200);
  });
});
