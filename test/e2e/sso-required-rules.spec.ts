import { describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody, TestClient } from '../support/http-client.js';
import { identityProvider, linkIdentity } from '../support/oidc.js';
import { made, newOrganization, read } from '../support/organizations.js';
import { startScriptedProvider } from '../support/scripted-identity-provider.js';
import { activeUser, becomeStale, login } from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';

describe('the setting ssoRequired', () => {
  const app = testApp();
  const provider = testServer(startScriptedProvider);
  let counter = 0;

  const at = ({ id }: TestBody, rest = ''): string => `/v1/organizations/${id}${rest}`;
  const set = (org: TestBody, ssoRequired: boolean | null, client: TestClient = app.api.platform): PendingResponse =>
    client.patch(at(org), { settings: { ssoRequired } });
  const lock = (org: TestBody, lockedSettings: string[], client: TestClient = app.api.platform): PendingResponse =>
    client.patch(at(org), { lockedSettings });
  const child = (org: TestBody): Promise<TestBody> => newOrganization(app, { parentId: org.id });
  const addProvider = (org: TestBody, fields: object = {}): Promise<TestBody> =>
    identityProvider(app, org.id, provider.issuer, { trustedDomains: [`rules-${++counter}.example`], ...fields });
  const providerPath = (org: TestBody, { id }: TestBody): string => at(org, `/identity-providers/${id}`);
  const newOrganizationWithProvider = async (): Promise<{ org: TestBody; idp: TestBody; inner: TestBody }> => {
    const org = await newOrganization(app);
    return { org, idp: await addProvider(org), inner: await child(org) };
  };
  const effective = async (org: TestBody): Promise<boolean> => (await read(app, at(org, '/settings'))).ssoRequired.value;
  /** Returns a client with a session of the provider, of a user with a role of the organization. */
  const sessionOf = async (org: TestBody, role: string): Promise<TestClient> =>
    (await signedIn(app, org.id, { roles: [role], methods: ['oidc'] })).client;
  const codeOf = async (response: PendingResponse): Promise<[number, string | undefined]> => {
    const { status, body } = await response;
    return [status, body?.code];
  };

  describe('needs an identity provider', () => {
    it('of the organization or an ancestor, enabled and trusted for a domain', async () => {
      const org = await newOrganization(app);
      const inner = await child(org);
      await set(inner, true).expect(409, 'sso_provider_missing', `"${inner.name}" (${inner.id})`);
      await addProvider(inner, { trustedDomains: [] });
      await addProvider(inner, { enabled: false });
      await addProvider(await child(inner));
      await addProvider(await child(org));
      expect(await codeOf(set(inner, true))).toEqual([409, 'sso_provider_missing']);
      const preview = app.api.platform.post(at(inner, '/settings/preview'), { settings: { ssoRequired: true } });
      expect(await codeOf(preview)).toEqual([409, 'sso_provider_missing']);
      const create = { name: 'New', parentId: inner.id, settings: { ssoRequired: true } };
      expect(await codeOf(app.api.platform.post('/v1/organizations', create))).toEqual([409, 'sso_provider_missing']);
      await addProvider(org);
      await set(inner, true).expect(200);
      expect([await effective(inner), await effective(org)]).toEqual([true, false]);
      await made(app, '/v1/organizations', create);
    });

    it('when an unlocked setting applies to a descendant again', async () => {
      const { org, inner } = await newOrganizationWithProvider();
      const idp = await addProvider(inner);
      await set(inner, true).expect(200);
      await lock(org, ['ssoRequired']).expect(200);
      expect(await effective(inner)).toBe(false);
      const [first] = await read(app, at(org, '/identity-providers'));
      await app.api.platform.delete(providerPath(inner, idp)).expect(204);
      await app.api.platform.delete(providerPath(org, first)).expect(204);
      await lock(org, []).expect(409, 'sso_provider_missing', `"${inner.name}" (${inner.id})`);
      await addProvider(org);
      await lock(org, []).expect(200);
      expect(await effective(inner)).toBe(true);
    });

    it('so the last one cannot be deleted, disabled or made untrusted', async () => {
      const { org, idp, inner } = await newOrganizationWithProvider();
      await set(inner, true).expect(200);
      const path = providerPath(org, idp);
      const changes = [{ enabled: false }, { trustedDomains: [] }];
      const removals = (): PendingResponse[] => [
        app.api.platform.delete(path),
        ...changes.map((change) => app.api.platform.patch(path, change)),
      ];
      const events = await eventsDuring(app, async () => {
        for (const removal of removals())
          await removal.expect(409, 'identity_provider_required', `"${inner.name}" (${inner.id})`);
      });
      expect(events).toEqual([]);
      await app.api.platform.patch(path, { name: 'Renamed' }).expect(200);
      const other = await addProvider(inner);
      await app.api.platform.patch(path, { enabled: false }).expect(200);
      await app.api.platform.delete(path).expect(204);
      expect(await codeOf(app.api.platform.delete(providerPath(inner, other)))).toEqual([409, 'identity_provider_required']);
      await set(inner, null).expect(200);
      await app.api.platform.delete(providerPath(inner, other)).expect(204);
    });

    it('after concurrent changes, too', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { org, idp, inner } = await newOrganizationWithProvider();
        const statuses = await Promise.all([set(inner, true), app.api.platform.delete(providerPath(org, idp))]);
        expect([
          [200, 409],
          [409, 204],
        ]).toContainEqual(statuses.map(({ status }) => status));
      }
    });
  });

  describe('can be changed only with all permissions', () => {
    it('in both directions, and by a lock that changes it for a descendant', async () => {
      const { org, inner } = await newOrganizationWithProvider();
      const [admin, owner] = [await sessionOf(org, 'admin'), await sessionOf(org, 'owner')];
      expect(await codeOf(set(org, true, admin))).toEqual([403, 'forbidden']);
      // An override that changes nothing today would exempt the organization from a later change of an ancestor.
      expect(await codeOf(set(inner, false, admin))).toEqual([403, 'forbidden']);
      await set(org, true, owner).expect(200);
      for (const value of [false, null]) expect(await codeOf(set(org, value, admin))).toEqual([403, 'forbidden']);
      await set(inner, false, owner).expect(200);
      expect(await codeOf(lock(org, ['ssoRequired'], admin))).toEqual([403, 'forbidden']);
      await lock(org, ['ssoRequired'], owner).expect(200);
      expect(await codeOf(lock(org, [], admin))).toEqual([403, 'forbidden']);
      expect(await codeOf(set(inner, false, owner))).toEqual([422, 'setting_locked']);
      await app.api.platform.patch(at(org), { description: 'Still editable' }).expect(200);
      await admin.patch(at(org), { description: 'By an administrator', settings: { sessionTimeout: 600 } }).expect(200);
      expect([await effective(org), await effective(inner)]).toEqual([true, true]);
    });

    it('after a recent sign-in', async () => {
      const { org, inner } = await newOrganizationWithProvider();
      const owner = await sessionOf(org, 'owner');
      await set(org, true, owner).expect(200);
      await set(inner, false, owner).expect(200);
      await becomeStale(app);
      expect(await codeOf(set(org, false, owner))).toEqual([401, 'reauthentication_required']);
      expect(await codeOf(lock(org, ['ssoRequired'], owner))).toEqual([401, 'reauthentication_required']);
    });

    it('also by a move of the organization', async () => {
      const { org: root } = await newOrganizationWithProvider();
      const [strict, free] = [await child(root), await child(root)];
      await set(strict, true).expect(200);
      const moved = await child(strict);
      const [admin, owner] = [await sessionOf(root, 'admin'), await sessionOf(root, 'owner')];
      const move = (client: TestClient, parent: TestBody, preview = ''): PendingResponse =>
        client.post(at(moved, `/move${preview}`), { parentId: parent.id });
      for (const preview of ['', '/preview']) expect(await codeOf(move(admin, free, preview))).toEqual([403, 'forbidden']);
      const { settings } = (await move(owner, free, '/preview').expect(200)).body.data;
      expect(settings).toMatchObject([{ id: moved.id, changes: { ssoRequired: { from: { value: true } } } }]);
      await move(owner, free).expect(200);
      expect(await effective(moved)).toBe(false);
      expect(await codeOf(move(admin, strict))).toEqual([403, 'forbidden']);
    });
  });

  it('prevents a move that would leave its users without an identity provider', async () => {
    const root = await newOrganization(app);
    const [left, right] = [await child(root), await child(root)];
    await addProvider(left);
    const moved = await child(left);
    await set(moved, true).expect(200);
    for (const preview of ['/preview', '']) {
      await app.api.platform.post(at(moved, `/move${preview}`), { parentId: right.id }).expect(409, 'sso_provider_missing');
    }
    await addProvider(right);
    await app.api.platform.post(at(moved, '/move'), { parentId: right.id }).expect(200);
  });

  it('is previewed with the number of users who are not linked to an identity provider', async () => {
    const { org, idp, inner } = await newOrganizationWithProvider();
    const linked = await activeUser(app, org.id, { email: `linked-${++counter}@example.com` });
    await activeUser(app, org.id, { email: `other-${++counter}@example.com` });
    await activeUser(app, inner.id, { email: `inner-${++counter}@example.com` });
    await linkIdentity(app, { tenantId: org.id, id: linked.id }, idp);
    const preview = await app.api.platform.post(at(org, '/settings/preview'), { settings: { ssoRequired: true } }).expect(200);
    const noncompliant = { withoutMfa: 0, domainNotAllowed: 0, passwordOlderThanPolicy: 0, withoutIdentity: 1 };
    expect(preview.body.data.organizations).toEqual([
      expect.objectContaining({ id: org.id, changes: { ssoRequired: { from: false, to: true } }, usersOutOfLine: noncompliant }),
      expect.objectContaining({ id: inner.id, userCount: 1, usersOutOfLine: noncompliant }),
    ]);
    expect(await effective(org)).toBe(false);
  });

  it('refuses users, and admits owners, while no identity provider is left after a restoration', async () => {
    const { org, idp, inner } = await newOrganizationWithProvider();
    const email = `restored-${++counter}@example.com`;
    const owner = `restored-${++counter}@example.com`;
    await activeUser(app, inner.id, { email });
    await activeUser(app, inner.id, { email: owner, roles: ['owner'] });
    await set(inner, true).expect(200);
    await app.api.platform.delete(at(inner)).expect(204);
    await app.api.platform.delete(providerPath(org, idp)).expect(204);
    await app.api.platform.post(at(inner, '/restore')).expect(200);
    const advice = 'Ask an owner of the organization to enable an identity provider.';
    await login(app, inner.id, email).expect(403, 'sso_required', advice);
    await login(app, inner.id, owner).expect(200);
  });
});
