import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import type { PendingResponse, TestClient, TestResponse } from '../support/http-client.js';
import { testApp } from '../support/test-app.js';

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
  const app = testApp();
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
    acme = await createFixture('acmetop');
    acmeSub = await createFixture('acmesub', acme.id);
    acmeSibling = await createFixture('acmesibling', acme.id);
    globex = await createFixture('globex');
  });

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

  describe('a revoked API key', () => {
    let second: TestApp;

    beforeAll(async () => {
      const { databaseUrl, secretsKeys } = app.config;
      second = await startApp({ databaseUrl, secretsKeys, platformApiKey: app.platformKey });
    });
    afterAll(() => second.close());

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
