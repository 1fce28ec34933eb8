import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import type { TestClient } from '../support/http-client.js';
import { testApp } from '../support/test-app.js';

interface OrganizationFixture {
  id: string;
  user: string;
  /** A client with a key that has every scope in the organization. */
  client: TestClient;
}

const REVOCATION_LIMIT_MS = 1_000;

/** Inaccessible resources return the same response as nonexistent resources. */
describe('tenant isolation', () => {
  const app = testApp();

  const at = (organization: string, rest = ''): string => `/v1/organizations/${organization}${rest}`;
  const created = async (path: string, body: object) => (await app.api.platform.post(path, body).expect(201)).body.data;
  const keyWith = async (organization: string, scopes: string[]) => created(at(organization, '/api-keys'), { name: 'k', scopes });

  const createFixture = async (name: string, parentId?: string): Promise<OrganizationFixture> => {
    const { id } = await created('/v1/organizations', { name, parentId });
    const user = (await created(at(id, '/users'), { email: `${name}@example.com` })).id;
    return { id, user, client: app.api.as((await keyWith(id, ['*'])).key) };
  };

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
