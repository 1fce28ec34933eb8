import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { generatedDocument, type Operation } from '../support/operations.js';
import { newOrganization } from '../support/organizations.js';
import { ResponseSchemas } from '../support/response-schemas.js';
import { testApp } from '../support/test-app.js';
import { type Collection, COLLECTIONS } from './crud-resources.js';
import { requiredQuery, smallestBody } from './request-bodies.js';

const document = await generatedDocument();
const schemas = new ResponseSchemas(document);

const hasParameter = (operation: Operation, wanted: string): boolean => operation.parameters.some(({ name }) => name === wanted);
const withPages = COLLECTIONS.filter(({ list }) => hasParameter(list, 'after'));
const versioned = COLLECTIONS.filter(({ update }) => update && hasParameter(update, 'If-Match'));

/** Fields that only the response to the creation contains, or that change with time. */
const ONLY_AT_CREATION = /^(?:key|secret|url|record)$/;
const changeOf = ({ collection }: Collection, name: string) => (collection === 'users' ? { firstName: name } : { name });

/** The rules that hold for every resource of an organization. The access matrix and `bad-input.spec.ts` have the other rules. */
describe('every collection of an organization', () => {
  const app = testApp();
  let shared: string;
  beforeAll(async () => {
    shared = (await newOrganization(app)).id;
  });

  const pathOf = (organization: string, { collection }: Collection): string => `/v1/organizations/${organization}/${collection}`;
  const bodyOf = (operation: Operation): TestBody =>
    smallestBody(document, operation.body!.schema, { organization: shared, user: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' });
  const create = (where: string, resource: Collection): PendingResponse =>
    app.api.platform.post(pathOf(where, resource), bodyOf(resource.create));
  const created = async (where: string, resource: Collection): Promise<string> =>
    `${pathOf(where, resource)}/${(await create(where, resource).expect(201)).body.data.id}`;
  const removal = ({ collection }: Collection): string => (collection === 'users' ? '?permanent=true' : '');
  const expectDocumented = (operation: Operation, { status, body }: Awaited<PendingResponse>): void =>
    expect([operation.id, schemas.problemsOfResponse(operation, status, 'application/json', body)]).toEqual([operation.id, []]);

  it('is found in the OpenAPI document', () => {
    expect(COLLECTIONS.map(({ collection }) => collection)).toEqual(expect.arrayContaining(['domains', 'users', 'webhooks']));
    expect(COLLECTIONS.length).toBeGreaterThanOrEqual(9);
  });

  it.each(COLLECTIONS)('creates, returns, changes and deletes one of $collection, with one event each', async (resource) => {
    let path = '';
    const change = changeOf(resource, 'changed');
    const events = await eventsDuring(app, async () => {
      const response = await create(shared, resource).expect(201);
      expectDocumented(resource.create, response);
      path = `${pathOf(shared, resource)}/${response.body.data.id}`;
      const read = await app.api.platform.get(path).expect(200);
      expectDocumented(resource.get, read);
      for (const [name, value] of Object.entries(response.body.data))
        if (!ONLY_AT_CREATION.test(name)) expect([name, read.body.data[name]]).toEqual([name, value]);
      const listed = await app.api.platform.get(pathOf(shared, resource)).expect(200);
      expectDocumented(resource.list, listed);
      if (resource.update) {
        const updated = await app.api.platform.patch(path, change).expect(200);
        expectDocumented(resource.update, updated);
        // A change without effect publishes nothing.
        expect(await eventsDuring(app, () => app.api.platform.patch(path, change).expect(200))).toEqual([]);
      }
      expect((await app.api.platform.delete(path + removal(resource)).expect(204)).body).toBeUndefined();
    });
    expect(events.map(({ type }) => type)).toHaveLength(resource.update ? 3 : 2);
    for (const { organization } of events) expect(organization.id).toBe(shared);
    for (const { method, path: template } of [resource.get, resource.update, resource.delete].filter(
      (each) => each !== undefined,
    )) {
      const rejected = await app.api.platform.request(method, path, method === 'PATCH' ? change : undefined);
      expect([template, rejected.status, rejected.body?.code]).toEqual([template, 404, expect.stringMatching(/_not_found$/)]);
    }
  });

  it.each(withPages)('lists $collection newest first, by page number and by cursor', async (resource) => {
    const where = (await newOrganization(app)).id;
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await create(where, resource).expect(201)).body.data.id);
    const page = async (query: string): Promise<TestBody> =>
      (await app.api.platform.get(`${pathOf(where, resource)}?${query}`).expect(200)).body;
    const idsOf = ({ data }: TestBody): string[] => data.map(({ id }: TestBody) => id);
    const all = await page('');
    expect(idsOf(all)).toEqual(ids);
    expect(all.pagination).toEqual({ total: 5, page: 1, limit: 20, hasMore: false });
    for (const number of [1, 2, 3]) {
      const byPage = await page(`limit=2&page=${number}`);
      expect(idsOf(byPage)).toEqual(ids.slice(number * 2 - 2, number * 2));
      expect(byPage.pagination).toEqual({ total: 5, page: number, limit: 2, hasMore: number < 3 });
      if (number > 1) expect(await page(`limit=2&after=${ids[number * 2 - 3]}`)).toEqual(byPage);
    }
    expect(await page('limit=2&page=4')).toEqual({ data: [], pagination: { total: 5, page: 4, limit: 2, hasMore: false } });
    for (const after of ['nothing', 'org_01kf2b7m9ze4k8s1t6w3a5y0pd'])
      expect((await app.api.platform.get(`${pathOf(where, resource)}?after=${after}`).expect(400)).body.code).toBe(
        'invalid_cursor',
      );
    await app.api.platform.get(`${pathOf(where, resource)}?page=1&after=${ids[0]}`).expect(400);
  });

  it.each(versioned)('rejects a change of one of $collection if the version is stale', async (resource) => {
    const path = await created(shared, resource);
    const etag = (await app.api.platform.get(path).expect(200)).headers.get('etag')!;
    expect(etag).toMatch(/^"\d+"$/);
    const change = (ifMatch: string) =>
      app.api.platform.patch(path, changeOf(resource, `with ${ifMatch}`), { headers: { 'if-match': ifMatch } });
    const current = (await change(etag).expect(200)).headers.get('etag')!;
    expect(current).not.toBe(etag);
    for (const rejected of [change(etag), app.api.platform.delete(path, undefined, { headers: { 'if-match': etag } })])
      expect((await rejected.expect(412)).body.code).toBe('precondition_failed');
    expect((await app.api.platform.get(path).expect(200)).headers.get('etag')).toBe(current);
    await app.api.platform.delete(path, undefined, { headers: { 'if-match': current } }).expect(204);
  });

  it.each(COLLECTIONS)('returns 404 for one of $collection in an ancestor, a sibling and another tenant', async (resource) => {
    const parentId = (await newOrganization(app)).id;
    const own = (await newOrganization(app, { parentId })).id;
    const id = (await created(own, resource)).split('/').at(-1)!;
    for (const place of [parentId, (await newOrganization(app, { parentId })).id, (await newOrganization(app)).id]) {
      for (const operation of resource.ofOne) {
        const path = operation.path
          .replace('{org}', place)
          .replace(/\{\w+\}/, id)
          .replaceAll(/\{\w+\}/g, 'role_viewer');
        const query = requiredQuery(operation);
        const body = operation.body && bodyOf(operation);
        const { status } = await app.api.platform.request(operation.method, `${path}?${query}`, body);
        expect([operation.id, status]).toEqual([operation.id, 404]);
      }
    }
    await app.api.platform.get(`${pathOf(own, resource)}/${id}`).expect(200);
  });
});
