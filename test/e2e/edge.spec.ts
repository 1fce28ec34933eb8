import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { FieldProblem } from '#platform/common';
import { EVENT_TYPES } from '#platform/events';
import { request } from 'undici';
import { startApp } from '../support/app.js';
import { at, made, newAddress, newOrganization, read } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('the HTTP layer', () => {
  const app = testApp();

  it.each([
    ['{}', { ...JSON_TYPE, 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['{"name":', JSON_TYPE, 400, 'malformed_json'],
    ['['.repeat(33) + ']'.repeat(33), JSON_TYPE, 400, 'json_too_deep'],
    [`{"name":"${'x'.repeat(256 * 1024)}"}`, JSON_TYPE, 413, 'content_too_large'],
    [`{"name":[${'{},'.repeat(80_000)}{}]}`, JSON_TYPE, 400, 'json_too_wide'],
    [Buffer.from('{"name":"Zo\xeb"}', 'latin1'), JSON_TYPE, 400, 'malformed_json'],
  ])('rejects invalid body number %#', async (body, headers, status, code) => {
    const rejected = await app.api.platform.raw('POST', '/v1/organizations', body, headers).expect(status);
    expect(rejected.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(rejected.body).toMatchObject({
      status,
      code,
      instance: '/v1/organizations',
      type: expect.stringContaining(`/docs/errors/${code}`),
    });
  });

  it('rejects JSON that it would change', async () => {
    const body = '{"name":"Acme","metadata":{"id":1546130668394913822,"a":1,"a":2}}';
    const rejected = await app.api.platform.raw('POST', '/v1/organizations', body, JSON_TYPE).expect(400);
    expect(rejected.body.errors.map(({ code }: FieldProblem) => code).toSorted()).toEqual(['duplicate_field', 'inexact_number']);
  });

  it.each(['?search=Zo%EB', '?search=%ED%A0%80', '?search=100%', '?%C3=1', '/%EB'])('rejects the URL %s', async (end) => {
    const rejected = await app.api.platform.get(`/v1/organizations${end}`).expect(400);
    expect(rejected.body.code).toBe('malformed_request');
  });

  it.each(['abc', 'A-1.b:c_d', 'x'.repeat(128)])('keeps the request id %s', async (id) => {
    const response = await app.api.anonymous.get('/v1/organizations', { headers: { 'x-request-id': id } }).expect(401);
    expect(response.headers.get('x-request-id')).toBe(id);
    expect(response.body.requestId).toBe(id);
  });

  it.each(['', 'a b', 'x'.repeat(129), '<script>'])('replaces the invalid request id %j', async (id) => {
    const response = await app.api.anonymous.get('/health/live', { headers: { 'x-request-id': id } }).expect(200);
    expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  });

  it('trusts X-Forwarded-For only from configured proxies', async () => {
    const proxied = await startApp({ ...app.config, trustProxy: ['loopback'] });
    const headers = { 'x-forwarded-for': '203.0.113.7:51234', 'user-agent': `\x9b${'u'.repeat(600)}` };
    await app.api.platform.post('/v1/organizations', { name: 'Direct' }, { headers }).expect(201);
    await proxied.api.platform.post('/v1/organizations', { name: 'Proxied' }, { headers }).expect(201);
    await proxied.close();
    const rows = await app.database.query<{ payload: string }>('SELECT payload FROM events ORDER BY seq DESC LIMIT 2');
    expect(rows.map(({ payload }) => JSON.parse(payload).metadata)).toMatchObject([
      { ipAddress: '203.0.113.7' },
      { ipAddress: '127.0.0.1', source: 'api', userAgent: 'u'.repeat(512) },
    ]);
  });

  it('serves only probes and metrics in the worker role', async () => {
    const worker = await startApp({ ...app.config, role: 'worker' });
    try {
      await worker.api.anonymous.get('/health/live').expect(200);
      expect((await worker.api.anonymous.get('/health/ready').expect(200)).body.status).toBe('ok');
      await worker.api.anonymous.get('/metrics').expect(200);
      for (const path of ['/v1/organizations', '/openapi.json', '/docs', '/health', '/health/live/..%2f..%2fv1/organizations'])
        expect((await worker.api.platform.get(path).expect(404)).body.code).toBe('route_not_found');
    } finally {
      await worker.close();
    }
  });

  it('serves the OpenAPI document, Swagger UI and the pages of error codes', async () => {
    const { body: document } = await app.api.anonymous.get('/openapi.json').expect(200);
    expect(document.servers).toEqual([{ url: app.config.baseUrl }]);
    expect(Object.keys(document.webhooks)).toHaveLength(EVENT_TYPES.length);
    expect((await app.api.anonymous.get('/docs').expect(200)).body).toContain('swagger-ui');
    // The browser must not store the API keys that people enter in Swagger UI.
    expect((await app.api.anonymous.get('/docs/swagger-ui-init.js').expect(200)).body).not.toContain('persistAuthorization');
    for (const code of ['no_such_code', '..%2f..%2fpackage', 'UPPER', '%00'])
      await app.api.anonymous.get(`/docs/errors/${code}`).expect(404);
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
      await made(app, at(org, '/users'), { email: newAddress(), metadata: { note: 'a text that repeats itself '.repeat(140) } });
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
        expect((await change(path, etag, 'second').expect(412)).body.code).toBe('precondition_failed');
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
