import { beforeEach, describe, expect, it } from '@jest/globals';
import { OrganizationPurgeService } from '#directory/organizations';
import { countDifferences } from '../support/counts.js';
import type { TestBody } from '../support/http-client.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { later } from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const MONTH_MS = 31 * 86_400_000;

const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;

describe('a group with roles', () => {
  const app = testApp();
  let root: string;
  let left: string;
  let right: string;
  let moved: string;

  const child = async (parentId: string): Promise<string> => (await newOrganization(app, { parentId })).id;
  const user = async (organization: string): Promise<string> =>
    (await made(app, at(organization, '/users'), { email: newAddress() })).id;
  const role = async (organization: string, permissions: string[]): Promise<string> =>
    (await made(app, at(organization, '/roles'), { name: `Role ${newAddress()}`, permissions })).id;
  const group = async (organization: string, roles: string[], userIds: string[] = []): Promise<string> => {
    const { id } = await made(app, at(organization, '/groups'), { name: `Group ${newAddress()}` });
    for (const roleId of roles) await made(app, at(organization, `/groups/${id}/roles`), { roleId });
    if (userIds.length > 0) await app.api.platform.post(at(organization, `/groups/${id}/members`), { userIds }).expect(200);
    return id;
  };
  const rolesOf = async (organization: string, id: string): Promise<string[]> =>
    (await app.api.platform.get(at(organization, `/groups/${id}/roles`)).expect(200)).body.data.map(
      ({ roleId }: TestBody) => roleId,
    );
  const canRead = async (organization: string, userId: string, permission: string): Promise<boolean> =>
    (await app.api.platform.post(at(organization, '/permissions/check'), { userId, permission }).expect(200)).body.data.allowed;

  beforeEach(async () => {
    root = (await newOrganization(app)).id;
    [left, right] = [await child(root), await child(root)];
    moved = await child(left);
  });

  describe('when a role is deleted', () => {
    it('keeps the role in use, also in a descendant, and gets the replacement', async () => {
      const [billing, reader] = [await role(root, ['invoices:read']), await role(root, ['reports:read'])];
      const ada = await user(moved);
      const [one, both] = [await group(moved, [billing], [ada]), await group(root, [billing, reader])];
      expect((await app.api.platform.delete(at(root, `/roles/${billing}`)).expect(409)).body.code).toBe('role_in_use');
      const owner = await app.api.platform.delete(at(root, `/roles/${billing}?reassignTo=owner`)).expect(422);
      expect(owner.body.code).toBe('role_not_for_groups');
      expect(await canRead(moved, ada, 'invoices:read')).toBe(true);
      await app.api.platform.delete(at(root, `/roles/${billing}?reassignTo=${reader}`)).expect(204);
      expect([await rolesOf(moved, one), await rolesOf(root, both)]).toEqual([[reader], [reader]]);
      expect([await canRead(moved, ada, 'invoices:read'), await canRead(moved, ada, 'reports:read')]).toEqual([false, true]);
    });

    it('can be deleted after its revocation from the group', async () => {
      const billing = await role(root, ['invoices:read']);
      const id = await group(root, [billing]);
      await app.api.platform.delete(at(root, `/groups/${id}/roles/${billing}`)).expect(204);
      await app.api.platform.delete(at(root, `/roles/${billing}`)).expect(204);
    });

    it('requires the permissions of the role, also if only a group has it', async () => {
      const everything = await role(root, ['*']);
      await group(root, [everything]);
      const admin = await signedIn(app, root, { roles: ['admin'] });
      await admin.client.delete(at(root, `/roles/${everything}?reassignTo=viewer`)).expect(403);
    });
  });

  describe('when an organization moves', () => {
    const preview = async (): Promise<TestBody> =>
      (await app.api.platform.post(at(moved, '/move/preview'), { parentId: right }).expect(200)).body.data;

    it('is named in the permissions that its members gain and lose', async () => {
      const [loser, gainer, both] = [await user(left), await user(right), await user(root)];
      for (const organization of [left, right])
        await app.api.platform.post(at(organization, '/members'), { userId: both, role: 'member' }).expect(201);
      const [previous, next] = [await group(left, ['viewer'], [loser, both]), await group(right, ['viewer'], [gainer, both])];
      const { gained, lost } = (await preview()).permissions;
      const because = ({ because: reasons }: TestBody): TestBody[] =>
        reasons.filter(({ source }: TestBody) => source === 'group');
      expect(lost.filter(({ id }: TestBody) => id === loser)).toMatchObject([
        { type: 'user', permissions: expect.arrayContaining(['users:read']) },
      ]);
      expect(because(lost.find(({ id }: TestBody) => id === loser))).toMatchObject([
        { organizationId: left, source: 'group', groupId: previous, roleId: 'role_viewer' },
      ]);
      expect(because(gained.find(({ id }: TestBody) => id === gainer))).toMatchObject([{ organizationId: right, groupId: next }]);
      expect([...gained, ...lost].filter(({ id }: TestBody) => id === both)).toEqual([]);
      await app.api.platform.post(at(moved, '/move'), { parentId: right }).expect(200);
      expect([await canRead(moved, loser, 'webhooks:read'), await canRead(moved, gainer, 'webhooks:read')]).toEqual([
        false,
        true,
      ]);
    });

    it('keeps an administrator without the permissions of a group from moving the organization', async () => {
      await group(right, [await role(right, ['*'])], [await user(right)]);
      const mover = await signedIn(app, root, { roles: ['admin'] });
      const { body } = await mover.client.post(at(moved, '/move'), { parentId: right }).expect(403);
      expect(body.detail).toContain('gain');
    });

    it('keeps the organization in place while the group has a role of a previous ancestor', async () => {
      const billing = await role(left, ['invoices:read']);
      const id = await group(moved, [billing]);
      const { body } = await app.api.platform.post(at(moved, '/move'), { parentId: right }).expect(409);
      expect(body).toMatchObject({ code: 'ancestor_role_in_use' });
      await app.api.platform.delete(at(moved, `/groups/${id}/roles/${billing}`)).expect(204);
      await app.api.platform.post(at(moved, '/move'), { parentId: right }).expect(200);
      await app.api.platform.post(at(moved, `/groups/${id}/roles`), { roleId: billing }).expect(404);
    });
  });

  it('is the source of the roles of its members in the access report', async () => {
    const [ada, bob, gone] = [await user(left), await user(left), await user(left)];
    const id = await group(left, ['viewer', 'admin'], [ada, bob, gone]);
    await group(left, ['viewer']);
    await app.api.platform.delete(at(left, `/users/${gone}`)).expect(204);
    const read = async (organization: string, format: string): Promise<string> => {
      const headers = { authorization: `Bearer ${app.platformKey}` };
      return (await fetch(`${app.url}${at(organization, `/access-report?format=${format}`)}`, { headers })).text();
    };
    for (const [organization, inherited] of [
      [left, false],
      [moved, true],
    ] as const) {
      const lines = (await read(organization, 'ndjson'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const ofGroup = lines.filter(({ source }) => source === 'group');
      expect(ofGroup.map(({ id: userId, roleId }) => [userId, roleId])).toEqual([
        [ada, 'role_admin'],
        [ada, 'role_viewer'],
        [bob, 'role_admin'],
        [bob, 'role_viewer'],
      ]);
      expect(ofGroup[0]).toMatchObject({
        kind: 'user',
        inherited,
        organizationId: left,
        groupId: id,
        assignedBy: { type: 'api' },
      });
    }
    expect(await read(left, 'csv')).toContain(`,${id},Group `);
  });

  it('loses members whose managing organization is purged', async () => {
    const ada = await user(moved);
    await app.api.platform.post(at(right, '/members'), { userId: ada }).expect(201);
    const id = await group(right, ['viewer'], [ada, await user(right)]);
    await app.api.platform.delete(at(moved)).expect(204);
    await later(app, MONTH_MS, () => app.app.get(OrganizationPurgeService).purgeDue());
    expect(await app.database.query('SELECT user_id FROM group_members WHERE group_id = $1', [id])).toHaveLength(1);
    expect((await app.api.platform.get(at(right, `/groups/${id}`)).expect(200)).body.data.memberCount).toBe(1);
    expect(await countDifferences(app.database)).toEqual([]);
  });
});
