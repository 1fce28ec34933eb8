// Processor time: the tests start ten processes of the built service.
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/delivery-app.js';
import { findFreePort } from '../support/free-port.js';
import { TestClient } from '../support/http-client.js';
import { made, read } from '../support/organizations.js';
import { isRunning } from '../support/postgres-process.js';
import { type Receiver, startReceiver, testReceiver } from '../support/receiver.js';
import { failedStart, type ServiceProcess, TestService } from '../support/service-process.js';
import { sized } from '../support/test-size.js';
import { randomBytes } from 'node:crypto';
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.js';
import { type RedisServer, startRedis } from '../support/redis.js';
import { missingInOutput } from '../packages/samples/shown-output.js';
import { expectGuarantees, LIMIT_MS as FAULT_LIMIT_MS, type Run } from '../faults/fault-run.js';

const USERS = '/v1/organizations/acme/users';
const REQUESTS = 20;
const SHUTDOWN_TIMEOUT_MS = 20_000;
const EXIT_LIMIT_MS = 5_000;
const EVENTS = 40;
/** The time limit for a pause of 1 s and the startup of a process on a busy machine. */
const RESTART_LIMIT_MS = 45_000;
/** The longest queue of waiting connections that the kernel allows. Systems other than Linux have a lower limit. */
const MAX_QUEUE = process.platform === 'linux' ? Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) : 100;
/** More than 511, the queue of Node.js without the option `backlog`. */
const WAITING_CONNECTIONS = Math.min(sized(700, 2_000, 2_000), MAX_QUEUE);
/** The time limit for several startups of the service on a busy machine. */
const LONG_TEST_MS = 180_000;

jest.setTimeout(LONG_TEST_MS);

const keyIn = ({ stdout }: ServiceProcess): string | undefined => /\b[a-z]+_sk_\w+/.exec(stdout)?.[0];

it('a failed startup prints one line for each invalid variable', async () => {
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

it('a first start in production logs only JSON lines, begins with its version, and logs no credentials', async () => {
  const service = await TestService.create({
    NODE_ENV: 'production',
    SMTP_URL: 'smtp://127.0.0.1:9',
    PLATFORM_API_KEY: '',
    LOG_LEVEL: 'info',
    SECRET_KEY: 'misspelt',
  });
  try {
    const started = await service.start();
    await eventually(() => started.stdout.includes('platform-keys create'), EXIT_LIMIT_MS, 'the missing key is logged');
    const lines = started.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string };
    const commit = expect.stringMatching(/^([0-9a-f]{12}(-dirty)?|unknown)$/);
    expect(lines.slice(0, 2)).toMatchObject([
      { version, commit, msg: `Starting identity-service ${version} (commit ${lines[0]!['commit']}).` },
      { level: 'warn', msg: 'The environment variable SECRET_KEY has no effect. Did you mean "SECRETS_KEY"?' },
    ]);
    expect(lines.find(({ msg }) => msg === 'The service is ready.')).toMatchObject({
      dashboard: expect.stringMatching(/\/dashboard$/),
    });
    expect(started.stdout).not.toMatch(/_sk_|token=/);
    expect((await get(service.port, '/metrics')).text).toContain(
      `service_build_info{version="${version}",commit="${lines[0]!['commit']}"} 1\n`,
    );
    const printed = execFileSync(process.execPath, [join(import.meta.dirname, '../../dist/server/main.js'), '--version'], {
      encoding: 'utf8',
    });
    expect(`Starting ${printed.trim()}.`).toBe(lines[0]!['msg']);
  } finally {
    await service.stop();
  }
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

async function refusesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isConnected = await once(socket, 'connect').catch(() => undefined);
  socket.destroy();
  return !isConnected;
}

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
  const receiver = testReceiver(() => ({ delayMs: 300 }));
  let processes: readonly ServiceProcess[];
  let keys: string[];
  let port: number;
  let client: TestClient;
  beforeAll(async () => {
    service = await TestService.create({ PLATFORM_API_KEY: '', SHUTDOWN_TIMEOUT: `${SHUTDOWN_TIMEOUT_MS}ms` });
    port = await findFreePort();
    processes = await Promise.all([service.start(), service.start({ PORT: String(port), WORKERS: sized('1', '2', '2') })]);
    keys = processes.flatMap((each) => keyIn(each) ?? []);
    client = new TestClient(`http://127.0.0.1:${port}`, keys[0]);
    await new TestClient(service.url, keys[0]).post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    await client.post('/v1/organizations/acme/webhooks', { url: receiver.url, events: ['user.created'] }).expect(201);
  });
  afterAll(() => service?.stop());

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
    expect(performance.now() - stoppedAt).toBeLessThan(SHUTDOWN_TIMEOUT_MS + EXIT_LIMIT_MS);

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
    expect(missingInOutput('README.md', 'npm start', first.stdout)).toEqual([]);
    const client = new TestClient(service.url, keyIn(first));
    await client.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    const webhook = { url: `${service.url}/`, events: ['role.*'] };
    const { secret, id } = await made(client, '/v1/organizations/acme/webhooks', webhook);
    await first.kill();
    // The database of a killed service keeps running, and the next startup uses the database.
    const pathFile = join(folder, 'data', 'postgres.place');
    const cluster = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : join(folder, 'data', 'postgres');
    const isDatabaseRunning = () => existsSync(join(cluster, 'postmaster.pid'));
    expect(isDatabaseRunning()).toBe(true);

    const second = await service.start({ WORKERS: '2' });
    expect(keyIn(second)).toBeUndefined();
    expect(await read(client, '/v1/organizations/acme')).toMatchObject({ slug: 'acme' });
    expect(await read(client, `/v1/organizations/acme/webhooks/${id}/secret`)).toMatchObject({ secret });
    expect(await second.terminate()).toEqual({ code: 0, signal: null });
    expect(isDatabaseRunning()).toBe(false);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Waits until the log of the primary has `count` ready processes. Returns their ids. */
async function ready(service: ServiceProcess, count: number): Promise<number[]> {
  const pids = () => [...service.stdout.matchAll(/"Process (\d+) is ready\."/g)].map(([, pid]) => Number(pid));
  await eventually(() => pids().length >= count, RESTART_LIMIT_MS, `${count} processes are ready`);
  return pids();
}

/** Returns the ids of the processes that served a route, one for each request in the log. */
const servers = ({ stdout }: ServiceProcess, route: string): number[] =>
  stdout
    .split('\n')
    .filter((line) => line.includes(`"route":"${route}"`))
    .map((line) => Number(/"pid":(\d+)/.exec(line)![1]));

/** Sends a request on a new connection, because the primary distributes connections. */
async function get(port: number, path: string, key?: string): Promise<{ status: number; text: string }> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const call = request({ port, host: '127.0.0.1', path, agent: false, headers }).end();
  const [response] = await once(call, 'response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode, text };
}

/** Returns the sum of a metric over its labels. */
function total(metrics: string, start: string): number {
  const lines = metrics.split('\n').filter((line) => line.startsWith(start));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('a service with two processes', () => {
  const receiver = testReceiver();
  let service: TestService;
  afterEach(() => service?.stop());

  const create = async (environment: Record<string, string> = {}): Promise<TestService> =>
    (service = await TestService.create({ WORKERS: '2', LOG_LEVEL: 'info', PLATFORM_API_KEY: '', ...environment }));

  it('replaces a killed process without failing requests, and exits when the primary is killed', async () => {
    const { port } = await create();
    const primary = await service.start();
    const first = await ready(primary, 2);
    const key = keyIn(primary);
    expect(primary.stdout.match(/shown only once| is ready: /g)?.toSorted()).toEqual([' is ready: ', 'shown only once']);

    const client = new TestClient(`http://127.0.0.1:${port}`, key);
    await client.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    await client.post('/v1/organizations/acme/webhooks', { url: receiver.url, events: ['user.created'] }).expect(201);
    const reads = await Promise.all(Array.from({ length: 10 }, () => get(port, '/v1/organizations/acme', key)));
    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
    const answering = () => servers(primary, '/v1/organizations/:org');
    await eventually(() => answering().length >= reads.length, EXIT_LIMIT_MS, 'all reads are logged');
    expect([...new Set(answering())].toSorted()).toEqual(first.toSorted());
    expect(first).not.toContain(primary.pid);

    // Each process returns the metrics of both processes.
    for (let scrape = 0; scrape < 2; scrape++) {
      const { text } = await get(port, '/metrics');
      expect(total(text, 'http_request_duration_seconds_count{method="GET",route="/v1/organizations/:org",status="200"')).toBe(
        10,
      );
      expect(total(text, 'nodejs_version_info')).toBe(1);
    }

    const emails = Array.from({ length: EVENTS }, (_, index) => `user-${index}@example.com`);
    await Promise.all(emails.map((email) => client.post('/v1/organizations/acme/users', { email }).expect(201)));
    const delivered = await receiver.waitFor(EVENTS, 20_000);
    expect(new Set(delivered.map(({ headers }) => headers['webhook-id'])).size).toBe(EVENTS);

    const [killed, survivor] = first as [number, number];
    process.kill(killed, 'SIGKILL');
    await eventually(() => primary.stdout.includes(`Process ${killed} exited (SIGKILL)`), EXIT_LIMIT_MS, 'the exit is logged');
    for (let read = 0; read < 4; read++) expect((await get(port, '/v1/organizations/acme', key)).status).toBe(200);
    const all = await ready(primary, 3);
    const successor = all.at(-1)!;
    await client.post('/v1/organizations/acme/users', { email: 'late@example.com' }).expect(201);
    await receiver.waitFor(EVENTS + 1, 20_000);
    expect(primary.stdout.match(/ is ready: /g)).toHaveLength(1);

    expect([survivor, successor].map(isRunning)).toEqual([true, true]);
    expect({ stderr: primary.stderr, requests: receiver.requests.length }).toEqual({ stderr: '', requests: EVENTS + 1 });
    await primary.kill();
    await eventually(() => !all.some(isRunning), EXIT_LIMIT_MS, 'all processes have ended');
  });

  it('does not start if the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const primary = (await create({ PORT: String(port) })).spawn();
    expect(await primary.exited).toEqual({ code: 1, signal: null });
    other.close();
    expect(primary.stderr.trimEnd().split('\n')).toEqual([
      `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or set PORT.`,
      'The first of 2 processes exited before it was ready (exit code 1).',
    ]);
    expect(primary.stdout).not.toContain('_sk_');
  });
});

const LIMIT_MS = 20_000;
const EMAIL = 'ada.of.the.traces@example.com';

/** One API process, and two worker processes that share a second port. All processes use one PostgreSQL and one Redis, and send traces. */
describe('a separate worker process', () => {
  let service: TestService;
  let redis: RedisServer;
  let receiver: Receiver;
  let collector: OtlpReceiver;
  let api: ServiceProcess;
  let workers: ServiceProcess;
  let client: TestClient;
  let workerClient: TestClient;
  let monitoring: TestClient;
  let receiverStatus = 200;

  beforeAll(async () => {
    [redis, collector] = await Promise.all([startRedis(), startOtlpReceiver()]);
    receiver = await startReceiver(() => ({ status: receiverStatus }));
    const [workerPort, monitoringPort] = [await findFreePort(), await findFreePort()];
    service = await TestService.create({
      REDIS_URL: redis.url,
      WEBHOOK_RETRY_SCHEDULE: '100ms,1s',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'identity-of-the-test',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    [api, workers] = await Promise.all([
      service.start({ ROLE: 'api', MONITORING_PORT: String(monitoringPort) }),
      service.start({ ROLE: 'worker', WORKERS: '2', PORT: String(workerPort) }),
    ]);
    ({ client } = service);
    monitoring = new TestClient(`http://127.0.0.1:${monitoringPort}`, service.environment['PLATFORM_API_KEY']);
    workerClient = new TestClient(`http://127.0.0.1:${workerPort}`, service.environment['PLATFORM_API_KEY']);
    await client.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    await client.post('/v1/organizations/acme/webhooks', { url: receiver.url, events: ['user.*'] }).expect(201);
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    await Promise.all([receiver?.stop(), collector?.stop(), redis?.stop()]);
  });

  it('delivers the events of the API process', async () => {
    const before = receiver.requests.length;
    await client.post('/v1/organizations/acme/users', { email: 'first@example.com' }).expect(201);

    await receiver.waitFor(before + 1, LIMIT_MS);
    await workerClient.get('/v1/organizations').expect(404);
    expect((await workerClient.get('/health/ready').expect(200)).body.checks.queue).toBe('ok');
    expect(api.stdout).not.toContain('Delivery attempt');
  });

  it.each(['/health/live', '/health/ready', '/metrics', '/METRICS/'])(
    'with MONITORING_PORT, serves %s only at this port',
    async (path) => {
      await client.get(path).expect(404);
      await monitoring.get(path).expect(200);
      await monitoring.get('/v1/organizations').expect(404);
    },
  );

  it('comes from a bundle that converts the parameters of derived request classes', async () => {
    await client.raw('HEAD', '/v1/organizations/acme/events/stream?includeDescendants=true', undefined, {}).expect(200);
  });

  it('adds each delivery attempt to the trace of the request', async () => {
    receiverStatus = 500;
    const traceId = randomBytes(16).toString('hex');
    const before = receiver.requests.length;
    await client
      .post('/v1/organizations/acme/users', { email: EMAIL }, { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } })
      .expect(201);
    await receiver.waitFor(before + 1, LIMIT_MS);
    receiverStatus = 200;
    await receiver.waitFor(before + 2, LIMIT_MS);

    const spans = await collector.waitFor((span) => span.traceId === traceId, 4, LIMIT_MS);
    const [request, ...others] = spans.toSorted((one, other) => one.kind - other.kind);
    expect(request).toMatchObject({
      kind: 2,
      name: 'POST /v1/organizations/:org/users',
      parentSpanId: '00f067aa0ba902b7',
      service: 'identity-of-the-test',
      attributes: { 'http.route': '/v1/organizations/:org/users', 'http.response.status_code': 201 },
    });
    expect(new Set(others.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([request!.spanId]));
    const workerSpans = others.map(({ name, attributes, failed }) => ({
      name,
      failed,
      attempt: attributes['delivery.attempt'],
      status: attributes['http.response.status_code'],
    }));
    expect(workerSpans).toHaveLength(3);
    expect(workerSpans).toEqual(
      expect.arrayContaining([
        { name: 'relay user.created', failed: false, attempt: undefined, status: undefined },
        { name: 'deliver user.created', failed: true, attempt: 1, status: 500 },
        { name: 'deliver user.created', failed: false, attempt: 2, status: 200 },
      ]),
    );
    // Traces and logs contain ids, and no email addresses.
    expect(collector.text).not.toContain(EMAIL);
    expect(api.stdout + workers.stdout).not.toContain(EMAIL);
    expect(api.stdout).toContain(`"traceId":"${traceId}"`);
  });

  it('delivers events while Redis is unavailable', async () => {
    const before = receiver.requests.length;
    await redis.kill('SIGKILL');
    const isFailed = async () => (await monitoring.get('/health/ready')).body.checks.queue === 'failed';
    await eventually(isFailed, LIMIT_MS, 'the API notices the outage');
    await monitoring.get('/health/ready').expect(200);
    await workerClient.get('/health/ready').expect(503);
    await client.post('/v1/organizations/acme/users', { email: 'meanwhile@example.com' }).expect(201);
    await receiver.waitFor(before + 1, LIMIT_MS);

    redis = await startRedis({ port: redis.port });
    const isReady = async () => (await workerClient.get('/health/ready')).status === 200;
    await eventually(isReady, LIMIT_MS, 'the workers are ready');
    await monitoring.get('/health/ready').expect(200);
  });
});

/** A single round. `npm run test:faults` runs hundreds of rounds. */
const RUN: Run = { name: 'one process with its own queue', writers: 4, rounds: [['kill all', 1, 1]] };

it(
  'the service loses no change and no event if the process is killed',
  async () => expect((await expectGuarantees(RUN)).verdict.deliveries).toBeGreaterThan(0),
  FAULT_LIMIT_MS,
);
