import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { FieldProblem } from '#platform/common';
import { EVENT_TYPES } from '#platform/events';
import { sessionCookieName } from '#platform/http';
import { request } from 'undici';
import { startApp, type TestApp } from '../support/app.js';
import { at, made, newOrganization, newUser, read } from '../support/organizations.js';
import { TEST_DISTRIBUTION } from '../support/postgres.js';
import { testApp } from '../support/test-app.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, testRedis } from '../support/redis.js';
import { testServer } from '../support/test-server.js';
import { connectScim } from '../support/scim.js';

const JSON_TYPE = { 'content-type': 'application/json' };

const app = testApp();

describe('the HTTP layer', () => {
  it.each<[string | Buffer, Record<string, string>, number, string, string?]>([
    ['{}', { ...JSON_TYPE, 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['{"name":', JSON_TYPE, 400, 'malformed_json', 'at column 9'],
    ['['.repeat(33) + ']'.repeat(33), JSON_TYPE, 400, 'json_too_deep'],
    [`{"name":"${'x'.repeat(256 * 1024)}"}`, JSON_TYPE, 413, 'content_too_large'],
    [`{"name":[${'{},'.repeat(80_000)}{}]}`, JSON_TYPE, 400, 'json_too_wide'],
    [Buffer.from('{"name":"Zo\xeb"}', 'latin1'), JSON_TYPE, 400, 'malformed_json'],
  ])('rejects invalid body number %#', async (body, headers, status, code, detail = '') => {
    const rejected = await app.api.platform.raw('POST', '/v1/organizations', body, headers).expect(status, code, detail);
    expect(rejected.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(rejected.body).toMatchObject({
      status,
      code,
      instance: '/v1/organizations',
      type: expect.stringContaining(`/docs/errors/${code}`),
    });
  });

  it.each<[string, string, object | undefined, number, string]>([
    ['POST', '/users', { emial: 'ada@example.com' }, 400, 'emial is not a known field. Did you mean "email"?'],
    [
      'POST',
      '/users',
      { email: 'ada@example.com', first_name: 'Ada' },
      400,
      'first_name is not a known field. Did you mean "firstName"?',
    ],
    ['GET', '/users?serach=ada', undefined, 400, 'serach is not a known parameter. Did you mean "search"?'],
    ['GET', '/users?status=activ', undefined, 400, 'It is "activ". Did you mean "active"?'],
    [
      'POST',
      '/webhooks',
      { url: 'https://example.com', events: ['*', 'user.creatd'] },
      400,
      'It is "user.creatd". Did you mean "user.created"?',
    ],
    ['GET', '/users/ada@example.com', undefined, 404, 'not by email address. GET /v1/organizations/{org}/users?email={email}'],
    [
      'GET',
      '/users/org_01kf2b8v3cf5h9r4n0j7d2q6xw',
      undefined,
      404,
      '"org_" begins the ids of another kind of resource: organization.',
    ],
    ['GET', '/users/usr_01kf2b8v3cf5h9r4n0j7d2q6x', undefined, 404, 'The id is not complete.'],
    ['GET', '/api-keys/ci', undefined, 404, 'Its id begins with "key_".'],
  ])('names what is wrong with %s %s %j', async (method, path, body, status, detail) => {
    const { id } = await newOrganization(app);
    const text = body && JSON.stringify(body);
    await app.api.platform.raw(method, at(id, path), text, body ? JSON_TYPE : {}).expect(status, undefined, detail);
  });

  it('shows no more of a long list of choices than helps', async () => {
    const { id } = await newOrganization(app);
    const { body } = await app.api.platform
      .post(at(id, '/webhooks'), { url: 'https://example.com', events: ['nothing'] })
      .expect(400);
    expect(body.detail).toMatch(
      /^events must be one of: \*, user\.\*, .*, and \d+ more in the API documentation\. It is "nothing"\.$/,
    );
    expect(body.detail.length).toBeLessThan(600);
  });

  it('rejects JSON that it would change, and malformed URLs', async () => {
    const body = '{"name":"Acme","metadata":{"id":1546130668394913822,"a":1,"a":2}}';
    const rejected = await app.api.platform.raw('POST', '/v1/organizations', body, JSON_TYPE).expect(400);
    expect(rejected.body.errors.map(({ code }: FieldProblem) => code).toSorted()).toEqual(['duplicate_field', 'inexact_number']);
    for (const end of ['?search=Zo%EB', '?search=%ED%A0%80', '?search=100%', '?%C3=1', '/%EB'])
      await app.api.platform.get(`/v1/organizations${end}`).expect(400, 'malformed_request');
  });

  // Citus has no triggers on distributed tables.
  (TEST_DISTRIBUTION ? it.skip : it)('names a full disk of the database in the response and in the readiness', async () => {
    await using own = await startApp();
    await own.database.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`);
    await own.database.query('CREATE TRIGGER fail BEFORE INSERT ON organizations FOR EACH ROW EXECUTE FUNCTION fail()');
    expect((await own.api.anonymous.get('/health/ready').expect(200)).body.checks.disk).toBe('ok');
    await own.api.platform
      .post('/v1/organizations', { name: 'x' })
      .expect(503, 'unavailable', 'The disk of the database is full');
    await own.api.platform.get('/v1/organizations').expect(200);
    expect((await own.api.anonymous.get('/health/ready').expect(200)).body).toMatchObject({
      status: 'ok',
      checks: { disk: 'failed' },
    });
  });

  it('keeps a valid request id, and replaces an invalid one', async () => {
    for (const id of ['abc', 'A-1.b:c_d', 'x'.repeat(128)]) {
      const response = await app.api.anonymous.get('/v1/organizations', { headers: { 'x-request-id': id } }).expect(401);
      expect([response.headers.get('x-request-id'), response.body.requestId]).toEqual([id, id]);
    }
    for (const id of ['', 'a b', 'x'.repeat(129), '<script>']) {
      const { headers } = await app.api.anonymous.get('/health/live', { headers: { 'x-request-id': id } }).expect(200);
      expect([id, headers.get('x-request-id')]).toEqual([id, expect.stringMatching(/^req_[0-9a-z]{26}$/)]);
    }
  });

  it('trusts X-Forwarded-For only from configured proxies', async () => {
    await using proxied = await startApp({ ...app.config, trustProxy: ['loopback'] });
    const headers = { 'x-forwarded-for': '203.0.113.7:51234', 'user-agent': `\x9b${'u'.repeat(600)}` };
    await app.api.platform.post('/v1/organizations', { name: 'Direct' }, { headers }).expect(201);
    await proxied.api.platform.post('/v1/organizations', { name: 'Proxied' }, { headers }).expect(201);
    const rows = await app.database.query<{ payload: string }>('SELECT payload FROM events ORDER BY seq DESC LIMIT 2');
    expect(rows.map(({ payload }) => JSON.parse(payload).metadata)).toMatchObject([
      { ipAddress: '203.0.113.7' },
      { ipAddress: '127.0.0.1', source: 'api', userAgent: 'u'.repeat(512) },
    ]);
  });

  it('serves only probes and metrics in the worker role', async () => {
    await using worker = await startApp({ ...app.config, role: 'worker' });
    await worker.api.anonymous.get('/health/live').expect(200);
    expect((await worker.api.anonymous.get('/health/ready').expect(200)).body.status).toBe('ok');
    await worker.api.anonymous.get('/metrics').expect(200);
    for (const path of ['/v1/organizations', '/openapi.json', '/docs', '/health', '/health/live/..%2f..%2fv1/organizations'])
      await worker.api.platform.get(path).expect(404, 'route_not_found');
  });

  it('serves the OpenAPI document and the pages of error codes', async () => {
    const { body: document } = await app.api.anonymous.get('/openapi.json').expect(200);
    expect(document.servers).toEqual([{ url: app.config.baseUrl }]);
    expect(Object.keys(document.webhooks)).toHaveLength(EVENT_TYPES.length);
    const page = await app.api.anonymous.get('/docs/errors/slug_taken').expect(200);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; /,
    );
    expect(page.body).toContain('<a href="/docs/guide/">');
    for (const code of ['no_such_code', '..%2f..%2fpackage', 'UPPER', '%00'])
      await app.api.anonymous.get(`/docs/errors/${code}`).expect(404);
  });

  it.each<[string, string, number, string]>([
    ['/no-such-page', 'text/html,application/xhtml+xml,*/*;q=0.8', 404, '<h1>Seite nicht gefunden</h1>'],
    ['/v1/organizations/acme/users/export', 'text/html,*/*;q=0.8', 401, 'href="/docs/errors/unauthenticated"'],
    ['/assets/none.js', 'text/html', 404, '<h1>Seite nicht gefunden</h1>'],
    ['/no-such-page/<script>', '*/*', 404, '"code":"route_not_found"'],
    ['/no-such-page', 'application/json', 404, '"code":"route_not_found"'],
    ['/scim/v2/Users', 'text/html', 401, '"schemas":["urn:ietf:params:scim:api:messages:2.0:Error"]'],
  ])('answers a wrong address %s for %s in the right format', async (path, accept, status, content) => {
    const response = await fetch(`${app.url}${path}`, { headers: { accept, 'accept-language': 'de' } });
    expect([response.status, response.headers.get('cache-control')]).toEqual([status, 'no-store']);
    expect(await response.text()).toContain(content);
  });

  it('leads from the root to the dashboard with a session cookie, and to the sign-in without one', async () => {
    const locationOf = async (cookie: string) =>
      (await fetch(app.url, { redirect: 'manual', headers: { cookie } })).headers.get('location');
    expect(await locationOf('')).toBe('/account/sign-in');
    expect(await locationOf(`${sessionCookieName(app.config)}=x`)).toBe('/dashboard');
  });

  /** Sends a request without fetch, which would decompress the response and add `Cache-Control: no-cache`. */
  async function send(path: string, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') {
    const all = { authorization: `Bearer ${app.platformKey}`, ...headers };
    const { statusCode: status, headers: received, body } = await request(`${app.url}${path}`, { method, headers: all });
    return { status, headers: received, body: Buffer.from(await body.arrayBuffer()) };
  }

  it('compresses large responses if the client accepts an encoding', async () => {
    const { id: org } = await newOrganization(app);
    const get = (path: string, encodings: string) => send(path, { 'accept-encoding': encodings });
    for (let count = 0; count < 3; count++)
      await newUser(app, org, { metadata: { note: 'a text that repeats itself '.repeat(140) } });
    for (const [path, encodings, decompress] of [
      [at(org, '/users?limit=20'), 'gzip', gunzipSync],
      [at(org, '/users?limit=20'), 'gzip, br', brotliDecompressSync],
      [at(org, '/users/export?format=csv'), 'gzip', gunzipSync],
      ['/openapi.json', 'br', brotliDecompressSync],
    ] as const) {
      const [plain, compressed] = [await get(path, 'identity'), await get(path, encodings)];
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(compressed.headers['content-encoding']).toBe(encodings.split(', ').at(-1));
      expect(compressed.headers['vary']).toMatch(/accept-encoding/i);
      expect(compressed.body.length).toBeLessThan(plain.body.length / 3);
      expect(decompress(compressed.body).equals(plain.body)).toBe(true);
    }
    expect((await get(at(org), 'gzip, br')).headers['content-encoding']).toBeUndefined();
  });

  /** `crud-rules.spec.ts` tests the resources of every collection. */
  describe('the ETag check', () => {
    const newWebhook = async (): Promise<string> => {
      const path = at((await newOrganization(app)).id, '/webhooks');
      return `/v1/webhooks/${(await made(app, path, { url: 'http://127.0.0.1:9/hook', events: ['*'] })).id}`;
    };
    const etagOf = async (path: string): Promise<string> => (await app.api.platform.get(path).expect(200)).headers.get('etag')!;
    const change = (path: string, ifMatch: string, name = ifMatch) =>
      app.api.platform.patch(path, { name }, { headers: { 'if-match': ifMatch } });

    it('rejects a change of a webhook at the short path and of an organization if the version is stale', async () => {
      for (const path of [await newWebhook(), at((await newOrganization(app)).id)]) {
        const etag = await etagOf(path);
        const current = (await change(path, etag, 'first').expect(200)).headers.get('etag')!;
        await change(path, etag, 'second').expect(412, 'precondition_failed', `now has the ETag ${current}`);
        await change(path, '3', 'third').expect(400, 'validation_failed', 'with its double quotes, such as "3", or *. It is 3.');
        expect([(await read(app, path)).name, await etagOf(path)]).toEqual(['first', current]);
        await app.api.platform.delete(path, undefined, { headers: { 'if-match': etag } }).expect(412);
        await app.api.platform.delete(path, undefined, { headers: { 'if-match': current } }).expect(204);
      }
    });

    it('accepts only one of several concurrent changes of a version, also in a list of versions', async () => {
      const path = await newWebhook();
      await change(path, '*').expect(200);
      await change(path, `"1000", ${await etagOf(path)}`).expect(200);
      const etag = await etagOf(path);
      const responses = await Promise.all(['a', 'b', 'c', 'd'].map((name) => change(path, etag, name)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
    });

    it('returns 304 if the caller has the current version', async () => {
      const path = await newWebhook();
      const { headers, body } = await send(path, {});
      const { etag, 'content-length': length } = headers;
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(length).toBe(String(body.length));
      const none = Buffer.alloc(0);
      expect(await send(path, { 'if-none-match': String(etag) })).toMatchObject({ status: 304, body: none, headers: { etag } });
      expect(await send(path, { 'if-none-match': '"0"' })).toMatchObject({ status: 200, body });
      expect(await send(path, {}, 'HEAD')).toMatchObject({
        status: 200,
        body: none,
        headers: { etag, 'content-length': length },
      });
    });
  });
});

const ROOT = join(import.meta.dirname, '../..');
const source = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The names of the Node.js metrics of prom-client, which do not follow the naming rules of Prometheus. */
const NODE_METRIC = /^(?:nodejs|process)_/;

const METRIC = /\b(?:http|webhook|database|event_log|event_subscriber|nodejs|process)_[a-z0-9_]+/g;

describe('the metrics endpoint', () => {
  const redis = testRedis();
  const app = testServer(() => startApp({ redisUrls: [redis.url] }));
  let types: Map<string, string>;
  let text: string;

  const metricsOf = async ({ api }: TestApp) => String((await api.anonymous.get('/metrics').expect(200)).body);
  beforeAll(async () => {
    await app.api.platform.get('/v1/organizations').expect(200);
    text = await metricsOf(app);
    types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));
  });

  it('follows the naming rules of Prometheus, is documented, and includes all metrics that the alerts and the dashboard use', () => {
    const own = [...types].filter(([name]) => !NODE_METRIC.test(name));
    const page = source('docs/observability.md');
    expect(own.filter(([name]) => !page.includes(`\`${name}\``))).toEqual([]);
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter(([name, type]) => (type === 'counter') !== name.endsWith('_total'))).toEqual([]);
    expect(text.match(/^# HELP \S+ .+$/gm)).toHaveLength(types.size);
    for (const file of ['deploy/prometheus/alerts.yml', 'deploy/grafana/dashboards/identity-service.json']) {
      const names = source(file).match(METRIC) ?? [];
      const unknown = names.filter((name) => !types.has(name) && !types.has(name.replace(/_(?:bucket|count|sum)$/, '')));
      expect({ file, named: names.length > 8, unknown }).toEqual({ file, named: true, unknown: [] });
    }
  });

  it('reports the age of the oldest event that waits for a relay', async () => {
    await using apiProcess = await startApp({ role: 'api', redisUrls: [redis.url] });
    await newOrganization(apiProcess);
    await sleep(20);
    const values = new Map((await metricsOf(apiProcess)).split('\n').map((line) => line.split(' ') as [string, string]));
    expect(Number(values.get('webhook_outbox_lag_seconds'))).toBeGreaterThanOrEqual(0.02);
    expect(values.get('webhook_relay_last_round_timestamp_seconds')).toBe('0');
    expect(Number(values.get('database_pool_connections{state="idle"}'))).toBeGreaterThan(0);
    expect(values.get('database_pool_connections_max')).toBe(String(apiProcess.config.databasePoolSize));
  });
});

it('the service loads OpenTelemetry only with the dynamic import that enables traces', () => {
  const sources = ['libs', 'apps/server/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
      .map((path) => ({ path, text: source(join(folder, path)) })),
  );
  const importing = (module: RegExp) =>
    sources.filter(({ text }) =>
      [...text.matchAll(/^(import|export) (?!type )[^;]*? from '([^']+)'/gm)].some(([, , name]) => module.test(name!)),
    );
  expect(importing(/^@opentelemetry\//).map(({ path }) => path)).toEqual([
    'platform/observability/src/tracing/otlp-span-recorder.ts',
  ]);
  expect(importing(/otlp-span-recorder/)).toEqual([]);
});

const LIMIT = 5;

describe.each(['in process', 'in Redis'] as const)('the rate limit %s', (where) => {
  const redis = testRedis();
  const app = testServer(() => startApp({ rateLimit: LIMIT, redisUrls: where === 'in Redis' ? [redis.url] : [] }));
  const second = testServer(() => startApp({ ...app.config }));
  let path: string;
  beforeAll(async () => {
    path = at((await newOrganization(app)).id);
  });

  const newKey = async (): Promise<string> =>
    (await made(app, `${path}/api-keys`, { name: 'reader', scopes: ['organizations:read'] })).key;

  it('returns the number of remaining requests of each API key, or Retry-After above the limit', async () => {
    const client = app.api.as(await newKey());
    for (let remaining = LIMIT - 1; remaining >= 0; remaining--) {
      const response = await client.get(path).expect(200);
      expect(response.headers.get('ratelimit-policy')).toBe(`"default";q=${LIMIT};w=60`);
      expect(response.headers.get('ratelimit')).toMatch(new RegExp(`^"default";r=${remaining};t=\\d+$`));
    }
    const rejected = await client.get(path).expect(429, 'rate_limited');
    const retryAfterSeconds = Number(rejected.headers.get('retry-after'));
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    const clients = [app.api.as(await newKey()), app.api.as(await newKey())];
    for (const client of clients) await client.get(path).expect(200);
    for (let request = 0; request < LIMIT + 3; request++) {
      const response = await app.api.platform.get(path).expect(200);
      expect(response.headers.get('ratelimit')).toBeNull();
    }
  });

  it('limits a SCIM connection, with an error in the format of SCIM', async () => {
    const scim = await connectScim(app, path.split('/').at(-1)!);
    for (let count = 0; count < LIMIT; count++) await scim.get('/Users').expect(200);
    const rejected = await scim.get('/Users').expect(429);
    expect(rejected.body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '429' });
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it(`${where === 'in Redis' ? 'is shared by' : 'is separate in'} two instances`, async () => {
    const key = await newKey();
    for (let request = 0; request < LIMIT; request++) await app.api.as(key).get(path).expect(200);
    await second.api
      .as(key)
      .get(path)
      .expect(where === 'in Redis' ? 429 : 200);
  });
});

describe('a rate limit', () => {
  it('applies in each process while Redis is unavailable', async () => {
    const redis = await startRedis();
    await using instance = await startApp({ rateLimit: LIMIT, redisUrls: [redis.url] });
    const path = `/v1/organizations/${(await newOrganization(instance)).id}`;
    const { key } = await made(instance, `${path}/api-keys`, { name: 'reader', scopes: ['organizations:read'] });
    await redis.stop();
    for (let request = 0; request < LIMIT; request++) await instance.api.as(key).get(path).expect(200);
    await instance.api.as(key).get(path).expect(429);
  });

  const organization = async (): Promise<string> => at((await newOrganization(app)).id);

  it('allows five resent invitations per user and hour, and sixty tests per webhook and minute', async () => {
    const users = `${await organization()}/users`;
    const resend = async (email: string) => {
      const path = `${users}/${(await made(app, users, { email })).id}/invitation`;
      return () => app.api.platform.post(path);
    };
    const [toAda, toBob] = [await resend('ada@example.com'), await resend('bob@example.com')];
    for (let count = 0; count < 5; count++) await toAda().expect(200);
    const rejected = await toAda().expect(429, 'rate_limited');
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(3_000);
    await toBob().expect(200);
    const [path, other] = [await organization(), await organization()];
    const { id } = await made(app, `${path}/webhooks`, { url: 'https://127.0.0.1:9/', events: ['user.created'] });
    const test = (through: string) => app.api.platform.post(`${through}/webhooks/${id}/test`, { eventType: 'user.created' });
    // A request through another organization does not count.
    await test(other).expect(404);
    for (let count = 0; count < 60; count++) await test(path).expect(200);
    await test(path).expect(429);
  });
});
