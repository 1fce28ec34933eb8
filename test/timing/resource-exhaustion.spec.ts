import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceProcess, TestService } from '../support/service-process.js';
import type { TestClient } from '../support/http-client.js';

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
const JSON_TYPE = { 'content-type': 'application/json' };

const repeated = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / text.length));
const manyKeys = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;

/** Requests that are expensive to process. The service reads JSON bodies up to 256 KB and aborts requests with larger bodies. */
const EXPENSIVE_REQUESTS: readonly (readonly [string, string, string, string | Uint8Array, Record<string, string>])[] = [
  ['lists in lists, 100,000 deep', 'POST', '/v1/organizations', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, JSON_TYPE],
  ['objects in objects, 40,000 deep', 'POST', '/v1/organizations', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`, JSON_TYPE],
  ['20,000 keys', 'POST', '/v1/organizations', manyKeys(20_000), JSON_TYPE],
  ['1,000,000 keys', 'POST', '/v1/organizations', manyKeys(1_000_000), JSON_TYPE],
  ['20,000 times the same key', 'POST', '/v1/organizations', `{${'"name":"x",'.repeat(20_000)}"name":5}`, JSON_TYPE],
  ['__proto__', 'POST', '/v1/organizations', '{"__proto__":{"admin":true},"name":"x"}', JSON_TYPE],
  ['10 MB of gzip', 'POST', '/v1/organizations', gzipSync(Buffer.alloc(10 * MB)), { ...JSON_TYPE, 'content-encoding': 'gzip' }],
  [
    'a password of 1 MB',
    'POST',
    '/v1/auth/login',
    `{"organization":"a","email":"a@b.example","password":"${'x'.repeat(MB)}"}`,
    JSON_TYPE,
  ],
  ['a list of 10,000', 'POST', '/v1/organizations', `{"name":"x","lockedSettings":[${'"a",'.repeat(10_000)}"a"]}`, JSON_TYPE],
  ['lone surrogates', 'POST', '/v1/organizations', `{"name":"${'\\ud800'.repeat(40_000)}"}`, JSON_TYPE],
  ['NUL', 'POST', '/v1/organizations', `{"name":"${'\\u0000'.repeat(40_000)}"}`, JSON_TYPE],
  ['a number of 200,000 digits', 'POST', '/v1/organizations', `{"name":${'9'.repeat(200_000)}}`, JSON_TYPE],
  ['a line of 8 MB', 'POST', '/v1/organizations/acme/users/import', repeated('x', 8 * MB), { 'content-type': NDJSON }],
  [
    '10 lines of 5,000 keys',
    'POST',
    '/v1/organizations/acme/users/import',
    `${manyKeys(5_000)}\n`.repeat(10),
    { 'content-type': NDJSON },
  ],
  [
    'a cell of 8 MB',
    'POST',
    '/v1/organizations/acme/users/import',
    `email\n"${repeated('x', 8 * MB)}`,
    { 'content-type': 'text/csv' },
  ],
  ['1,000 parameters', 'GET', `/v1/organizations?${'limit=1&'.repeat(1_000)}`, '', {}],
];

/** A normal request for comparison. */
const CONTROL: (typeof EXPENSIVE_REQUESTS)[number] = ['a small body', 'POST', '/v1/organizations', '{"name":""}', JSON_TYPE];

/** Returns whether a request was rejected. An import with invalid lines returns 200. An aborted request counts as rejected. */
const isRejected = (status: number | 'aborted', [, , , , headers]: (typeof EXPENSIVE_REQUESTS)[number]): boolean =>
  status === 'aborted' || (status >= 400 && status < 500) || (status === 200 && headers['content-type'] === NDJSON);

describe('an expensive request', () => {
  let service: TestService;
  let serviceProcess: ServiceProcess;
  let platform: TestClient;
  beforeAll(async () => {
    service = await TestService.create({ LOG_LEVEL: 'silent' });
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
  afterAll(() => service?.stop());

  const memoryBytes = (): number =>
    Number(execFileSync('ps', ['-o', 'rss=', '-p', String(serviceProcess.pid)], { encoding: 'utf8' })) * 1_024;

  /** Returns the processor time of the process, and the 99th percentile of its event loop lag since the previous call. */
  async function readLoad(): Promise<{ cpuMs: number; lagMs: number }> {
    // Uses a new connection. The service can close other connections at any time.
    const [response] = (await once(get(`${service.url}/metrics`, { agent: false }), 'response')) as [IncomingMessage];
    const metrics = await readAll(response);
    const milliseconds = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]) * 1_000;
    return { cpuMs: milliseconds('process_cpu_seconds_total'), lagMs: milliseconds('nodejs_eventloop_lag_p99_seconds') };
  }

  /** Sends the request `TIMES` times with each of eight concurrent clients. Returns the statuses. */
  async function sendRepeatedly([, method, path, body, headers]: (typeof EXPENSIVE_REQUESTS)[number]): Promise<
    (number | 'aborted')[]
  > {
    const statuses: (number | 'aborted')[] = [];
    const send = async () => {
      for (let left = TIMES; left > 0; left--) {
        const sent = platform.raw(method, path, method === 'GET' ? undefined : (body as string), headers);
        statuses.push(
          await sent.then(
            ({ status }) => status,
            () => 'aborted' as const,
          ),
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    return statuses;
  }

  it(`is rejected within ${BUSY_LIMIT_MS} ms of processor time`, async () => {
    const before = memoryBytes();
    let maxMemory = before;
    const sampling = setInterval(() => (maxMemory = Math.max(maxMemory, memoryBytes())), SAMPLE_MS);
    const accepted: string[] = [];
    const costs: { kind: string; busyMs: number; lagMs: number }[] = [];
    for (const request of [CONTROL, ...EXPENSIVE_REQUESTS]) {
      // The first requests of each kind include compilation and are not measured.
      const statuses = new Set(await sendRepeatedly(request));
      const { cpuMs } = await readLoad();
      for (const status of await sendRepeatedly(request)) statuses.add(status);
      const after = await readLoad();
      if (request !== CONTROL && ![...statuses].every((status) => isRejected(status, request)))
        accepted.push(`${request[0]}: ${[...statuses].join(', ')}`);
      costs.push({ kind: request[0], busyMs: (after.cpuMs - cpuMs) / (TIMES * AT_ONCE), lagMs: after.lagMs });
    }
    clearInterval(sampling);
    const grownMb = (maxMemory - before) / MB;
    process.stdout.write(
      `${EXPENSIVE_REQUESTS.length} kinds, ${TIMES * AT_ONCE} times each: ${grownMb.toFixed(0)} MB more than ${(before / MB).toFixed(0)} MB\n` +
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
