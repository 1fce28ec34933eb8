import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestClient } from '../support/http-client.js';
import { isRunning } from '../support/postgres-process.js';
import { startReceiver } from '../support/receiver.js';
import { type ServiceProcess, TestService } from '../support/service-process.js';

const EVENTS = 40;
/** The time limit for a pause of 1 s and the startup of a process on a busy machine. */
const RESTART_LIMIT_MS = 45_000;
const EXIT_LIMIT_MS = 5_000;

const cleanUps: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function create(environment: Record<string, string>): Promise<TestService> {
  const created = await TestService.create({ WORKERS: '2', LOG_LEVEL: 'info', PLATFORM_API_KEY: '', ...environment });
  cleanUps.push(() => created.stop());
  return created;
}

/** Resolves with the result of `find` when `find` returns a result. */
async function until<Found>(find: () => Found | undefined | false, limitMs: number): Promise<Found> {
  for (const deadline = performance.now() + limitMs; performance.now() < deadline; await sleep(20)) {
    const found = find();
    if (found) return found;
  }
  throw new Error(`Not within ${limitMs} ms: ${find.toString()}`);
}

interface LogLine {
  pid: number;
  msg: string;
  route?: string;
}

function logLines(service: ServiceProcess): LogLine[] {
  const lines = service.stdout.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
  return lines.map((line) => JSON.parse(line) as LogLine);
}

/** Returns the ids of the ready processes from the log of the primary. */
function readyProcesses(service: ServiceProcess): number[] {
  const logged = logLines(service).map(({ msg }) => /^Process (\d+) is ready\.$/.exec(msg)?.[1]);
  return logged.filter((pid) => pid !== undefined).map(Number);
}

const ready = (service: ServiceProcess, count: number): Promise<number[]> =>
  until(() => {
    const pids = readyProcesses(service);
    return pids.length >= count && pids;
  }, RESTART_LIMIT_MS);

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
  it('replaces a killed process without failing requests, and exits when the primary is killed', async () => {
    const receiver = await startReceiver();
    cleanUps.push(() => receiver.stop());
    const created = await create({});
    const { port } = created;
    const service = await created.start();
    const first = await ready(service, 2);
    const shownOnce = service.stdout.match(/shown only once/g);
    const key = /\b[a-z]+_sk_\w+/.exec(service.stdout)?.[0];
    expect({ shownOnce, welcomes: service.stdout.match(/ is ready: /g) }).toEqual({
      shownOnce: ['shown only once'],
      welcomes: [' is ready: '],
    });

    const client = new TestClient(`http://127.0.0.1:${port}`, key);
    await client.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    await client.post('/v1/organizations/acme/webhooks', { url: receiver.url, events: ['user.created'] }).expect(201);
    const reads = await Promise.all(Array.from({ length: 10 }, () => get(port, '/v1/organizations/acme', key)));
    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
    const answering = await until(() => {
      const pids = logLines(service).filter(({ route }) => route === '/v1/organizations/:org');
      return pids.length >= reads.length && new Set(pids.map(({ pid }) => pid));
    }, EXIT_LIMIT_MS);
    expect([...answering].toSorted()).toEqual(first.toSorted());
    expect(answering).not.toContain(service.pid);

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
    await sleep(1_000);
    expect(receiver.requests).toHaveLength(EVENTS);
    expect(new Set(delivered.map(({ headers }) => headers['webhook-id'])).size).toBe(EVENTS);

    const [killed, survivor] = first as [number, number];
    process.kill(killed, 'SIGKILL');
    await until(() => service.stdout.includes(`Process ${killed} exited (SIGKILL)`), EXIT_LIMIT_MS);
    for (let read = 0; read < 4; read++) expect((await get(port, '/v1/organizations/acme', key)).status).toBe(200);
    const all = await ready(service, 3);
    const successor = all.at(-1)!;
    await client.post('/v1/organizations/acme/users', { email: 'late@example.com' }).expect(201);
    await receiver.waitFor(EVENTS + 1, 20_000);
    expect(service.stdout.match(/ is ready: /g)).toHaveLength(1);

    expect([survivor, successor].map(isRunning)).toEqual([true, true]);
    expect({ stderr: service.stderr, requests: receiver.requests.length }).toEqual({ stderr: '', requests: EVENTS + 1 });
    await service.kill();
    await until(() => !all.some(isRunning), EXIT_LIMIT_MS);
  }, 150_000);

  it('does not start if the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    cleanUps.push(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const service = (await create({ PORT: String(port) })).spawn();
    expect(await service.exited).toEqual({ code: 1, signal: null });
    expect(service.stderr.trimEnd().split('\n')).toEqual([
      `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or set PORT.`,
      'The first of 2 processes exited before it was ready (exit code 1).',
    ]);
    expect(service.stdout).not.toContain('_sk_');
  }, 60_000);
});
