import { describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { made, newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';

describe('the ETag check', () => {
  const app = testApp();

  /** Creates a resource in a new organization. Returns the path of the resource. */
  async function newIn(collection: string, body: object): Promise<string> {
    const path = `/v1/organizations/${(await newOrganization(app)).id}/${collection}`;
    return `${path}/${(await made(app, path, body)).id}`;
  }
  const newWebhook = () => newIn('webhooks', { url: 'http://127.0.0.1:9/hook', events: ['*'] });
  const create = {
    'identity provider': () => newIn('identity-providers', { name: 'Login', issuer: 'https://login.example.com', clientId: 'a' }),
    'webhook at the short path': async () => (await newWebhook()).replace(/organizations\/\w+\//, ''),
    webhook: newWebhook,
    role: () => newIn('roles', { name: 'billing' }),
    user: () => newIn('users', { email: 'ada@example.com' }),
    organization: async () => `/v1/organizations/${(await newOrganization(app)).id}`,
  };
  type Kind = keyof typeof create;
  const kinds = Object.keys(create) as Kind[];
  const change = (kind: Kind, value: string) => (kind === 'user' ? { firstName: value } : { name: value });

  it.each(kinds)('rejects a change of the %s if the version is stale', async (kind) => {
    const path = await create[kind]();
    const read = await app.api.platform.get(path).expect(200);
    const etag = read.headers.get('etag')!;
    expect(etag).toMatch(/^"\d+"$/);
    const matching = await app.api.platform.patch(path, change(kind, `${kind} 1`), { headers: { 'if-match': etag } }).expect(200);
    expect(matching.headers.get('etag')).not.toBe(etag);

    const stale = await app.api.platform.patch(path, change(kind, `${kind} 2`), { headers: { 'if-match': etag } }).expect(412);
    expect(stale.body).toMatchObject({ code: 'precondition_failed', status: 412 });
    const after = await app.api.platform.get(path).expect(200);
    expect(after.body.data).toMatchObject(change(kind, `${kind} 1`));
    expect(after.headers.get('etag')).toBe(matching.headers.get('etag'));
    await app.api.platform.delete(path, undefined, { headers: { 'if-match': etag } }).expect(412);
  });

  it.each(['*', '"1", "2", "3", "4"'])('accepts the If-Match header %s for the current version', async (ifMatch) => {
    await app.api.platform.patch(await create.role(), { description: ifMatch }, { headers: { 'if-match': ifMatch } }).expect(200);
  });

  it('returns 304 if the caller has the current version', async () => {
    const path = await create.role();
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
    const path = await create.user();
    const etag = (await app.api.platform.get(path).expect(200)).headers.get('etag')!;
    const responses = await Promise.all(
      ['a', 'b', 'c', 'd'].map((firstName) => app.api.platform.patch(path, { firstName }, { headers: { 'if-match': etag } })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  it.each(kinds.filter((kind) => kind !== 'webhook at the short path'))(
    'allows the deletion of the %s if the version is current',
    async (kind) => {
      const path = await create[kind]();
      const etag = (await app.api.platform.get(path).expect(200)).headers.get('etag')!;
      await app.api.platform.delete(path, undefined, { headers: { 'if-match': etag } }).expect(204);
    },
  );
});
