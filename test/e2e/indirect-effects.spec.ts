import { describe, expect, it } from '@jest/globals';
import type { PendingResponse, TestClient } from '../support/http-client.js';
import { identityProvider, insertTrustedProvider, ownDomains } from '../support/oidc.js';
import { at, keyClient, made, newAddress, newOrganization, newUser } from '../support/organizations.js';
import { connectScim } from '../support/scim.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

/** What the direct way refuses is refused by every other way to the same effect. */
describe('a change with an effect elsewhere', () => {
  const app = testApp();
  const organization = async (fields: object = {}): Promise<string> => (await newOrganization(app, fields)).id;
  const refused = async (request: PendingResponse, detail: string | RegExp): Promise<void> => {
    await request.expect(403, 'forbidden', detail);
  };

  describe('of the lock of a setting', () => {
    const lock = (client: TestClient, id: string, lockedSettings: string[]): PendingResponse =>
      client.patch(at(id), { lockedSettings });

    it.each<[string, object, RegExp]>([
      ['allowedNetworks', { allowedNetworks: ['203.0.113.0/24', '127.0.0.0/8'] }, /allowedNetworks requires all permissions/],
      ['ssoRequired', { ssoRequired: false }, /ssoRequired requires all permissions/],
      ['defaultRole', { defaultRole: 'role_member' }, /default role "admin" of the organization .* has permissions/],
    ])('needs what the change of %s in the descendant needs', async (setting, settings, detail) => {
      const parent = await organization();
      if (setting === 'ssoRequired') {
        await insertTrustedProvider(app, parent);
        await app.api.platform.patch(at(parent), { settings: { ssoRequired: true } }).expect(200);
      }
      if (setting === 'defaultRole') await app.api.platform.patch(at(parent), { settings: { defaultRole: 'admin' } }).expect(200);
      const child = await organization({ parentId: parent, settings });
      const key = await keyClient(app, parent, ['organizations:write', 'organizations:read']);
      await refused(lock(key, parent, [setting]), detail);
      // The child can be restored.
      await app.api.platform.delete(at(child)).expect(204);
      await refused(lock(key, parent, [setting]), detail);
      await lock(await keyClient(app, parent, ['*']), parent, [setting]).expect(200);
      await refused(lock(key, parent, []), setting === 'defaultRole' ? /default role "member"/ : detail);
    });

    it('needs a session that satisfies the rules of the descendant', async () => {
      const parent = await organization();
      await organization({ parentId: parent, name: 'Strict', settings: { requireMfa: true } });
      const owner = await signedIn(app, parent, { roles: ['owner'] });
      await refused(
        lock(owner.client, parent, ['requireMfa']),
        /the organization "Strict" .* whose rules for multi-factor authentication/,
      );
      await lock(owner.client, parent, ['sessionTimeout']).expect(200);
    });
  });

  describe('of an organization whose users have permissions elsewhere', () => {
    /** Returns a parent, and a child organization that manages an administrator and, with `owns`, the only owner of the parent. */
    const tree = async (owns = false) => {
      const parent = await organization();
      const child = await organization({ parentId: parent });
      const { id } = await newUser(app, child, { roles: ['owner'] });
      await made(app, at(parent, '/members'), { userId: id, role: owns ? 'owner' : 'admin' });
      return { parent, child };
    };
    const suspend = (client: TestClient, id: string) => client.post(at(id, '/suspend'), { reason: 'Test' });

    it('can be suspended, activated, deleted and restored only by callers with these permissions', async () => {
      const { parent, child } = await tree();
      const owner = await signedIn(app, child, { roles: ['owner'] });
      const key = await keyClient(app, parent, ['organizations:*', 'users:*']);
      const detail = /Users of this organization have permissions in other organizations/;
      for (const client of [owner.client, key]) await refused(suspend(client, child), detail);
      const all = await keyClient(app, parent, ['*']);
      await suspend(all, child).expect(200);
      await refused(key.post(at(child, '/activate')), detail);
      await all.post(at(child, '/activate')).expect(200);
      for (const client of [owner.client, key]) await refused(client.delete(at(child)), detail);
      await all.delete(at(child)).expect(204);
      await refused(key.post(at(child, '/restore')), detail);
      await all.post(at(child, '/restore')).expect(200);
    });

    it('needs a session that satisfies the rules of the descendants', async () => {
      const parent = await organization();
      const child = await organization({ parentId: parent, settings: { requireMfa: true } });
      const [{ client: weak }, { client: strong }] = [
        await signedIn(app, parent, { roles: ['owner'] }),
        await signedIn(app, parent, { roles: ['owner'], methods: ['password', 'totp'] }),
      ];
      const detail = new RegExp(`affects the organization ${child}, whose rules for multi-factor`);
      await refused(suspend(weak, parent), detail);
      await app.api.platform.post(at(parent, '/suspend'), { reason: 'Test' }).expect(200);
      await app.api.platform.post(at(parent, '/activate')).expect(200);
      await refused(weak.delete(at(parent, '?cascade=true')), detail);
      await app.api.platform.delete(at(child)).expect(204);
      await suspend(weak, parent).expect(200);
      await app.api.platform.post(at(parent, '/activate')).expect(200);
      await app.api.platform.post(at(child, '/restore')).expect(200);
      await strong.delete(at(parent, '?cascade=true')).expect(204);
    });

    it('can’t be suspended or deleted if another organization would have no owner', async () => {
      const { parent, child } = await tree(true);
      const all = await keyClient(app, parent, ['*']);
      for (const request of [suspend(all, child), all.delete(at(child))]) await request.expect(409, 'last_owner');
      await newUser(app, parent, { roles: ['owner'] });
      await suspend(all, child).expect(200);
    });
  });

  describe('of an identity provider with which users sign in', () => {
    it.each([
      ['of', false],
      ['of a deleted child of', true],
    ])('can’t end the sign-in of an owner %s the organization without the permissions', async (_, isDeleted) => {
      const parent = await organization();
      const provider = await identityProvider(app, parent, 'https://login.example.com');
      const path = at(parent, `/identity-providers/${provider.id}`);
      const { id } = await newUser(app, parent, { roles: [isDeleted ? 'member' : 'owner'] });
      if (isDeleted) {
        const child = await organization({ parentId: parent });
        await made(app, at(child, '/members'), { userId: id, role: 'owner' });
        await app.api.platform.delete(at(child)).expect(204);
      }
      await app.database.query(
        `INSERT INTO user_identities (tenant_id, identity_provider_id, issuer, external_id, user_id, provider, created_at)
         VALUES ($1, $2, 'https://login.example.com', 'subject', $3, 'Company login', now())`,
        [parent, provider.id, id],
      );
      const key = await keyClient(app, parent, ['organizations:*', 'users:*']);
      const detail = /Users who sign in with this identity provider have permissions/;
      for (const change of [
        { enabled: false },
        { clientId: 'other' },
        { clientSecret: 'another secret of the client' },
        { scopes: ['x'] },
      ])
        await refused(key.patch(path, change), detail);
      await refused(key.delete(path), detail);
      await key.patch(path, { name: 'Renamed', enabled: true }).expect(200);
      await (await keyClient(app, parent, ['*'])).delete(path).expect(204);
    });
  });

  describe('of an API key', () => {
    it('can’t end a key with more permissions, also of the same owner', async () => {
      const org = await organization();
      const { client: owner } = await signedIn(app, org, { roles: ['owner'] });
      const create = async (scopes: string[]) => await made(owner, at(org, '/api-keys'), { name: 'k', scopes });
      const [stronger, weaker] = [await create(['*']), await create(['api_keys:*'])];
      const client = app.api.as(weaker.key);
      await refused(client.delete(at(org, `/api-keys/${stronger.id}`)), /The API key/);
      await client.delete(at(org, `/api-keys/${weaker.id}`)).expect(204);
      await owner.delete(at(org, `/api-keys/${stronger.id}`)).expect(204);
    });
  });

  describe('of a verified domain', () => {
    it('can’t end the sign-in with an identity provider that is trusted for it', async () => {
      const parent = await organization();
      const child = await organization({ parentId: parent });
      const name = `${parent.slice(-8)}.example`;
      const domain = await made(app, at(parent, '/domains'), { name });
      await app.database.query(`UPDATE domains SET status = 'verified', verified_at = now() WHERE id = $1`, [domain.id]);
      const provider = await identityProvider(app, child, 'https://login.example.com');
      await ownDomains(app, parent, [name]);
      const trust = (trustedDomains: string[]) =>
        app.api.platform.patch(at(child, `/identity-providers/${provider.id}`), { trustedDomains }).expect(200);
      await trust([name]);
      const key = await keyClient(app, parent, ['domains:write']);
      await key.delete(at(parent, `/domains/${domain.id}`)).expect(409, 'domain_trusted');
      await trust([]);
      await key.delete(at(parent, `/domains/${domain.id}`)).expect(204);
    });
  });

  describe('of a user whom another organization manages', () => {
    const tree = async () => {
      const parent = await organization();
      const child = await organization({ parentId: parent });
      const [target, unlisted] = [await signedIn(app, child), await signedIn(app, child)];
      await made(app, at(parent, '/members'), { userId: target.id });
      return { parent, child, target, unlisted, owner: await signedIn(app, parent, { roles: ['owner'] }) };
    };
    const CHANGES: readonly (readonly ['GET' | 'POST' | 'PATCH' | 'DELETE', string, object?])[] = [
      ['PATCH', '', { firstName: 'Other' }],
      ['DELETE', '?permanent=true'],
      ['POST', '/suspend', {}],
      ['POST', '/activate'],
      ['POST', '/restore'],
      ['POST', '/invitation'],
      ['POST', '/password-reset'],
      ['DELETE', '/mfa'],
      ['DELETE', '/identities/idp_1'],
    ];
    const READS_AND_SESSIONS = [
      ['GET', '/export'],
      ['GET', '/identities'],
      ['GET', '/sessions'],
      ['DELETE', '/sessions'],
      ['DELETE', '/sessions/ses_1'],
    ] as const;

    it.each<[string, object | 'suspend', readonly (typeof CHANGES)[number][], number, RegExp]>([
      ['second factor', { requireMfa: true }, [...CHANGES, ...READS_AND_SESSIONS], 403, /whose rules for multi-factor/],
      ['networks', { allowedNetworks: ['192.0.2.0/24'] }, [...CHANGES, ...READS_AND_SESSIONS], 403, /whose rules for/],
      ['suspension', 'suspend', CHANGES, 409, /is suspended/],
    ])('obeys the rules of the managing organization: %s', async (_, rule, requests, status, detail) => {
      const { parent, child, target, unlisted, owner } = await tree();
      const user = at(parent, `/users/${target.id}`);
      await owner.client.patch(user, { firstName: 'Allowed' }).expect(200);
      if (rule === 'suspend') await app.api.platform.post(at(child, '/suspend'), { reason: 'Test' }).expect(200);
      else await app.api.platform.patch(at(child), { settings: rule }).expect(200);
      for (const [method, path, body] of requests) {
        const type: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
        const answer = await owner.client.raw(method, user + path, body && JSON.stringify(body), type);
        expect([method, path, answer.status, answer.body.detail]).toEqual([method, path, status, expect.stringMatching(detail)]);
      }
      if (rule !== 'suspend') await owner.client.post(at(parent, '/members'), { userId: unlisted.id }).expect(404);
    });
  });

  describe('of the identification of an owner', () => {
    const IMPORT = { 'content-type': 'application/x-ndjson' };
    const importLine = (client: TestClient, org: string, line: object) =>
      client.raw('POST', at(org, '/users/import'), JSON.stringify(line), IMPORT);

    it('can’t give the identifiers of a deleted owner, who can be restored, to somebody else', async () => {
      const org = await organization();
      await signedIn(app, org, { roles: ['owner'] });
      const identifiers = { email: newAddress(), externalId: `owner-of-${org}` };
      const { id } = await made(app, at(org, '/users'), { ...identifiers, roles: ['owner'] });
      const externalId = `member-of-${org}`;
      const member = await newUser(app, org, { externalId });
      const { email } = await newUser(app, org);
      await app.api.platform.delete(at(org, `/users/${id}`)).expect(204);
      const key = await keyClient(app, org, ['users:*']);
      for (const change of [{ email: identifiers.email.toUpperCase() }, { externalId: identifiers.externalId }]) {
        await refused(key.post(at(org, '/users'), { email: newAddress(), ...change }), /deleted user who can be restored/);
        await refused(key.patch(at(org, `/users/${member.id}`), change), /deleted user who can be restored/);
        for (const line of [{ email: newAddress() }, { email, externalId }])
          expect(String((await importLine(key, org, { ...line, ...change })).body)).toMatch(/deleted user who can be restored/);
      }
      await app.api.platform.post(at(org, `/users/${id}/restore`)).expect(200);
    });

    it('can’t give the address of a deleted user with permissions in the parent organization to a user by SCIM', async () => {
      const parent = await organization();
      const org = await organization({ parentId: parent });
      const email = newAddress();
      const { id } = await made(app, at(org, '/users'), { email });
      await made(app, at(parent, '/members'), { userId: id, role: 'admin' });
      await app.api.platform.delete(at(org, `/users/${id}`)).expect(204);
      const scim = await connectScim(app, org);
      const { body } = await scim.post('/Users', { userName: email, emails: [{ value: email }] }).expect(403);
      expect(body.detail).toMatch(/deleted user who can be restored/);
    });

    it('can’t change the case of an owner’s address', async () => {
      const org = await organization();
      const owner = await signedIn(app, org, { roles: ['owner'] });
      const key = await keyClient(app, org, ['users:*']);
      const email = owner.email.toUpperCase();
      await refused(key.patch(at(org, `/users/${owner.id}`), { email }), /permissions that the caller does not have/);
      expect(String((await importLine(key, org, { email })).body)).toContain('"code":"forbidden"');
      await key.patch(at(org, `/users/${(await signedIn(app, org)).id}`), { email: newAddress().toUpperCase() }).expect(200);
    });
  });
});
