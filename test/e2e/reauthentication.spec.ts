import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PendingResponse, TestBody, TestClient, TestResponse } from '../support/http-client.js';
import { ownDomains } from '../support/oidc.js';
import { made, newAddress, newOrganization, read } from '../support/organizations.js';
import { freshCode, moveClock, signedInUser, userWithTotp, verify } from '../support/second-factors.js';
import { PASSWORD } from '../support/sign-in.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const STALE_MS = 10 * 60_000;

describe('recent authentication', () => {
  const app = testApp();
  const start = async (client: TestClient): Promise<TestBody> =>
    (await client.post('/v1/auth/reauthentication').expect(200)).body.data;
  const confirm = (client: TestClient, body: object): PendingResponse =>
    client.post(`/v1/auth/reauthentication/${'password' in body ? 'password' : 'second-factor'}`, body);

  describe('a stale session', () => {
    let org: string;
    let at: string;
    let owner: SignedIn;
    let fresh: SignedIn;
    let person: TestBody;
    beforeAll(async () => {
      org = (await newOrganization(app)).id;
      at = `/v1/organizations/${org}`;
      owner = await signedIn(app, org, { roles: ['owner'] });
      moveClock(app, STALE_MS);
      fresh = await signedIn(app, org, { roles: ['owner'] });
    });
    beforeEach(async () => {
      person = await made(app, `${at}/users`, { email: newAddress() });
    });

    const KEY = { name: 'k', scopes: ['users:read'] };
    const WEBHOOK = { name: 'w', url: 'https://hooks.example.com/', events: ['user.created'] };
    const PROVIDER = { name: 'Login', issuer: 'https://login.example.com', clientId: 'own' };
    const newPath = async (collection: string, fields: object): Promise<string> =>
      `${at}/${collection}/${(await made(app, `${at}/${collection}`, fields)).id}`;

    const ATTEMPTS: Record<string, (client: TestClient) => Promise<TestResponse>> = {
      createApiKey: (client) => client.post(`${at}/api-keys`, KEY),
      rotateApiKey: async (client) => client.post(`${await newPath('api-keys', KEY)}/rotate`, {}),
      'assignRole with the role admin': (client) => client.post(`${at}/users/${person.id}/roles`, { roleId: 'role_admin' }),
      'createUser with the role admin': (client) => client.post(`${at}/users`, { email: newAddress(), roles: ['admin'] }),
      'createUser with the externalId of a deleted user': async (client) => {
        const { id, externalId } = await made(app, `${at}/users`, { email: newAddress(), externalId: newAddress() });
        await app.api.platform.delete(`${at}/users/${id}`).expect(204);
        return client.post(`${at}/users`, { email: newAddress(), externalId });
      },
      'updateUser with a new email address': (client) => client.patch(`${at}/users/${person.id}`, { email: newAddress() }),
      'activateUser with the role admin': async (client) => {
        const { id } = await made(app, `${at}/users`, { email: newAddress(), roles: ['admin'] });
        await app.api.platform.post(`${at}/users/${id}/suspend`).expect(200);
        return client.post(`${at}/users/${id}/activate`);
      },
      'restoreUser with the role admin': async (client) => {
        const { id } = await made(app, `${at}/users`, { email: newAddress(), roles: ['admin'] });
        await app.api.platform.delete(`${at}/users/${id}`).expect(204);
        return client.post(`${at}/users/${id}/restore`);
      },
      removeMfaFactors: (client) => client.delete(`${at}/users/${person.id}/mfa`),
      inviteUser: (client) => client.post(`${at}/users/${person.id}/invitation`),
      startPasswordReset: async (client) => client.post(`${at}/users/${(await signedIn(app, org)).id}/password-reset`),
      'updateOrganization that no longer requires MFA': (client) => client.patch(at, { settings: { requireMfa: false } }),
      'updateOrganization with new allowed domains': (client) => client.patch(at, { settings: { allowedDomains: [] } }),
      'updateIdentityProvider that enables a trusted provider': async (client) =>
        client.patch(await newPath('identity-providers', { ...PROVIDER, mfaTrusted: true, enabled: false }), { enabled: true }),
      'addMember with the role owner': (client) => client.post(`${at}/members`, { userId: person.id, role: 'owner' }),
      'updateRole with more permissions': async (client) => {
        const path = await newPath('roles', { name: 'more', permissions: ['users:read'] });
        const response = await client.patch(path, { permissions: ['users:read', 'break_glass:request'] });
        await app.api.platform.delete(path).expect(204);
        return response;
      },
      'updateOrganization with owner as the default role': async (client) => {
        const response = await client.patch(at, { settings: { defaultRole: 'owner' } });
        await app.api.platform.patch(at, { settings: { defaultRole: null } }).expect(200);
        return response;
      },
      'addMember with admin as the default role': async (client) => {
        const child = (await newOrganization(app, { parentId: org, settings: { defaultRole: 'admin' } })).id;
        return client.post(`/v1/organizations/${child}/members`, { userId: person.id });
      },
      'createIdentityProvider with trusted domains': async (client) => {
        await ownDomains(app, org, ['example.com']);
        return client.post(`${at}/identity-providers`, { ...PROVIDER, trustedDomains: ['example.com'] });
      },
      'updateIdentityProvider that trusts the MFA of the provider': async (client) =>
        client.patch(await newPath('identity-providers', PROVIDER), { mfaTrusted: true }),
      createWebhook: (client) => client.post(`${at}/webhooks`, WEBHOOK),
      'updateWebhook with a destination': async (client) =>
        client.patch(await newPath('webhooks', WEBHOOK), { url: 'https://other.example.com/' }),
      'updateWebhook with more events': async (client) => client.patch(await newPath('webhooks', WEBHOOK), { events: ['*'] }),
      'updateReachableWebhook with descendants': async (client) => {
        const id = (await newPath('webhooks', WEBHOOK)).split('/').at(-1);
        return client.patch(`/v1/webhooks/${id}`, { includeDescendants: true });
      },
      'updateWebhook that enables the webhook': async (client) =>
        client.patch(await newPath('webhooks', { ...WEBHOOK, enabled: false }), { enabled: true }),
      replayDeliveries: async (client) =>
        client.post(`${await newPath('webhooks', WEBHOOK)}/replay`, { since: new Date(Date.now() - 60_000).toISOString() }),
      revealWebhookSecret: async (client) => client.get(`${await newPath('webhooks', WEBHOOK)}/secret`),
      // The response contains the current secret.
      rotateWebhookSecret: async (client) =>
        client.post(`${await newPath('webhooks', WEBHOOK)}/rotate-secret`, { activateInSeconds: 3_600 }),
      'updateWebhook with a secret': async (client) =>
        client.patch(await newPath('webhooks', WEBHOOK), { secret: 'a secret of at least sixteen characters' }),
      approveBreakGlass: async (client) => {
        const admin = await signedIn(app, org, { roles: ['admin'] });
        const request = { reason: 'Production is down', durationSeconds: 300 };
        const { id } = await made(admin.client, `${at}/break-glass`, request);
        return client.post(`${at}/break-glass/${id}/approve`);
      },
      exportUsers: (client) => client.get(`${at}/users/export`),
      exportUserData: (client) => client.get(`${at}/users/${person.id}/export`),
      exportMyData: (client) => client.get('/v1/auth/me/export'),
      exportAccessReport: (client) => client.get(`${at}/access-report`),
      exportEvents: (client) => client.get(`${at}/events/export`),
      importUsers: (client) =>
        client.raw('POST', `${at}/users/import`, `{"email":"${newAddress()}"}\n`, { 'content-type': 'application/x-ndjson' }),
    };

    it.each(Object.keys(ATTEMPTS))('gets 401 for %s', async (name) => {
      const { status, body, headers } = await ATTEMPTS[name]!(owner.client);

      expect([status, body.code]).toEqual([401, 'reauthentication_required']);
      expect(headers.get('www-authenticate')).toContain(
        'Bearer realm="api", error="insufficient_user_authentication", max_age="600"',
      );
      // The session stays open, and a new sign-in is sufficient.
      await owner.client.get(`${at}/users`).expect(200);
      expect((await ATTEMPTS[name]!(fresh.client)).status).toBeLessThan(300);
    });

    it('can rename a webhook, send its unchanged destination, count a replay and assign a read-only role', async () => {
      const path = await newPath('webhooks', WEBHOOK);
      await owner.client.patch(path, { ...WEBHOOK, name: 'renamed', rateLimit: 5 }).expect(200);
      const since = new Date(Date.now() - 60_000).toISOString();
      await owner.client.post(`${path}/replay`, { since, dryRun: true }).expect(200);
      const { key } = await made(app, `${at}/api-keys`, { name: 'k', scopes: ['*'] });
      await made(app.api.as(key), `${at}/api-keys`, { name: 'other', scopes: ['users:read'] });
      await owner.client.post(`${at}/users/${person.id}/roles`, { roleId: 'role_viewer' }).expect(201);
    });
  });

  describe('reauthentication', () => {
    let org: string;
    let at: string;
    beforeAll(async () => {
      org = (await newOrganization(app)).id;
      at = `/v1/organizations/${org}`;
    });
    const assignOwner = (id: string): Promise<TestBody> => made(app, `${at}/users/${id}/roles`, { roleId: 'role_owner' });
    const createKey = (client: TestClient): PendingResponse =>
      client.post(`${at}/api-keys`, { name: 'k', scopes: ['users:read'] });

    it('requires the password if the account has no second factor', async () => {
      const user = await signedInUser(app, org);
      await assignOwner(user.id);
      const client = app.api.as(user.token);
      moveClock(app, STALE_MS);
      await createKey(client).expect(401);

      expect(await start(client)).toEqual({ kind: 'password', challengeToken: null, methods: [], expiresAt: null });
      await confirm(client, { password: 'wrong' }).expect(403, 'current_password_wrong');
      const { authenticatedAt, recentUntil } = (await confirm(client, { password: PASSWORD }).expect(200)).body.data;

      expect(Date.parse(recentUntil) - Date.parse(authenticatedAt)).toBe(STALE_MS);
      expect((await read(client, '/v1/auth/session')).session.authenticatedAt).toBe(authenticatedAt);
      await createKey(client).expect(201);
      moveClock(app, STALE_MS);
      await createKey(client).expect(401);
    });

    it('requires a second factor if the account has a second factor', async () => {
      const { id, token, secret } = await userWithTotp(app, org);
      await assignOwner(id);
      const client = app.api.as(token);
      // The removal of a factor requires a reauthentication immediately after the sign-in.
      const remove = () => client.delete('/v1/auth/mfa/totp');
      await remove().expect(401, 'reauthentication_required');
      moveClock(app, STALE_MS);

      const { kind, challengeToken, methods } = await start(client);
      expect({ kind, methods }).toEqual({ kind: 'second_factor', methods: ['totp', 'recovery_code'] });
      expect((await confirm(client, { password: PASSWORD }).expect(400)).body.errors[0].code).toBe('second_factor_required');
      const wrong = { challengeToken, method: 'totp', code: '000000' };
      await confirm(client, wrong).expect(401, 'mfa_failed');
      await createKey(client).expect(401);
      await confirm(client, { challengeToken, method: 'totp', code: freshCode(app, secret) }).expect(200);
      await createKey(client).expect(201);
      moveClock(app, STALE_MS);
      await remove().expect(401, 'reauthentication_required');
      const again = { challengeToken: (await start(client)).challengeToken, method: 'totp', code: freshCode(app, secret) };
      await confirm(client, again).expect(200);
      await remove().expect(204);
    });

    it('requires a new sign-in if the account has no password or factor', async () => {
      const owner = await signedIn(app, org, { roles: ['owner'] });
      moveClock(app, STALE_MS);
      expect((await start(owner.client)).kind).toBe('sign_in');
      await confirm(owner.client, { password: PASSWORD }).expect(403, 'current_password_wrong');
    });

    it('applies only to the session that starts the reauthentication', async () => {
      const { id, email, token, secret } = await userWithTotp(app, org);
      await assignOwner(id);
      const other = await openSession(app, { id, email, tenantId: org }, { at: org });
      moveClock(app, STALE_MS);
      const { challengeToken } = await start(app.api.as(token));

      const proof = () => ({ challengeToken, method: 'totp', code: freshCode(app, secret) });
      await confirm(other.client, proof()).expect(401, 'mfa_challenge_invalid');
      // The challenge opens no session, because a sign-in requires the password first.
      expect((await verify(app, challengeToken, 'totp', freshCode(app, secret))).status).toBe(401);
      await confirm(app.api.as(token), proof()).expect(200);
      await createKey(other.client).expect(401);
    });

    it('allows at most five failed attempts in 15 minutes', async () => {
      const { token } = await userWithTotp(app, org);
      const client = app.api.as(token);
      for (let tries = 0; tries < 5; tries++) {
        const { challengeToken } = await start(client);
        await confirm(client, { challengeToken, method: 'totp', code: '000000' }).expect(401);
      }
      const { challengeToken } = await start(client);
      await confirm(client, { challengeToken, method: 'totp', code: '000000' }).expect(429, 'reauthentication_locked');
    });
  });
});
