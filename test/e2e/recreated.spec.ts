import { describe, expect, it } from '@jest/globals';
import { OrganizationPurgeService } from '#directory/organizations';
import { at, made, newOrganization, read } from '../support/organizations.js';
import { activeUser, later, login, mailedToken, PASSWORD, sessionToken } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const MONTH_MS = 31 * 86_400_000;
const EMAIL = 'ada@example.com';
const OTHER_PASSWORD = 'harbor meadow cobalt thunder';

/** Credentials and links of a deleted user or organization must not work for a new user or organization with its name. */
describe('a recreated resource', () => {
  const app = testApp();

  /** Creates an organization with a user, a key and emailed links. */
  async function usedOrganization(slug: string) {
    const { id } = await newOrganization(app, { slug });
    const user = await activeUser(app, slug, { email: EMAIL, roles: ['admin'] });
    const session = await sessionToken(app, slug, EMAIL);
    const { key } = await made(app, at(slug, '/api-keys'), { name: 'k', scopes: ['*'] });
    await app.api.anonymous.post('/v1/auth/forgot-password', { organization: slug, email: EMAIL }).expect(202);
    const reset = await mailedToken(app, EMAIL, 'password_reset');
    for (const credential of [key, session]) await app.api.as(credential).get(at(slug)).expect(200);
    return { id, userId: user.id as string, session, key: key as string, reset };
  }

  /** Expects that every path returns 401 for the previous credentials. */
  async function expectUnauthenticated({ session, key }: { session: string; key?: string }, slug: string): Promise<void> {
    for (const credential of key === undefined ? [session] : [session, key])
      for (const path of [`/v1/organizations/${slug}`, `/v1/organizations/${slug}/users`, '/v1/auth/me'])
        expect([path, (await app.api.as(credential).get(path)).status]).toEqual([path, 401]);
  }

  it('does not reactivate credentials of a purged organization', async () => {
    const before = await usedOrganization('phoenix');
    await app.api.platform.delete('/v1/organizations/phoenix').expect(204);
    await expectUnauthenticated(before, 'phoenix');
    const taken = await app.api.platform.post('/v1/organizations', { name: 'Second', slug: 'phoenix' }).expect(409);
    const [{ restorableUntil }] = await read(app, '/v1/organizations?status=deleted');
    const reason = `deleted organization ${before.id}, which can be restored until ${restorableUntil}`;
    expect(taken.body).toMatchObject({ code: 'slug_taken', detail: expect.stringContaining(reason) });
    await later(app, MONTH_MS, () => app.app.get(OrganizationPurgeService).purgeDue());

    const { id } = await newOrganization(app, { slug: 'phoenix' });
    expect(id).not.toBe(before.id);
    await expectUnauthenticated(before, 'phoenix');
    await login(app, 'phoenix', EMAIL).expect(401);
    await activeUser(app, 'phoenix', { email: EMAIL, password: OTHER_PASSWORD });
    await expectUnauthenticated(before, 'phoenix');
    await login(app, 'phoenix', EMAIL, PASSWORD).expect(401);
    await app.api.anonymous.post('/v1/auth/reset-password', { token: before.reset, password: PASSWORD }).expect(400);
    await login(app, 'phoenix', EMAIL, OTHER_PASSWORD).expect(200);
    await app.api.platform.get(`/v1/organizations/phoenix/users/${before.userId}`).expect(404);
  });

  it('does not reactivate credentials of a permanently deleted user', async () => {
    const before = await usedOrganization('griffin');
    const users = '/v1/organizations/griffin/users';
    await app.api.platform.delete(`${users}/${before.userId}?permanent=true`).expect(204);
    await expectUnauthenticated({ session: before.session }, 'griffin');

    const again = await activeUser(app, 'griffin', { email: EMAIL, password: OTHER_PASSWORD });
    expect(again.id).not.toBe(before.userId);
    await expectUnauthenticated({ session: before.session }, 'griffin');
    await login(app, 'griffin', EMAIL, PASSWORD).expect(401);
    await app.api.anonymous.post('/v1/auth/reset-password', { token: before.reset, password: PASSWORD }).expect(400);
    const session = await sessionToken(app, 'griffin', EMAIL, OTHER_PASSWORD);
    expect((await app.api.as(session).get('/v1/auth/me').expect(200)).body.data.id).toBe(again.id);
    expect((await read(app, `${users}/${again.id}`)).roles).toMatchObject([{ name: 'member' }]);
  });
});
