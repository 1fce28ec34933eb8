import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildServer, ServiceProcess } from '../support/service-process.js';
import { findFreePort } from '../support/free-port.js';
import { TestClient } from '../support/http-client.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const TIMES = process.env['LONG'] ? 25 : 2;
const AT_ONCE = 8;
const WARM_UP_REQUESTS = 2_000;
const MEMORY_LIMIT_MB = 100;
/** Processor time for one. */
const BUSY_LIMIT_MS = 100;
/** The event loop lag in the 99th percentile, while eight of a kind arrive concurrently. */
const LAG_LIMIT_MS = 200;
const SAMPLE_MS = 250;
const MB = 1024 ** 2;
const NDJSON = 'application/x-ndjson';
const JSON_TYPE = { 'content-type': 'application/json' };

const repeated = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / text.length));
const manyKeys = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;

/** Small or large, each of them is expensive to process. Bodies up to 256 KB are read, larger ones are cut off. */
const BOMBS: readonly (readonly [string, string, string, string | Uint8Array, Record<string, string>])[] = [
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
  ['a line of 8 MB', 'POST', '/v1/organizations/bombs/users/import', repeated('x', 8 * MB), { 'content-type': NDJSON }],
  [
    '10 lines of 5,000 keys',
    'POST',
    '/v1/organizations/bombs/users/import',
    `${manyKeys(5_000)}\n`.repeat(10),
    { 'content-type': NDJSON },
  ],
  [
    'a cell of 8 MB',
    'POST',
    '/v1/organizations/bombs/users/import',
    `email\n"${repeated('x', 8 * MB)}`,
    { 'content-type': 'text/csv' },
  ],
  ['1,000 parameters', 'GET', `/v1/organizations?${'limit=1&'.repeat(1_000)}`, '', {}],
];

/** A normal request, for comparison. */
const CONTROL: (typeof BOMBS)[number] = ['a small body', 'POST', '/v1/organizations', '{"name":""}', JSON_TYPE];

/** An import responds with 200 and a result for each line; a request that is cut off counts as rejected, too. */
const isRefused = (answer: number | 'cut off', [, , , , headers]: (typeof BOMBS)[number]): boolean =>
  answer === 'cut off' || (answer >= 400 && answer < 500) || (answer === 200 && headers['content-type'] === NDJSON);

describe('requests that try to exhaust resources', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let platform: TestClient;
  let url: string;
  beforeAll(async () => {
    buildServer();
    database = await createTestDatabase();
    const [port, key] = [await findFreePort(), randomBytes(24).toString('hex')];
    service = await ServiceProcess.start({
      DATABASE_URL: database.url,
      PLATFORM_API_KEY: key,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      PORT: String(port),
      LOG_LEVEL: 'silent',
    });
    url = `http://127.0.0.1:${port}`;
    platform = new TestClient(url, key);
    await platform.post('/v1/organizations', { name: 'Bombs', slug: 'bombs' }).expect(201);
    // The bombs are not responsible for the memory of compiled code and a warm heap.
    for (let done = 0; done < WARM_UP_REQUESTS; done += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          index % 2 === 0 ? platform.get('/v1/organizations/bombs/users') : platform.post('/v1/organizations', { name: '' }),
        ),
      );
  }, 300_000);
  afterAll(async () => {
    await service?.kill();
    await database?.drop();
  });

  const memoryBytes = (): number =>
    Number(execFileSync('ps', ['-o', 'rss=', '-p', String(service.pid)], { encoding: 'utf8' })) * 1_024;

  /** Returns the processor time of the process so far, and its event loop lag in the 99th percentile since the last call. */
  async function load(): Promise<{ cpuMs: number; lagMs: number }> {
    // On a new connection, because the connections of the bombs can be closed at any time.
    const [answer] = (await once(get(`${url}/metrics`, { agent: false }), 'response')) as [IncomingMessage];
    const metrics = await readAll(answer);
    const milliseconds = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]) * 1_000;
    return { cpuMs: milliseconds('process_cpu_seconds_total'), lagMs: milliseconds('nodejs_eventloop_lag_p99_seconds') };
  }

  /** Sends the bomb this many times, eight concurrently; a request that is cut off counts as rejected. */
  async function explode([, method, path, body, headers]: (typeof BOMBS)[number]): Promise<(number | 'cut off')[]> {
    const answers: (number | 'cut off')[] = [];
    const send = async () => {
      for (let left = TIMES; left > 0; left--) {
        const sent = platform.raw(method, path, method === 'GET' ? undefined : (body as string), headers);
        answers.push(
          await sent.then(
            ({ status }) => status,
            () => 'cut off' as const,
          ),
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
    return answers;
  }

  it(`are rejected ${TIMES * AT_ONCE} times each, within ${MEMORY_LIMIT_MB} MB of additional memory, ${BUSY_LIMIT_MS} ms of processor time per request and ${LAG_LIMIT_MS} ms of event loop lag`, async () => {
    const before = memoryBytes();
    let most = before;
    const sampling = setInterval(() => (most = Math.max(most, memoryBytes())), SAMPLE_MS);
    const accepted: string[] = [];
    const costs: { kind: string; busyMs: number; lagMs: number }[] = [];
    for (const bomb of [CONTROL, ...BOMBS]) {
      // The first ones of a kind include the compilation.
      const answers = new Set(await explode(bomb));
      const { cpuMs } = await load();
      for (const answer of await explode(bomb)) answers.add(answer);
      const after = await load();
      if (bomb !== CONTROL && ![...answers].every((answer) => isRefused(answer, bomb)))
        accepted.push(`${bomb[0]}: ${[...answers].join(', ')}`);
      costs.push({ kind: bomb[0], busyMs: (after.cpuMs - cpuMs) / (TIMES * AT_ONCE), lagMs: after.lagMs });
    }
    clearInterval(sampling);
    const grownMb = (most - before) / MB;
    process.stdout.write(
      `${BOMBS.length} kinds, ${TIMES * AT_ONCE} times each: ${grownMb.toFixed(0)} MB more than ${(before / MB).toFixed(0)} MB\n` +
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
