import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import type { PendingResponse, TestClient, TestResponse } from '../support/http-client.js';

/** The resources of one organization that paths can name. */
interface OrganizationFixture {
  id: string;
  slug: string;
  user: string;
  email: string;
  webhook: string;
  apiKey: string;
  role: string;
  /** A client with a key that has every scope in the organization. */
  client: TestClient;
  /** Texts that must never be in responses to callers of other organizations. */
  marks: string[];
}

const REVOCATION_LIMIT_MS = 1_000;

/** Inaccessible resources return the same response as nonexistent resources. */
describe('tenant isolation', () => {
  let app: TestApp;
  let acme: OrganizationFixture;
  let acmeSub: OrganizationFixture;
  let acmeSibling: OrganizationFixture;
  let globex: OrganizationFixture;

  const at = (organization: string, rest = ''): string => `/v1/organizations/${organization}${rest}`;
  const created = async (path: string, body: object) => (await app.api.platform.post(path, body).expect(201)).body.data;
  const keyWith = async (organization: string, scopes: string[]) => created(at(organization, '/api-keys'), { name: 'k', scopes });

  const createFixture = async (word: string, parentId?: string): Promise<OrganizationFixture> => {
    const { id, slug } = await created('/v1/organizations', { name: `${word} name`, slug: `${word}-slug`, parentId });
    const email = `${word}-person@example.com`;
    const user = (await created(at(id, '/users'), { email, firstName: `${word}-first`, metadata: { mark: `${word}-metadata` } }))
      .id;
    const webhook = (await created(at(id, '/webhooks'), { name: `${word}-hook`, url: 'https://example.com/', events: ['*'] })).id;
    const role = (await created(at(id, '/roles'), { name: `${word}-role`, permissions: [] })).id;
    const { id: apiKey, key } = await keyWith(id, ['*']);
    const marks = [id, `${word}-`, `${word} name`, user, webhook, apiKey];
    return { id, slug, user, email, webhook, apiKey, role, client: app.api.as(key), marks };
  };

  beforeAll(async () => {
    app = await startApp();
    acme = await createFixture('acmetop');
    acmeSub = await createFixture('acmesub', acme.id);
    acmeSibling = await createFixture('acmesibling', acme.id);
    globex = await createFixture('globex');
  });
  afterAll(() => app.close());

  /** Returns every operation with `pathOrganization` in the path and the ids of the resources of `target`. */
  const operations = (
    client: TestClient,
    pathOrganization: string,
    target: OrganizationFixture,
  ): [string, () => PendingResponse][] => {
    const rows: [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'Taken over' }],
      ['DELETE', ''],
      ['POST', '/suspend', { reason: 'r' }],
      ['POST', '/activate', {}],
      ['POST', '/restore', {}],
      ['GET', '/hierarchy'],
      ['GET', '/settings'],
      ['POST', '/settings/preview', { settings: { requireMfa: true } }],
      ['GET', '/users'],
      ['GET', `/users?email=${target.email}`],
      ['POST', '/users', { email: 'intruder@example.com' }],
      ['GET', `/users/${target.user}`],
      ['PATCH', `/users/${target.user}`, { firstName: 'Taken over' }],
      ['DELETE', `/users/${target.user}`],
      ['DELETE', `/users/${target.user}?permanent=true`],
      ['POST', `/users/${target.user}/suspend`, { reason: 'r' }],
      ['POST', `/users/${target.user}/roles`, { roleId: 'role_viewer' }],
      ['DELETE', `/users/${target.user}/roles/role_member`],
      ['GET', '/members'],
      ['POST', '/members', { userId: target.user, role: 'viewer' }],
      ['DELETE', `/members/${target.user}`],
      ['GET', '/roles'],
      ['GET', `/roles/${target.role}`],
      ['POST', '/roles', { name: 'intruder', permissions: [] }],
      ['PATCH', `/roles/${target.role}`, { description: 'Taken over' }],
      ['DELETE', `/roles/${target.role}`],
      ['POST', '/permissions/check', { userId: target.user, permission: 'users:read' }],
      ['GET', '/webhooks'],
      ['POST', '/webhooks', { url: 'https://example.com/', events: ['*'] }],
      ['GET', `/webhooks/${target.webhook}`],
      ['GET', `/webhooks/${target.webhook}/secret`],
      ['PATCH', `/webhooks/${target.webhook}`, { enabled: false }],
      ['DELETE', `/webhooks/${target.webhook}`],
      ['POST', `/webhooks/${target.webhook}/test`, { eventType: 'user.created' }],
      ['GET', '/api-keys'],
      ['POST', '/api-keys', { name: 'n', scopes: ['users:read'] }],
      ['GET', `/api-keys/${target.apiKey}`],
      ['POST', `/api-keys/${target.apiKey}/rotate`, {}],
      ['DELETE', `/api-keys/${target.apiKey}`],
    ];
    return rows.map(([method, rest, body]) => [
      `${method} ${at(pathOrganization, rest)}`,
      () =>
        client.raw(
          method,
          at(pathOrganization, rest),
          body && JSON.stringify(body),
          body ? { 'content-type': 'application/json' } : {},
        ),
    ]);
  };

  /** Returns the response without values that the caller sent or that differ in every request. */
  const comparableBody = ({ body }: TestResponse, sent: string[]): string =>
    [...sent, body?.requestId].reduce(
      (text: string, part) => (part ? text.split(part).join('…') : text),
      JSON.stringify(body ?? ''),
    );

  /** Returns all rows of all isolated tables, to check that rejected calls changed nothing. */
  const stateOf = async (fixture: OrganizationFixture): Promise<string> =>
    JSON.stringify(
      await Promise.all(
        [
          ['organizations', 'id'],
          ['users', 'organization_id'],
          ['memberships', 'organization_id'],
          ['role_assignments', 'organization_id'],
          ['roles', 'organization_id'],
          ['webhooks', 'organization_id'],
        ].map(([table, column]) =>
          app.database.query(`SELECT t::text FROM ${table} t WHERE ${column} = $1 ORDER BY 1`, [fixture.id]),
        ),
      ),
    );

  const expectNotFound = async (caller: OrganizationFixture, target: OrganizationFixture): Promise<void> => {
    const before = await stateOf(target);
    const absent = { id: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd', slug: 'no-such-organization' };
    for (const form of ['id', 'slug'] as const) {
      const unknown = operations(caller.client, absent[form], target);
      for (const [index, [name, call]] of operations(caller.client, target[form], target).entries()) {
        const response = await call();
        expect([name, response.status]).toEqual([name, 404]);
        const reference = await unknown[index]![1]();
        // The response is byte for byte the same as for a nonexistent organization.
        expect([name, comparableBody(response, [target.id, target.slug])]).toEqual([
          name,
          comparableBody(reference, [absent.id, absent.slug]),
        ]);
      }
    }
    expect(await stateOf(target)).toBe(before);
  };

  it('every operation on another tenant returns 404', async () => {
    await expectNotFound(acme, globex);
    await expectNotFound(globex, acme);
    await expectNotFound(globex, acmeSub);
  });

  it('a key of a child organization has no access to parent or siblings', async () => {
    await expectNotFound(acmeSub, acme);
    await expectNotFound(acmeSub, acmeSibling);
  });

  it('a key of an organization has access to descendants', async () => {
    for (const path of [
      '',
      '/users',
      `/users/${acmeSub.user}`,
      '/members',
      '/webhooks',
      `/webhooks/${acmeSub.webhook}`,
      '/api-keys',
    ]) {
      await acme.client.get(at(acmeSub.id, path)).expect(200);
      await acme.client.get(at(acmeSub.slug, path)).expect(200);
    }
  });

  it('a request for a resource of another organization returns 404', async () => {
    for (const [caller, target] of [
      [acme, globex],
      [acmeSub, acme],
      [acmeSub, acmeSibling],
      // The caller has access to the child organization, but the path names the parent.
      [acme, acmeSub],
    ] as const) {
      const before = await stateOf(target);
      const foreign = operations(caller.client, caller.id, target).filter(([name]) =>
        [target.user, target.webhook, target.apiKey].some((id) => name.includes(id)),
      );
      expect(foreign).toHaveLength(16);
      for (const [name, call] of foreign) {
        const response = await call();
        expect([name, response.status]).toEqual([name, 404]);
        for (const mark of target.marks.filter((text) => !name.includes(text)))
          expect(comparableBody(response, [])).not.toContain(mark);
      }
      expect(await stateOf(target)).toBe(before);
    }
  });

  it('a body that contains an id of another tenant is rejected', async () => {
    for (const target of [globex, acmeSibling]) {
      const { client, id, user } = acmeSub;
      const before = await stateOf(target);
      const calls: [PendingResponse, number[]][] = [
        [client.post(at(id, '/members'), { userId: target.user }), [404]],
        [client.post(at(id, '/members'), { userId: user, role: target.role }), [404]],
        [client.post(at(id, `/users/${user}/roles`), { roleId: target.role }), [404]],
        [client.delete(at(id, `/users/${user}/roles/${target.role}`)), [404]],
        [client.get(at(id, `/roles/${target.role}`)), [404]],
        [client.patch(at(id, `/roles/${target.role}`), { description: 'x' }), [404]],
        [client.delete(at(id, `/roles/${target.role}`)), [404]],
        [client.post(at(id, '/users'), { email: 'new@example.com', roles: [target.role] }), [400, 404]],
        [client.patch(at(id), { settings: { defaultRole: target.role } }), [400, 404]],
        [client.post('/v1/organizations', { name: 'Child of another tenant', parentId: target.id }), [400, 404]],
        [client.post('/v1/organizations', { name: 'Child of another tenant', parentId: target.slug }), [400, 404]],
        [client.patch(at(id), { parentId: target.id }), [400]],
        [client.get(`/v1/organizations?parentId=${target.id}`), [200, 404]],
      ];
      for (const [call, statuses] of calls) {
        const response = await call;
        expect(statuses).toContain(response.status);
        if (response.status === 200) expect(response.body).toMatchObject({ data: [], pagination: { total: 0 } });
        for (const mark of target.marks.slice(1))
          expect(comparableBody(response, [target.id, target.slug, target.user])).not.toContain(mark);
      }
      expect(await stateOf(target)).toBe(before);
    }
  });

  it('/v1/webhooks returns only webhooks of the caller’s organizations', async () => {
    const { data, pagination } = (await acmeSub.client.get('/v1/webhooks').expect(200)).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([acmeSub.webhook]);
    expect(pagination.total).toBe(1);
    const webhooks = (await acme.client.get('/v1/webhooks').expect(200)).body;
    expect(webhooks.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [acme.webhook, acmeSub.webhook, acmeSibling.webhook].toSorted(),
    );
    for (const target of [globex, acme, acmeSibling]) {
      await acmeSub.client.get(`/v1/webhooks/${target.webhook}`).expect(404);
      await acmeSub.client.patch(`/v1/webhooks/${target.webhook}`, { enabled: false }).expect(404);
      await acmeSub.client.delete(`/v1/webhooks/${target.webhook}`).expect(404);
    }
    const { body, status } = await acme.client.get(`/v1/webhooks?after=${globex.webhook}`);
    expect([200, 400]).toContain(status);
    for (const mark of globex.marks.filter((text) => text !== globex.webhook)) expect(JSON.stringify(body)).not.toContain(mark);
  });

  it('no response contains data of another tenant', async () => {
    const paths = ['/v1/organizations?limit=100', '/v1/organizations?search=slug', '/v1/webhooks?limit=100'];
    const own = ['', '/hierarchy', '/users', '/members', '/roles', '/webhooks', '/api-keys'];
    for (const [caller, hidden] of [
      [acme, [globex]],
      [globex, [acme, acmeSub, acmeSibling]],
      [acmeSub, [globex, acmeSibling]],
    ] as const) {
      for (const path of [...paths, ...own.map((rest) => at(caller.id, rest)), at(caller.id, `/users/${caller.user}`)]) {
        const text = JSON.stringify((await caller.client.get(path).expect(200)).body);
        for (const mark of hidden.flatMap(({ marks }) => marks)) expect([path, text.includes(mark)]).toEqual([path, false]);
      }
    }
    // Roles of the parent can be assigned in child organizations; nothing else of the parent is visible.
    for (const path of [...paths, at(acmeSub.id, '/users'), at(acmeSub.id, '/members'), at(acmeSub.id, '/webhooks')]) {
      const text = JSON.stringify((await acmeSub.client.get(path).expect(200)).body)
        .split(`"parentId":"${acme.id}"`)
        .join('');
      for (const mark of acme.marks) expect([path, text.includes(mark)]).toEqual([path, false]);
    }
  });

  it('the response for a user lists only organizations that the caller can access', async () => {
    const userOrganization = await createFixture('home');
    const child = await createFixture('homesub', userOrganization.id);
    const unrelated = await createFixture('away');
    await app.api.platform.post(at(child.id, '/members'), { userId: userOrganization.user }).expect(201);
    await app.api.platform.post(at(unrelated.id, '/members'), { userId: userOrganization.user }).expect(201);
    const visibleOrganizations = async (caller: OrganizationFixture, pathOrganization: OrganizationFixture): Promise<string[]> =>
      (await caller.client.get(at(pathOrganization.id, `/users/${userOrganization.user}`)).expect(200)).body.data.organizations
        .map(({ id }: { id: string }) => id)
        .toSorted();
    expect(await visibleOrganizations(child, child)).toEqual([child.id]);
    expect(await visibleOrganizations(userOrganization, userOrganization)).toEqual([userOrganization.id, child.id].toSorted());
    expect(await visibleOrganizations(unrelated, unrelated)).toEqual([unrelated.id]);
  });

  it.each([
    ['users:read', 'GET', '/users', undefined],
    ['users:write', 'POST', '/users', { email: 'scope@example.com' }],
    ['users:delete', 'DELETE', '/users/USER', undefined],
    ['organizations:read', 'GET', '', undefined],
    ['organizations:write', 'PATCH', '', { name: 'N' }],
    ['organizations:delete', 'DELETE', '', undefined],
    ['members:read', 'GET', '/members', undefined],
    ['members:write', 'DELETE', '/members/USER', undefined],
    ['roles:read', 'GET', '/roles', undefined],
    ['roles:write', 'POST', '/roles', { name: 'n', permissions: [] }],
    ['webhooks:read', 'GET', '/webhooks', undefined],
    ['webhooks:write', 'POST', '/webhooks', { url: 'https://example.com', events: ['*'] }],
    ['webhooks:write', 'POST', '/webhooks/WEBHOOK/test', { eventType: 'user.created' }],
    ['api_keys:read', 'GET', '/api-keys', undefined],
    ['api_keys:write', 'POST', '/api-keys', { name: 'n', scopes: [] }],
  ])('requires %s for %s /v1/organizations/:org%s', async (scope, method, rest, body) => {
    const resources = ['users', 'organizations', 'members', 'roles', 'webhooks', 'api_keys'];
    const scopes = [...resources.flatMap((name) => [`${name}:read`, `${name}:write`]), 'users:delete', 'organizations:delete'];
    const otherScopes = scopes.filter((other) => other !== scope);
    const client = app.api.as((await keyWith(globex.id, otherScopes)).key);
    const path = at(globex.id, rest.replace('USER', globex.user).replace('WEBHOOK', globex.webhook));
    const type: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
    const rejected = await client.raw(method, path, body && JSON.stringify(body), type).expect(403);
    expect(rejected.body).toMatchObject({ code: 'forbidden', status: 403 });
    expect(rejected.body.detail).toContain(scope);
    // Inaccessible resources return 404, even if a permission is missing.
    await client.raw(method, path.replace(globex.id, acme.id), body && JSON.stringify(body), type).expect(404);
  });

  describe('a revoked API key', () => {
    let second: TestApp;

    beforeAll(async () => {
      const { databaseUrl, secretsKeys } = app.config;
      second = await startApp({ databaseUrl, secretsKeys, platformApiKey: app.platformKey });
    });
    afterAll(() => second.close());

    it('is rejected by every instance within a second', async () => {
      const { id, key } = await keyWith(globex.id, ['*']);
      for (const instance of [app, second]) await instance.api.as(key).get(at(globex.id)).expect(200);

      await app.api.platform.delete(at(globex.id, `/api-keys/${id}`)).expect(204);

      await app.api.as(key).get(at(globex.id)).expect(401);
      const deadline = Date.now() + REVOCATION_LIMIT_MS;
      // A request that is sent after the deadline must be rejected, even if its response is slow.
      for (let sentAt = Date.now(); (await second.api.as(key).get(at(globex.id))).status !== 401; sentAt = Date.now()) {
        expect(sentAt).toBeLessThan(deadline);
        await sleep(10);
      }
      await second.api.as(key).get(at(globex.id)).expect(401);
    });

    it('is rejected by every instance after the organization was deleted', async () => {
      const doomed = await createFixture('doomed');
      const { key } = await keyWith(doomed.id, ['*']);
      for (const instance of [app, second]) await instance.api.as(key).get(at(doomed.id)).expect(200);
      await app.api.platform.delete(at(doomed.id)).expect(204);
      for (const instance of [app, second]) expect([401, 404]).toContain((await instance.api.as(key).get(at(doomed.id))).status);
      await sleep(REVOCATION_LIMIT_MS);
      for (const instance of [app, second]) await instance.api.as(key).get('/v1/organizations').expect(401);
    });
  });
});
