import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceProcess, TestService } from '../support/service-process.js';
import type { TestClient } from '../support/http-client.js';
import { testServer } from '../support/test-server.js';

const TIMES = process.env['LONG'] ? 25 : 2;
const AT_ONCE = 8;
const WARM_UP_REQUESTS = 2_000;
const MEMORY_LIMIT_MB = 100;
/** The maximum processor time of a request. */
const BUSY_LIMIT_MS = 100;
/** The maximum 99th percentile of the event loop lag during eight concurrent requests of one kind. */
const LAG_LIMIT_MS = 200;
const SAMPLE_MS = 250;
const MB = 1024 ** 2;
const NDJSON = 'application/x-ndjson';
const JSON_TYPE: Record<string, string> = { 'content-type': 'application/json' };

const manyKeys = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;

interface ExpensiveRequest {
  readonly kind: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string | Buffer;
  readonly headers: Record<string, string>;
}

const posted = (
  path: string,
  kind: string,
  body: string | Buffer,
  headers: Record<string, string> = JSON_TYPE,
): ExpensiveRequest => ({ kind, method: 'POST', path, body, headers });
const created = (kind: string, body: string | Buffer, headers = JSON_TYPE) => posted('/v1/organizations', kind, body, headers);
const imported = (kind: string, body: string, type: string) =>
  posted('/v1/organizations/acme/users/import', kind, body, { 'content-type': type });

/** Requests that are expensive to process. The service reads JSON bodies up to 256 KB and aborts requests with larger bodies. */
const EXPENSIVE_REQUESTS: readonly ExpensiveRequest[] = [
  created('lists in lists, 100,000 deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  created('objects in objects, 40,000 deep', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`),
  created('20,000 keys', manyKeys(20_000)),
  created('1,000,000 keys', manyKeys(1_000_000)),
  created('20,000 times the same key', `{${'"name":"x",'.repeat(20_000)}"name":5}`),
  created('__proto__', '{"__proto__":{"admin":true},"name":"x"}'),
  created('10 MB of gzip', gzipSync(Buffer.alloc(10 * MB)), { ...JSON_TYPE, 'content-encoding': 'gzip' }),
  posted('/v1/auth/login', 'a password of 1 MB', `{"organization":"a","email":"a@b.example","password":"${'x'.repeat(MB)}"}`),
  created('a list of 10,000', `{"name":"x","lockedSettings":[${'"a",'.repeat(10_000)}"a"]}`),
  created('lone surrogates', `{"name":"${'\\ud800'.repeat(40_000)}"}`),
  created('NUL', `{"name":"${'\\u0000'.repeat(40_000)}"}`),
  created('a number of 200,000 digits', `{"name":${'9'.repeat(200_000)}}`),
  imported('a line of 8 MB', 'x'.repeat(8 * MB), NDJSON),
  imported('10 lines of 5,000 keys', `${manyKeys(5_000)}\n`.repeat(10), NDJSON),
  imported('a cell of 8 MB', `email\n"${'x'.repeat(8 * MB)}`, 'text/csv'),
  { kind: '1,000 parameters', method: 'GET', path: `/v1/organizations?${'limit=1&'.repeat(1_000)}`, headers: {} },
];

/** A normal request for comparison. */
const CONTROL = created('a small body', '{"name":""}');

/** Returns whether a request was rejected. An import with invalid lines returns 200. An aborted request counts as rejected. */
const isRejected = (status: number | 'aborted', { headers }: ExpensiveRequest): boolean =>
  status === 'aborted' || (status >= 400 && status < 500) || (status === 200 && headers['content-type'] === NDJSON);

describe('an expensive request', () => {
  const service = testServer(() => TestService.create({ LOG_LEVEL: 'silent' }));
  let serviceProcess: ServiceProcess;
  let platform: TestClient;
  beforeAll(async () => {
    serviceProcess = await service.start();
    platform = service.client;
    await platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    // Warms up the process. The measured memory does not include compiled code and the heap of normal requests.
    for (let done = 0; done < WARM_UP_REQUESTS; done += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          index % 2 === 0 ? platform.get('/v1/organizations/acme/users') : platform.post('/v1/organizations', { name: '' }),
        ),
      );
  }, 300_000);

  /** Returns the processor time of the process, and the 99th percentile of its event loop lag since the previous call. */
  async function readLoad(): Promise<{ cpuMs: number; lagMs: number }> {
    // Uses a new connection. The service can close other connections at any time.
    const [response] = (await once(get(`${service.url}/metrics`, { agent: false }), 'response')) as [IncomingMessage];
    const metrics = await readAll(response);
    const milliseconds = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]) * 1_000;
    return { cpuMs: milliseconds('process_cpu_seconds_total'), lagMs: milliseconds('nodejs_eventloop_lag_p99_seconds') };
  }

  /** Sends the request `TIMES` times with each of eight concurrent clients. Returns the statuses. */
  async function sendRepeatedly({ method, path, body, headers }: ExpensiveRequest): Promise<(number | 'aborted')[]> {
    const statuses: (number | 'aborted')[] = [];
    const send = async () => {
      for (let left = TIMES; left > 0; left--) {
        const response = await platform.raw(method, path, body, headers).catch(() => undefined);
        statuses.push(response?.status ?? 'aborted');
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    return statuses;
  }

  it(`is rejected within ${BUSY_LIMIT_MS} ms of processor time`, async () => {
    const before = serviceProcess.memoryMb;
    let maxMemory = before;
    const sampling = setInterval(() => (maxMemory = Math.max(maxMemory, serviceProcess.memoryMb)), SAMPLE_MS);
    const accepted: string[] = [];
    const costs: { kind: string; busyMs: number; lagMs: number }[] = [];
    for (const request of [CONTROL, ...EXPENSIVE_REQUESTS]) {
      // The first requests of each kind include compilation and are not measured.
      const statuses = new Set(await sendRepeatedly(request));
      const { cpuMs } = await readLoad();
      for (const status of await sendRepeatedly(request)) statuses.add(status);
      const after = await readLoad();
      if (request !== CONTROL && ![...statuses].every((status) => isRejected(status, request)))
        accepted.push(`${request.kind}: ${[...statuses].join(', ')}`);
      costs.push({ kind: request.kind, busyMs: (after.cpuMs - cpuMs) / (TIMES * AT_ONCE), lagMs: after.lagMs });
    }
    clearInterval(sampling);
    const grownMb = maxMemory - before;
    process.stdout.write(
      `${EXPENSIVE_REQUESTS.length} kinds, ${TIMES * AT_ONCE} times each: ${grownMb.toFixed(0)} MB more than ${before.toFixed(0)} MB\n` +
        costs
          .map(
            ({ kind, busyMs, lagMs }) => `${kind}: busy for ${busyMs.toFixed(0)} ms, event loop late by ${lagMs.toFixed(0)} ms\n`,
          )
          .join(''),
    );
    expect(accepted).toEqual([]);
    expect(grownMb).toBeLessThan(MEMORY_LIMIT_MB);
    expect(costs.filter(({ busyMs, lagMs }) => !(busyMs < BUSY_LIMIT_MS && lagMs < LAG_LIMIT_MS))).toEqual([]);
  }, 600_000);
});
