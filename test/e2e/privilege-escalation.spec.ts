import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PendingResponse } from '../support/http-client.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;

/** Attempts to get another user's permissions or account, each by a caller with fewer permissions. */
describe('privilege escalation', () => {
  const app = testApp();
  let org: string;
  let owner: SignedIn;
  let admin: SignedIn;

  const role = async (name: string, permissions: string[], organization = org): Promise<string> =>
    (await made(app, at(organization, '/roles'), { name, permissions })).id;
  const rejected = async (request: PendingResponse): Promise<string> => {
    const { body } = await request.expect(403);
    expect(body.code).toBe('forbidden');
    return body.detail;
  };

  beforeEach(async () => {
    org = (await newOrganization(app)).id;
    owner = await signedIn(app, org, { roles: ['owner'] });
    admin = await signedIn(app, org, { roles: ['admin'] });
  });

  describe('an application permission', () => {
    let treasurer: string;
    beforeEach(async () => {
      treasurer = await role('treasurer', ['payments:approve']);
    });

    it('can’t be granted by a team lead who lacks permissions:grant', async () => {
      await role('team lead', ['members:*', 'roles:*']);
      const lead = await signedIn(app, org, { roles: ['team lead'] });

      const details = [
        await rejected(lead.client.post(at(org, `/users/${lead.id}/roles`), { roleId: treasurer })),
        await rejected(lead.client.post(at(org, '/members'), { userId: lead.id, role: 'treasurer' })),
        await rejected(lead.client.post(at(org, '/roles'), { name: 'own', permissions: ['payments:approve'] })),
        await rejected(lead.client.post(at(org, '/roles'), { name: 'own', permissions: ['payments:*'] })),
      ];

      for (const detail of details) expect(detail).toContain('payments:');
    });
  });

  describe('an admin', () => {
    it('can’t remove a permission that the admin lacks from a role', async () => {
      const approver = await role('approver', ['break_glass:approve', 'users:read']);
      await signedIn(app, org, { roles: ['approver'] });
      await rejected(admin.client.patch(at(org, `/roles/${approver}`), { permissions: ['users:read'] }));
      await rejected(admin.client.delete(at(org, `/roles/${approver}?reassignTo=member`)));
      await admin.client.patch(at(org, `/roles/${approver}`), { permissions: ['break_glass:approve'] }).expect(200);
    });

    it('can’t change a user who owns a deleted organization', async () => {
      const child = (await made(app, '/v1/organizations', { name: 'Child', parentId: org })).id;
      const person = await made(app, at(org, '/users'), { email: newAddress() });
      await made(app, at(child, '/members'), { userId: person.id, role: 'owner' });
      await app.api.platform.delete(at(child)).expect(204);

      await rejected(admin.client.patch(at(org, `/users/${person.id}`), { email: newAddress() }));
      await rejected(admin.client.delete(at(org, `/users/${person.id}`)));
    });
  });

  describe('break-glass access', () => {
    beforeEach(async () => {
      const path = at(org, '/break-glass');
      const request = { reason: 'Production is down and no owner can be reached', durationSeconds: 300 };
      const { id } = (await admin.client.post(path, request).expect(201)).body.data;
      await owner.client.post(`${path}/${id}/approve`).expect(200);
    });

    it('can’t be used to create permanent access', async () => {
      await rejected(admin.client.post(at(org, `/users/${admin.id}/roles`), { roleId: 'role_owner' }));
      await rejected(admin.client.post(at(org, '/members'), { userId: admin.id, role: 'owner' }));
      await rejected(admin.client.post(at(org, '/api-keys'), { name: 'k', scopes: ['*'] }));
      await rejected(admin.client.post(at(org, '/roles'), { name: 'all', permissions: ['*'] }));
      await rejected(admin.client.patch(at(org), { settings: { defaultRole: 'owner' } }));
      const provider = { name: 'Own', issuer: 'https://login.example.com', clientId: 'own', trustedDomains: ['example.com'] };
      await rejected(admin.client.post(at(org, '/identity-providers'), provider));
    });

    it('can’t be used to take over the account of a member', async () => {
      const asking = await role('asking', ['break_glass:request']);
      const requester = await signedIn(app, org, { roles: [asking] });
      const member = await signedIn(app, org, { roles: ['member'] });
      const path = at(org, '/break-glass');
      const request = { reason: 'Production is down and no owner can be reached', durationSeconds: 300 };
      const { id } = (await requester.client.post(path, request).expect(201)).body.data;
      await owner.client.post(`${path}/${id}/approve`).expect(200);
      await requester.client.get(at(org, `/users/${member.id}`)).expect(200);
      await rejected(requester.client.patch(at(org, `/users/${member.id}`), { email: newAddress() }));
      await rejected(requester.client.delete(at(org, `/users/${member.id}/mfa`)));
    });

    it('can’t be used to change or suspend an owner', async () => {
      await rejected(admin.client.patch(at(org, `/users/${owner.id}`), { email: newAddress() }));
      await rejected(admin.client.post(at(org, `/users/${owner.id}/suspend`), { reason: 'x' }));
    });
  });
});
