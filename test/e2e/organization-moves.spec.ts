import { describe, expect, it } from '@jest/globals';
import { newId } from '#platform/common';
import { numberedEvents } from '../support/event-log.js';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody } from '../support/http-client.js';
import { at, keyClient, made, newAddress, newOrganization, read } from '../support/organizations.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

interface Tree {
  root: string;
  /** The children of the root organization. */
  left: string;
  right: string;
  /** The organization that moves, a child of `left`, and its child. */
  moved: string;
  leaf: string;
}

describe('the move of an organization', () => {
  const app = testApp();

  const child = async (parentId: string, fields: object = {}): Promise<string> =>
    (await newOrganization(app, { parentId, ...fields })).id;
  async function newTree(right: object = {}): Promise<Tree> {
    const root = (await newOrganization(app)).id;
    const left = await child(root, { name: 'Left' });
    const moved = await child(left, { name: 'Moved' });
    const leaf = await child(moved, { name: 'Leaf' });
    return { root, left, right: await child(root, { name: 'Right', ...right }), moved, leaf };
  }
  const move = (id: string, parentId: string) => app.api.platform.post(at(id, '/move'), { parentId });
  const preview = (id: string, parentId: string) => app.api.platform.post(at(id, '/move/preview'), { parentId });
  const patch = (id: string, body: object) => app.api.platform.patch(at(id), body).expect(200);
  const parentOf = async (id: string): Promise<string> => (await read(app, at(id))).parentId;
  /** Expects the preview and the move to be rejected. */
  const expectRejected = async (id: string, parentId: string, status: number, code: string): Promise<void> => {
    for (const response of [await preview(id, parentId), await move(id, parentId)])
      expect([response.status, response.body.code]).toEqual([status, code]);
  };

  it('moves the organization with its descendants, including deleted descendants', async () => {
    const { root, left, right, moved, leaf } = await newTree();
    const deleted = await child(leaf);
    await app.api.platform.delete(at(deleted)).expect(204);

    const { slug } = await read(app, at(right));
    const previewed = await preview(moved, slug).expect(200);
    expect(await parentOf(moved)).toBe(left);
    const { body, headers } = await move(moved, slug).expect(200);
    expect(headers.get('etag')).toBe((await app.api.platform.get(at(moved)).expect(200)).headers.get('etag'));

    expect(body).toEqual(previewed.body);
    expect(body.data).toMatchObject({
      id: moved,
      parent: { from: { id: left, name: 'Left' }, to: { id: right, name: 'Right' } },
      organizationCount: 2,
      depth: { from: 5, to: 5, limit: 32 },
    });
    expect(await parentOf(moved)).toBe(right);
    const hierarchy = await read(app, at(root, '/hierarchy'));
    expect(hierarchy.children.map(({ name, children }: TestBody) => [name, children.length])).toEqual([
      ['Left', 0],
      ['Right', 1],
    ]);
    await app.api.platform.post(at(deleted, '/restore')).expect(200);
  });

  it('publishes one event with the changed settings of the organization and its descendants', async () => {
    const { left, right, moved, leaf } = await newTree({ settings: { requireMfa: true } });
    const [event, ...more] = await eventsDuring(app, () => move(moved, right).expect(200));

    expect(more).toEqual([]);
    expect(event).toMatchObject({ type: 'organization.moved', organization: { id: moved, name: 'Moved' } });
    expect(event!.data).toMatchObject({
      id: moved,
      parentId: right,
      settings: { requireMfa: true },
      changes: { parentId: { from: left, to: right }, settings: { from: { requireMfa: false }, to: { requireMfa: true } } },
      organizationCount: 2,
      changedDescendantCount: 1,
    });
    expect(event!.data.changedDescendants).toEqual([
      {
        id: leaf,
        name: 'Leaf',
        changes: { requireMfa: { from: false, to: true }, 'passwordPolicy.minLength': { from: 15, to: 8 } },
      },
    ]);
  });

  it('has no effect and publishes no event if the parent stays the same', async () => {
    const { left, moved } = await newTree();
    const before = await app.api.platform.get(at(moved)).expect(200);
    const events = await eventsDuring(app, async () => {
      const { body } = await move(moved, left).expect(200);
      expect(body.data).toMatchObject({ parent: { from: { id: left }, to: { id: left } }, settings: [], locks: [] });
      expect(body).toEqual((await preview(moved, left).expect(200)).body);
    });
    expect(events).toEqual([]);
    const after = await app.api.platform.get(at(moved)).expect(200);
    expect([after.body, after.headers.get('etag')]).toEqual([before.body, before.headers.get('etag')]);
  });

  it('rejects a root organization, another tenant, a cycle, an unknown parent and too many levels', async () => {
    const [{ root, left, right, moved, leaf }, other] = [await newTree(), await newTree()];
    await expectRejected(root, other.root, 422, 'organization_not_movable');
    await expectRejected(root, left, 422, 'organization_not_movable');
    await expectRejected(moved, other.left, 422, 'organization_not_movable');
    await expectRejected(moved, moved, 409, 'organization_cycle');
    await expectRejected(left, leaf, 409, 'organization_cycle');
    await expectRejected(moved, newId('organization'), 404, 'organization_not_found');
    await expectRejected(moved, '\0', 400, 'validation_failed');
    let deep = right;
    for (let level = 3; level <= 31; level++) deep = await child(deep);
    await expectRejected(moved, deep, 422, 'hierarchy_too_deep');
    await move(leaf, deep).expect(200);
  });

  it('rejects deleted and suspended organizations as parent and as moved organization', async () => {
    const { left, right, moved, leaf } = await newTree();
    await app.api.platform.delete(at(leaf)).expect(204);
    await expectRejected(leaf, right, 404, 'organization_not_found');
    await expectRejected(moved, leaf, 404, 'organization_not_found');
    await app.api.platform.post(at(right, '/suspend')).expect(200);
    await preview(moved, right).expect(200);
    expect((await move(moved, right).expect(409)).body.code).toBe('organization_suspended');
    await app.api.platform.post(at(right, '/activate')).expect(200);
    await app.api.platform.post(at(left, '/suspend')).expect(200);
    expect((await move(moved, right).expect(409)).body.code).toBe('organization_suspended');
  });

  it('grants and revokes the permissions of roles and API keys of ancestors immediately', async () => {
    const { left, right, moved, leaf } = await newTree();
    const former = await signedIn(app, left, { roles: ['admin'] });
    const next = await signedIn(app, right, { roles: ['viewer'] });
    const key = await made(app, at(right, '/api-keys'), { name: 'Sync', scopes: ['users:read'] });
    const clients = [former.client, next.client, app.api.as(key.key)];
    const statuses = () => Promise.all(clients.map(async (client) => (await client.get(at(leaf, '/users'))).status));

    expect(await statuses()).toEqual([200, 404, 404]);
    const { gained, lost } = (await move(moved, right).expect(200)).body.data.permissions;
    expect(await statuses()).toEqual([404, 200, 200]);

    const place = { organizationId: right, organizationName: 'Right' };
    const byRole = { ...place, source: 'assignment', roleId: 'role_viewer', roleName: 'viewer' };
    expect(Object.fromEntries(gained.map(({ id, because }: TestBody) => [id, because]))).toEqual({
      [next.id]: [byRole],
      [key.id]: [{ ...place, source: 'api_key' }],
    });
    expect(lost).toMatchObject([{ id: former.id, because: [{ organizationId: left, roleId: 'role_admin' }] }]);
  });

  it('rejects a move away from a role that is in use, until the role is replaced', async () => {
    const { left, right, moved, leaf } = await newTree();
    const role = await made(app, at(left, '/roles'), { name: 'auditor', permissions: ['audit:read'] });
    const user = await made(app, at(leaf, '/users'), { email: newAddress(), roles: [role.id] });
    await patch(moved, { settings: { defaultRole: role.id } });

    await expectRejected(moved, right, 409, 'ancestor_role_in_use');
    expect((await move(moved, right)).body.detail).toContain(`"auditor" (${role.id})`);
    await app.api.platform.post(at(leaf, '/members'), { userId: user.id, role: 'viewer' });
    await app.api.platform.delete(at(leaf, `/users/${user.id}/roles/${role.id}`));
    await expectRejected(moved, right, 409, 'ancestor_role_in_use');
    await patch(moved, { settings: { defaultRole: 'viewer' } });
    await app.api.platform.delete(at(leaf, `/users/${user.id}/roles/${role.id}`));
    const deleted = await made(app, at(leaf, '/users'), { email: newAddress(), roles: [role.id] });
    await app.api.platform.delete(at(leaf, `/users/${deleted.id}`)).expect(204);
    expect((await move(moved, right).expect(409)).body.detail).toContain(
      `"auditor" (${role.id}, used only by deleted users or organizations, which can be restored for 30 days)`,
    );
    await app.api.platform.delete(at(leaf, `/users/${deleted.id}?permanent=true`)).expect(204);
    await move(moved, right).expect(200);
  });

  it('delivers later events to the webhooks of the new ancestors, and earlier events to those of the previous ancestors', async () => {
    const { root, left, right, moved, leaf } = await newTree();
    const webhook = (id: string, name: string) =>
      made(app, at(id, '/webhooks'), {
        name,
        url: 'http://127.0.0.1:9/',
        events: ['user.created', 'organization.moved'],
        includeDescendants: true,
      });
    for (const [name, id] of Object.entries({ root, left, right })) await webhook(id, name);
    const before = await made(app, at(leaf, '/users'), { email: newAddress() });
    await move(moved, right).expect(200);
    const after = await made(app, at(leaf, '/users'), { email: newAddress() });

    await numberedEvents(app);
    const deliveries = await app.database.query<{ id: string; names: string[] }>(
      `SELECT coalesce(e.payload::jsonb #>> '{data,id}', e.type) AS id, array_agg(w.name ORDER BY w.name) AS names FROM events e
       JOIN deliveries d ON d.tenant_id = e.tenant_id AND d.event_id = e.id
       JOIN webhooks w ON w.tenant_id = e.tenant_id AND w.id = d.webhook_id WHERE e.tenant_id = $1 GROUP BY 1`,
      [root],
    );
    expect(Object.fromEntries(deliveries.map(({ id, names }) => [id, names]))).toEqual({
      [before.id]: ['left', 'root'],
      [moved]: ['left', 'right', 'root'],
      [after.id]: ['right', 'root'],
    });
  });

  it('lets the new parent end a suspension by a previous ancestor', async () => {
    const { left, right, moved, leaf } = await newTree();
    const leftKey = await keyClient(app, left, ['*']);
    const rightKey = await keyClient(app, right, ['*']);
    await leftKey.post(at(leaf, '/suspend')).expect(200);
    await move(moved, right).expect(200);
    await rightKey.post(at(leaf, '/activate')).expect(200);
  });
});
