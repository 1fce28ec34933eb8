import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/delivery-app.js';
import { findFreePort } from '../support/free-port.js';
import { TestClient } from '../support/http-client.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { failedStart, type ServiceProcess, TestService } from '../support/service-process.js';
import { sized } from '../support/test-size.js';

const USERS = '/v1/organizations/acme/users';
const REQUESTS = 20;
const SHUTDOWN_TIMEOUT_MS = 20_000;
const EXIT_MARGIN_MS = 5_000;
/** The longest queue of waiting connections that the kernel allows. Systems other than Linux have a lower limit. */
const MAX_QUEUE = process.platform === 'linux' ? Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) : 100;
/** More than 511, the queue of Node.js without the option `backlog`. */
const WAITING_CONNECTIONS = Math.min(sized(700, 2_000, 2_000), MAX_QUEUE);
/** The time limit for several startups of the service on a busy machine. */
const LONG_TEST_MS = 180_000;

jest.setTimeout(LONG_TEST_MS);

const keyIn = ({ stdout }: ServiceProcess): string | undefined => /\b[a-z]+_sk_\w+/.exec(stdout)?.[0];

describe('a failed startup', () => {
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
});

/** Sends the headers of a POST request. Resolves when the service has received them. `finish` sends the body. */
async function begin(port: number, key: string, body: object): Promise<{ finish(): Promise<number> }> {
  const text = JSON.stringify(body);
  const call = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: USERS,
    agent: false,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      expect: '100-continue',
    },
  });
  call.flushHeaders();
  await once(call, 'continue');
  const answered = once(call, 'response').then(([response]) => response.resume().statusCode as number);
  return {
    finish: () => {
      call.end(text);
      return answered;
    },
  };
}

const refusesConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(true));
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });

/** Returns the number of connections to a port of 127.0.0.1 that wait for the process to accept them, on Linux. */
function waitingConnections(port: number): number {
  const listening = ` 0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A `;
  const line = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .find((each) => each.includes(listening));
  return Number.parseInt(/ 0A \w+:(\w+)/.exec(line ?? '')?.[1] ?? '', 16);
}

describe('two processes on a new database', () => {
  let service: TestService;
  let receiver: Receiver;
  let processes: readonly ServiceProcess[];
  let keys: string[];
  /** The port and a client of the second process. */
  let port: number;
  let client: TestClient;
  beforeAll(async () => {
    receiver = await startReceiver(() => ({ delayMs: 300 }));
    service = await TestService.create({ PLATFORM_API_KEY: '', SHUTDOWN_TIMEOUT: `${SHUTDOWN_TIMEOUT_MS}ms` });
    port = await findFreePort();
    processes = await Promise.all([service.start(), service.start({ PORT: String(port), WORKERS: sized('1', '2', '2') })]);
    keys = processes.flatMap((each) => keyIn(each) ?? []);
    client = new TestClient(`http://127.0.0.1:${port}`, keys[0]);
    await new TestClient(service.url, keys[0]).post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    await client.post('/v1/organizations/acme/webhooks', { url: receiver.url, events: ['user.created'] }).expect(201);
  });
  afterAll(async () => {
    await service?.stop();
    await receiver?.stop();
  });

  it('print only one platform key', () => expect(keys).toHaveLength(1));

  it('respond after a pause to connections that were opened during the pause', async () => {
    processes[1]!.signal('SIGSTOP');
    const sockets = Array.from({ length: WAITING_CONNECTIONS }, () => connect(port, '127.0.0.1').setEncoding('utf8'));
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      // The kernel drops a connection beyond its queue, and the client retries after a second.
      if (process.platform === 'linux') expect(waitingConnections(port)).toBe(WAITING_CONNECTIONS);
      const responses = sockets.map(async (socket) => {
        socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
        const [text] = (await once(socket, 'data')) as [string];
        return text.split('\r\n', 1)[0];
      });
      processes[1]!.signal('SIGCONT');
      expect(new Set(await Promise.all(responses))).toEqual(new Set(['HTTP/1.1 200 OK']));
    } finally {
      for (const socket of sockets) socket.destroy();
      processes[1]!.signal('SIGCONT');
    }
  });

  it('interrupt no request and no delivery attempt when one gets SIGTERM', async () => {
    const [stopping] = processes;
    const begun = await Promise.all(
      Array.from({ length: REQUESTS }, async (_, index) => {
        await client.post(USERS, { email: `before-${index}@example.com` }).expect(201);
        return begin(service.port, keys[0]!, { email: `slow-${index}@example.com` });
      }),
    );
    await receiver.waitFor(1, 30_000);
    const stoppedAt = performance.now();
    const exiting = stopping!.terminate();
    await eventually(() => refusesConnections(service.port), 5_000, 'new connections are refused');
    expect(await Promise.all(begun.map(({ finish }) => finish()))).toEqual(begun.map(() => 201));
    expect({ ...(await exiting), stderr: stopping!.stderr }).toEqual({ code: 0, signal: null, stderr: '' });
    expect(performance.now() - stoppedAt).toBeLessThan(SHUTDOWN_TIMEOUT_MS + EXIT_MARGIN_MS);

    const requests = await receiver.waitFor(2 * REQUESTS, 30_000);
    await sleep(500);
    expect(receiver.requests).toHaveLength(2 * REQUESTS);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(2 * REQUESTS);
  });
});

it('a startup keeps the data and keys of a killed service, and the database stops with the last process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-data-'));
  chmodSync(folder, 0o755);
  const service = await TestService.create({
    DATA_DIR: join(folder, 'data'),
    PLATFORM_API_KEY: '',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  try {
    const first = await service.start();
    const client = new TestClient(service.url, keyIn(first));
    await client.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    const webhook = { url: `${service.url}/`, events: ['role.*'] };
    const { secret, id } = (await client.post('/v1/organizations/acme/webhooks', webhook).expect(201)).body.data;
    await first.kill();
    // The database of a killed service keeps running, and the next startup uses the database.
    const pathFile = join(folder, 'data', 'postgres.place');
    const cluster = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : join(folder, 'data', 'postgres');
    const isDatabaseRunning = () => existsSync(join(cluster, 'postmaster.pid'));
    expect(isDatabaseRunning()).toBe(true);

    const second = await service.start({ WORKERS: '2' });
    expect(keyIn(second)).toBeUndefined();
    expect((await client.get('/v1/organizations/acme').expect(200)).body.data).toMatchObject({ slug: 'acme' });
    expect((await client.get(`/v1/organizations/acme/webhooks/${id}/secret`).expect(200)).body.data).toMatchObject({ secret });
    expect(await second.terminate()).toEqual({ code: 0, signal: null });
    expect(isDatabaseRunning()).toBe(false);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
