import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { eventually } from '../support/delivery-app.js';
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
    const answering = () => servers(service, '/v1/organizations/:org');
    await eventually(() => answering().length >= reads.length, EXIT_LIMIT_MS, 'all reads are logged');
    expect([...new Set(answering())].toSorted()).toEqual(first.toSorted());
    expect(first).not.toContain(service.pid);

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
    await eventually(() => service.stdout.includes(`Process ${killed} exited (SIGKILL)`), EXIT_LIMIT_MS, 'the exit is logged');
    for (let read = 0; read < 4; read++) expect((await get(port, '/v1/organizations/acme', key)).status).toBe(200);
    const all = await ready(service, 3);
    const successor = all.at(-1)!;
    await client.post('/v1/organizations/acme/users', { email: 'late@example.com' }).expect(201);
    await receiver.waitFor(EVENTS + 1, 20_000);
    expect(service.stdout.match(/ is ready: /g)).toHaveLength(1);

    expect([survivor, successor].map(isRunning)).toEqual([true, true]);
    expect({ stderr: service.stderr, requests: receiver.requests.length }).toEqual({ stderr: '', requests: EVENTS + 1 });
    await service.kill();
    await eventually(() => !all.some(isRunning), EXIT_LIMIT_MS, 'all processes have ended');
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
