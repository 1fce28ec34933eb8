import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import type { TestClient } from '../support/http-client.js';
import { at, keyClient, made, newAddress, newOrganization } from '../support/organizations.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

describe('a user as caller', () => {
  const app = testApp();
  let top: string;
  let child: string;
  let sibling: string;

  beforeAll(async () => {
    top = await organization();
    child = await organization(top);
    sibling = await organization(top);
  });

  const organization = async (parentId?: string, fields: object = {}): Promise<string> =>
    (await newOrganization(app, { parentId, ...fields })).id;
  const user = async (where: string, fields: object = {}): Promise<string> =>
    (await made(app, at(where, '/users'), { email: newAddress(), ...fields })).id;
  const give = (userId: string, where: string, role: string) => made(app, at(where, '/members'), { userId, role });
  const role = async (where: string, permissions: string[]): Promise<string> =>
    (await made(app, at(where, '/roles'), { name: newAddress(), permissions })).id;
  const listed = async (who: SignedIn, path: string): Promise<string[]> =>
    (await who.client.get(path).expect(200)).body.data.map(({ id }: { id: string }) => id);

  it('lists only items of organizations where the user has the permission', async () => {
    const parentId = await organization(top);
    const grandchild = await organization(parentId);
    const caller = await signedIn(app, parentId, { roles: ['member'] });
    const other = await organization(top);
    await give(caller.id, other, await role(other, ['webhooks:read']));
    const webhook = (where: string) => made(app, at(where, '/webhooks'), { url: 'https://127.0.0.1:9/x', events: ['*'] });
    const [visible, hidden] = [await webhook(other), await webhook(parentId)];

    expect((await listed(caller, '/v1/organizations')).toSorted()).toEqual([parentId, grandchild].toSorted());
    expect(await listed(caller, '/v1/webhooks')).toEqual([visible.id]);
    await caller.client.get(`/v1/webhooks/${visible.id}`).expect(200);
    expect((await caller.client.get(`/v1/webhooks/${hidden.id}`).expect(404)).body.code).toBe('webhook_not_found');
    await caller.client.patch(`/v1/webhooks/${visible.id}`, { name: 'x' }).expect(403);
    expect((await caller.client.get('/v1/permissions').expect(403)).body.detail).toContain('"roles:read"');
  });

  it('loses permissions immediately when the role or membership is removed', async () => {
    const organizationId = await organization(top);
    const roleId = await role(organizationId, ['webhooks:read']);
    const caller = await signedIn(app, organizationId, { roles: ['viewer', roleId] });
    const webhooks = () => caller.client.get(at(organizationId, '/webhooks')).then(({ status }) => status);
    await app.api.platform.delete(at(organizationId, `/users/${caller.id}/roles/role_viewer`)).expect(204);
    expect(await webhooks()).toBe(200);
    await app.api.platform.patch(at(organizationId, `/roles/${roleId}`), { permissions: ['roles:read'] }).expect(200);
    expect(await webhooks()).toBe(403);
    await app.api.platform.patch(at(organizationId, `/roles/${roleId}`), { permissions: ['webhooks:*'] }).expect(200);
    expect(await webhooks()).toBe(200);
    await app.api.platform.delete(at(organizationId, `/members/${caller.id}`)).expect(204);
    expect(await webhooks()).toBe(404);
    await app.api.platform.delete(at(organizationId)).expect(204);
    expect(await webhooks()).toBe(401);
  });

  it('is reported when self-assigning a role', async () => {
    const organizationId = await organization(top, { name: 'Selfish' });
    const admin = await signedIn(app, organizationId, { roles: ['admin'] });
    const grandchild = await organization(organizationId);
    const events = await eventsDuring(app, async () => {
      await admin.client.post(at(organizationId, `/users/${admin.id}/roles`), { roleId: 'viewer' }).expect(201);
      await admin.client.post(at(grandchild, '/members'), { userId: admin.id, role: 'admin' }).expect(201);
      await admin.client.post(at(organizationId, `/users/${await user(organizationId)}/roles`), { roleId: 'viewer' }).expect(201);
    });
    // The service publishes at most one event per rule and user within an hour.
    expect(events.filter(({ type }) => type === 'security.suspicious_activity')).toEqual([
      {
        type: 'security.suspicious_activity',
        organization: { id: organizationId, name: 'Selfish' },
        data: {
          rule: 'role_granted_to_self',
          riskLevel: 'medium',
          signals: { userId: admin.id, roleId: 'role_viewer', roleName: 'viewer' },
          action: 'none',
        },
      },
    ]);
  });

  it('is the actor of the resulting events', async () => {
    const admin = await signedIn(app, child, { roles: ['admin'] });
    const id = (await admin.client.post(at(child, '/users'), { email: newAddress() }).expect(201)).body.data.id;
    const [event] = await app.database.query<{ payload: string }>('SELECT payload FROM events WHERE user_id = $1', [id]);
    expect(JSON.parse(event!.payload).actor).toEqual({ type: 'user', id: admin.id, email: admin.email });
  });

  describe('an account with higher privileges', () => {
    const changeEmail = (client: TestClient, id: string) => client.patch(at(child, `/users/${id}`), { email: newAddress() });

    it('is protected by privileges in any organization', async () => {
      const admin = await signedIn(app, child, { roles: ['admin'] });
      const owner = await user(child, { roles: ['owner'] });
      const elsewhere = await user(child);
      await give(elsewhere, sibling, 'viewer');
      const above = await user(child);
      await give(above, top, 'admin');
      const equal = await user(child, { roles: ['admin'] });
      const lower = await user(child, { roles: ['viewer'] });

      for (const id of [owner, elsewhere, above]) {
        expect((await changeEmail(admin.client, id).expect(403)).body).toMatchObject({
          code: 'forbidden',
          detail: expect.stringContaining('has permissions that the caller does not have'),
        });
        await admin.client.patch(at(child, `/users/${id}`), { firstName: 'Free' }).expect(200);
      }
      for (const change of [{ phoneNumber: '+49 30 1' }, { externalId: 'hr-1' }])
        await admin.client.patch(at(child, `/users/${owner}`), change).expect(403);
      for (const id of [equal, lower]) await changeEmail(admin.client, id).expect(200);
      await changeEmail(app.api.platform, owner).expect(200);
    });

    it('is protected from API keys and imports', async () => {
      const client = await keyClient(app, child, ['users:*']);
      const { email } = await made(app, at(child, '/users'), { email: newAddress(), roles: ['admin'] });
      const member = await user(child, { roles: ['member'], externalId: 'hr-member' });
      await changeEmail(client, member).expect(200);
      const elsewhere = await user(child);
      await give(elsewhere, sibling, 'member');
      await changeEmail(client, elsewhere).expect(403);
      const lines = [
        { email: newAddress(), externalId: 'hr-member' },
        { email, emailVerified: true },
      ];
      const type = { 'content-type': 'application/x-ndjson' };
      const { body } = await client.raw(
        'POST',
        at(child, '/users/import'),
        lines.map((line) => JSON.stringify(line)).join('\n'),
        type,
      );
      expect(body).toMatch(/"status":"updated"[^]*"status":"failed"[^]*"code":"forbidden"/);
    });

    it('is protected by the role in a deleted organization', async () => {
      const admin = await signedIn(app, child, { roles: ['admin'] });
      const person = await user(child);
      const below = await organization(child);
      await give(person, below, 'owner');
      await app.api.platform.delete(at(below)).expect(204);
      for (const request of [changeEmail(admin.client, person), admin.client.delete(at(child, `/users/${person}`))])
        expect((await request.expect(403)).body.code).toBe('forbidden');
    });

    it('is protected even from the user of the account', async () => {
      const owner = await signedIn(app, child, { roles: ['owner'] });
      const rejected = await changeEmail(owner.client, owner.id).expect(403);
      expect(rejected.body.detail).toContain('own account');
    });
  });

  it('can’t grant an application permission without permissions:grant', async () => {
    const treasurer = await role(child, ['payments:approve']);
    const lead = await signedIn(app, child, { roles: [await role(child, ['members:*', 'roles:*'])] });
    for (const request of [
      lead.client.post(at(child, `/users/${lead.id}/roles`), { roleId: treasurer }),
      lead.client.post(at(child, '/members'), { userId: lead.id, role: treasurer }),
      lead.client.post(at(child, '/roles'), { name: 'own', permissions: ['payments:approve'] }),
      lead.client.post(at(child, '/roles'), { name: 'own', permissions: ['payments:*'] }),
    ])
      expect((await request.expect(403)).body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('payments:') });
  });

  it('gets 401 after suspension, deletion or idle timeout', async () => {
    const organizationId = await organization(top, { settings: { sessionTimeout: 3_600 } });
    const make = () => signedIn(app, organizationId, { roles: ['viewer'] });
    const [suspended, deleted, idle] = [await make(), await make(), await make()];
    const status = async ({ client }: SignedIn) => (await client.get(at(organizationId))).status;
    expect(await Promise.all([suspended, deleted, idle].map(status))).toEqual([200, 200, 200]);

    await app.api.platform.post(at(organizationId, `/users/${suspended.id}/suspend`)).expect(200);
    await app.api.platform.delete(at(organizationId, `/users/${deleted.id}`)).expect(204);
    await app.database.query(`UPDATE sessions SET last_seen_at = now() - interval '61 minutes' WHERE id = $1`, [idle.sessionId]);
    expect(await Promise.all([suspended, deleted, idle].map(status))).toEqual([401, 401, 401]);
    await app.api.platform.patch(at(organizationId), { settings: { sessionTimeout: 7_200 } }).expect(200);
    expect(await status(idle)).toBe(200);
    await app.api.platform.post(at(organizationId, `/users/${suspended.id}/activate`)).expect(200);
    expect(await status(suspended)).toBe(200);
  });
});
