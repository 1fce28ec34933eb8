import { describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { made, newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

describe('the ETag check', () => {
  const app = testApp();

  /** `crud-rules.spec.ts` tests the resources of every collection. */
  const newRole = async (): Promise<string> => {
    const path = `/v1/organizations/${(await newOrganization(app)).id}/roles`;
    return `${path}/${(await made(app, path, { name: 'billing' })).id}`;
  };
  const create = {
    'webhook at the short path': async () => {
      const webhook = { url: 'http://127.0.0.1:9/hook', events: ['*'] };
      return `/v1/webhooks/${(await made(app, `/v1/organizations/${(await newOrganization(app)).id}/webhooks`, webhook)).id}`;
    },
    organization: async () => `/v1/organizations/${(await newOrganization(app)).id}`,
  };

  it.each(Object.entries(create))('rejects a change of the %s if the version is stale', async (_, create) => {
    const path = await create();
    const etag = (await app.api.platform.get(path).expect(200)).headers.get('etag')!;
    const change = (ifMatch: string, name: string) =>
      app.api.platform.patch(path, { name }, { headers: { 'if-match': ifMatch } });
    const current = (await change(etag, 'first').expect(200)).headers.get('etag')!;
    expect((await change(etag, 'second').expect(412)).body.code).toBe('precondition_failed');
    const after = await app.api.platform.get(path).expect(200);
    expect([after.body.data.name, after.headers.get('etag')]).toEqual(['first', current]);
    await app.api.platform.delete(path, undefined, { headers: { 'if-match': etag } }).expect(412);
    await app.api.platform.delete(path, undefined, { headers: { 'if-match': current } }).expect(204);
  });

  it.each(['*', '"1", "2", "3", "4"'])('accepts the If-Match header %s for the current version', async (ifMatch) => {
    await app.api.platform.patch(await newRole(), { description: ifMatch }, { headers: { 'if-match': ifMatch } }).expect(200);
  });

  it('returns 304 if the caller has the current version', async () => {
    const path = await newRole();
    // fetch would add `Cache-Control: no-cache`.
    const ask = async (method: 'GET' | 'HEAD', headers: Record<string, string> = {}) => {
      const all = { authorization: `Bearer ${app.platformKey}`, ...headers };
      const response = await request(`${app.url}${path}`, { method, headers: all });
      return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
    };
    const full = await ask('GET');
    const { etag, 'content-length': length } = full.headers;
    expect([full.headers['content-type'], length]).toEqual([
      'application/json; charset=utf-8',
      String(Buffer.byteLength(full.text)),
    ]);
    expect(await ask('GET', { 'if-none-match': String(etag) })).toMatchObject({ status: 304, text: '', headers: { etag } });
    expect(await ask('GET', { 'if-none-match': '"0"' })).toMatchObject({ status: 200, text: full.text });
    expect(await ask('HEAD')).toMatchObject({ status: 200, text: '', headers: { etag, 'content-length': length } });
  });

  it('accepts only one of several concurrent changes of a version', async () => {
    const path = await newRole();
    const etag = (await app.api.platform.get(path).expect(200)).headers.get('etag')!;
    const responses = await Promise.all(
      ['a', 'b', 'c', 'd'].map((description) => app.api.platform.patch(path, { description }, { headers: { 'if-match': etag } })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });
});
