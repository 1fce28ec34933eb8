import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectFields } from '../support/fields.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { openSession, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

describe('POST /v1/sessions/verify', () => {
  const app = testApp();
  let top: string;
  let child: string;
  let otherTenant: string;

  beforeAll(async () => {
    top = await organization('Top');
    child = await organization('Child', { parentId: top });
    otherTenant = await organization('Other tenant');
  });

  const organization = async (name: string, fields: object = {}): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, ...fields }).expect(201)).body.data.id;
  const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;
  const backend = async (where: string, scopes = ['sessions:read']): Promise<TestClient> =>
    app.api.as((await app.api.platform.post(at(where, '/api-keys'), { name: 'backend', scopes }).expect(201)).body.data.key);
  const verify = async (client: TestClient, token: string, more: object = {}): Promise<TestBody> =>
    (await client.post('/v1/sessions/verify', { token, ...more }).expect(200)).body.data;

  it('returns a session if the caller has access to the user', async () => {
    const user = await signedIn(app, child, { methods: ['password', 'totp'] });
    for (const client of [await backend(child), await backend(top), app.api.platform]) {
      const response = await verify(client, user.token);
      expectFields(response, {
        active: 'boolean',
        userId: [user.id],
        sessionId: [user.sessionId],
        organizationId: [child],
        authenticationMethods: 'strings',
        createdAt: 'timestamp',
        expiresAt: 'timestamp',
      });
      expect(response.active).toBe(true);
    }
  });

  it('returns only `active: false` if the token has no accessible session', async () => {
    const user = await signedIn(app, top);
    const enrolling = await openSession(app, user, { at: top, enrolmentOnly: true });
    const ended = await openSession(app, user, { at: top });
    await ended.client.post('/v1/auth/logout').expect(204);
    const own = await backend(top);
    expect(await verify(await backend(otherTenant), user.token)).toEqual({ active: false });
    expect(await verify(await backend(child), user.token)).toEqual({ active: false });
    for (const token of [enrolling.token, ended.token, app.platformKey, 'x', 'A'.repeat(43)])
      expect(await verify(own, token)).toEqual({ active: false });
    await app.api.platform.post(at(top, `/users/${user.id}/suspend`)).expect(200);
    expect(await verify(own, user.token)).toEqual({ active: false });
  });

  it('returns the permissions of the user in the requested organization', async () => {
    const role = { name: 'clerk', permissions: ['invoices:read'] };
    const { id } = (await app.api.platform.post(at(top, '/roles'), role).expect(201)).body.data;
    const user = await signedIn(app, top, { roles: ['member', id] });
    const client = await backend(top);
    const permissions = ['organizations:read', 'members:read', 'invoices:read'];
    for (const organizationId of [top, child]) {
      const response = await verify(client, user.token, { organization: organizationId });
      expect([...response.permissions].toSorted()).toEqual(permissions.toSorted());
    }
    const elsewhere = await client.post('/v1/sessions/verify', { token: user.token, organization: otherTenant }).expect(404);
    expect(elsewhere.body.code).toBe('organization_not_found');
  });

  it('does not reveal the managing organization of a guest', async () => {
    const guest = await signedIn(app, otherTenant);
    await app.api.platform.post(at(child, '/members'), { userId: guest.id, role: 'viewer' }).expect(201);
    const response = await verify(await backend(child), guest.token, { organization: child });
    expect(response).toMatchObject({ active: true, userId: guest.id, permissions: expect.arrayContaining(['users:read']) });
    expect(response).not.toHaveProperty('organizationId');
    expect(JSON.stringify(response)).not.toContain(otherTenant);
  });

  it('returns `active: false` if the session lacks the MFA that the organization requires', async () => {
    const strict = await organization('Strict', { parentId: top, settings: { requireMfa: true, mfaMethods: ['totp'] } });
    const user = await signedIn(app, top);
    const better = await openSession(app, user, { at: top, methods: ['password', 'totp'] });
    const client = await backend(top);
    expect(await verify(client, user.token, { organization: strict })).toEqual({ active: false });
    expect(await verify(client, better.token, { organization: strict })).toMatchObject({ active: true });
  });

  it('counts as activity of the session', async () => {
    const user = await signedIn(app, top);
    const lastSeen = async (): Promise<Date> =>
      (await app.database.query<{ last_seen_at: Date }>('SELECT last_seen_at FROM sessions WHERE id = $1', [user.sessionId]))[0]!
        .last_seen_at;
    await app.database.query(`UPDATE sessions SET last_seen_at = now() - interval '1 hour' WHERE id = $1`, [user.sessionId]);
    await verify(app.api.platform, user.token);
    expect(Date.now() - (await lastSeen()).getTime()).toBeLessThan(60_000);
  });
});
