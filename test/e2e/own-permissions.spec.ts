import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;

describe('GET /v1/auth/me/permissions', () => {
  const app = testApp();
  let top: string;
  let child: string;
  let leaf: string;
  let otherTenant: string;
  const made = async (path: string, body: object): Promise<TestBody> =>
    (await app.api.platform.post(path, body).expect(201)).body.data;
  const organization = async (name: string, fields: object = {}): Promise<string> =>
    (await made('/v1/organizations', { name, ...fields })).id;
  const ask = ({ client }: SignedIn, handle: string): PendingResponse =>
    client.get(`/v1/auth/me/permissions?organization=${handle}`);
  const permissionsOf = async (user: SignedIn, handle: string): Promise<TestBody> =>
    (await ask(user, handle).expect(200)).body.data;

  beforeAll(async () => {
    top = await organization('Top');
    child = await organization('Child', { parentId: top, slug: 'child' });
    leaf = await organization('Leaf', { parentId: child });
    otherTenant = await organization('Other tenant');
  });

  it('returns the permissions of roles in the organization and all ancestors', async () => {
    const member = await signedIn(app, top, { roles: ['member'] });
    const role = await made(at(child, '/roles'), { name: 'hooks', permissions: ['webhooks:*', 'invoices:read'] });
    await app.api.platform.post(at(child, '/members'), { userId: member.id, role: role.id }).expect(201);
    expect(await permissionsOf(member, top)).toEqual({
      organizationId: top,
      permissions: ['organizations:read', 'members:read'],
      servicePermissions: ['organizations:read', 'members:read'],
    });
    for (const [handle, id] of [
      ['child', child],
      [leaf, leaf],
    ] as const) {
      const { organizationId, permissions, servicePermissions } = await permissionsOf(member, handle);
      expect(organizationId).toBe(id);
      expect(permissions.toSorted()).toEqual(['invoices:read', 'members:read', 'organizations:read', 'webhooks:*']);
      expect(servicePermissions).toEqual(['organizations:read', 'members:read', 'webhooks:read', 'webhooks:write']);
    }
  });

  it('returns all permissions to an owner', async () => {
    const owner = await signedIn(app, top, { roles: ['owner'] });
    const { permissions, servicePermissions } = await permissionsOf(owner, leaf);
    expect(permissions).toEqual(['*']);
    const { body } = await app.api.platform.get('/v1/permissions').expect(200);
    expect(servicePermissions.toSorted()).toEqual(body.data.map(({ name }: TestBody) => name).toSorted());
  });

  it('hides whether an organization exists if the user has no role', async () => {
    const admin = await signedIn(app, child, { roles: ['owner'] });
    const deleted = await organization('Gone', { parentId: child });
    await app.api.platform.delete(at(deleted)).expect(204);
    for (const handle of [top, otherTenant, deleted, 'no-such-organization']) {
      const { body } = await ask(admin, handle).expect(404);
      expect(body).toMatchObject({
        code: 'organization_not_found',
        detail: `The organization "${handle}" does not exist, or the caller has no access to it.`,
      });
    }
    expect((await admin.client.get('/v1/auth/me/permissions').expect(400)).body.code).toBe('validation_failed');
  });

  it('requires MFA if the organization requires MFA', async () => {
    const strict = await organization('Strict', { parentId: child, settings: { requireMfa: true } });
    const owner = await signedIn(app, child, { roles: ['owner'] });
    expect((await ask(owner, strict).expect(403)).body.code).toBe('mfa_required');
    const mfaSession = await openSession(app, owner, { at: child, methods: ['password', 'totp'] });
    expect((await permissionsOf(mfaSession, strict)).permissions).toEqual(['*']);
  });
});
