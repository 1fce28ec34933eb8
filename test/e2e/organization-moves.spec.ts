import { describe, expect, it } from '@jest/globals';
import { newId } from '#platform/common';
import { numberedEvents } from '../support/event-log.js';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { at, keyClient, made, newOrganization, newUser, read } from '../support/organizations.js';
import { signedIn, type SignedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';
import { identityProvider } from '../support/oidc.js';
import { becomeStale } from '../support/sign-in.js';

interface Tree {
  root: string;
  /** The children of the root organization. */
  left: string;
  right: string;
  /** The organization that moves, a child of `left`, and its child. */
  moved: string;
  leaf: string;
}

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

describe('the move of an organization', () => {
  const move = (id: string, parentId: string) => app.api.platform.post(at(id, '/move'), { parentId });
  const preview = (id: string, parentId: string) => app.api.platform.post(at(id, '/move/preview'), { parentId });
  const patch = (id: string, body: object) => app.api.platform.patch(at(id), body).expect(200);
  const expectRejected = async (id: string, parentId: string, status: number, code: string): Promise<void> => {
    for (const response of [await preview(id, parentId), await move(id, parentId)])
      expect([response.status, response.body.code]).toEqual([status, code]);
  };

  /** `organization-property.spec.ts` compares the trees, plans and previews. */
  it('publishes one event with the changed settings of the organization and its descendants, and none if the parent stays the same', async () => {
    const { root, left, right, moved, leaf } = await newTree({ settings: { requireMfa: true } });
    const { slug } = await read(app, at(right));
    const [event, ...more] = await eventsDuring(app, async () => {
      const { headers } = await move(moved, slug).expect(200);
      expect(headers.get('etag')).toBe((await app.api.platform.get(at(moved)).expect(200)).headers.get('etag'));
    });
    expect((await read(app, at(root, '/hierarchy'))).children).toMatchObject([{ children: [] }, { children: [{ id: moved }] }]);

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
    const before = await app.api.platform.get(at(moved)).expect(200);
    const events = await eventsDuring(app, async () => {
      const { body } = await move(moved, right).expect(200);
      expect(body.data).toMatchObject({ parent: { from: { id: right }, to: { id: right } }, settings: [], locks: [] });
      expect(body).toEqual((await preview(moved, right).expect(200)).body);
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
    await move(moved, right).expect(409, 'organization_suspended');
    await app.api.platform.post(at(right, '/activate')).expect(200);
    await app.api.platform.post(at(left, '/suspend')).expect(200);
    await move(moved, right).expect(409, 'organization_suspended');
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
    expect(gained.find(({ id }: TestBody) => id === next.id).because).toEqual([
      { organizationId: right, organizationName: 'Right', source: 'assignment', roleId: 'role_viewer', roleName: 'viewer' },
    ]);
    expect(lost).toMatchObject([{ id: former.id, because: [{ organizationId: left, roleId: 'role_admin' }] }]);
  });

  it('rejects a move away from a role that is in use, until the role is replaced', async () => {
    const { left, right, moved, leaf } = await newTree();
    const role = await made(app, at(left, '/roles'), { name: 'auditor', permissions: ['audit:read'] });
    const user = await newUser(app, leaf, { roles: [role.id] });
    await patch(moved, { settings: { defaultRole: role.id } });

    await expectRejected(moved, right, 409, 'ancestor_role_in_use');
    expect((await move(moved, right)).body.detail).toContain(`"auditor" (${role.id})`);
    await app.api.platform.post(at(leaf, '/members'), { userId: user.id, role: 'viewer' });
    await app.api.platform.delete(at(leaf, `/users/${user.id}/roles/${role.id}`));
    await expectRejected(moved, right, 409, 'ancestor_role_in_use');
    await patch(moved, { settings: { defaultRole: 'viewer' } });
    await app.api.platform.delete(at(leaf, `/users/${user.id}/roles/${role.id}`));
    const deleted = await newUser(app, leaf, { roles: [role.id] });
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
    const before = await newUser(app, leaf);
    await move(moved, right).expect(200);
    const after = await newUser(app, leaf);

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

describe('the permission to move an organization', () => {
  let roleCount = 0;
  const newRole = async (organization: string, permissions: readonly string[]): Promise<string> =>
    (await made(app, at(organization, '/roles'), { name: `role ${++roleCount}`, permissions })).id;
  /** Grants permissions to a user in an organization, with a new role of the organization. */
  async function grant(organization: string, user: { id: string }, permissions: readonly string[]): Promise<void> {
    await made(app, at(organization, '/members'), { userId: user.id, role: await newRole(organization, permissions) });
  }

  /** Returns a user of the root organization without permissions except those of a member. */
  async function userWith(tree: Tree, grants: Readonly<Partial<Record<keyof Tree, readonly string[]>>>): Promise<SignedIn> {
    const { root = [], ...others } = grants;
    const user = await signedIn(app, tree.root, { roles: [await newRole(tree.root, root)] });
    for (const [place, permissions] of Object.entries(others)) await grant(tree[place as keyof Tree], user, permissions);
    return user;
  }

  /** Previews and sends the move. Asserts that both have the same result, and that a rejected move changes nothing. */
  async function outcome(client: TestClient, { moved, right: parentId, left }: Tree): Promise<string> {
    const preview = await client.post(at(moved, '/move/preview'), { parentId });
    const move = await client.post(at(moved, '/move'), { parentId });
    expect((await read(app, at(moved))).parentId).toBe(move.status === 200 ? parentId : left);
    const [previewed, done] = [preview, move].map(({ status, body }) => `${status} ${body.detail ?? ''}`);
    expect(previewed).toBe(done);
    return done!;
  }

  const MOVE = ['organizations:write'];

  /** Asserts that a caller with only the permission to move gets the rejection, and that an owner can move the organization. */
  async function expectOnlyForOwners(tree: Tree, rejection: RegExp): Promise<void> {
    const caller = await userWith(tree, { root: MOVE });
    expect(await outcome(caller.client, tree)).toMatch(rejection);
    const owner = await userWith(tree, { root: ['*'] });
    expect(await outcome(owner.client, tree)).toMatch(/^200 /);
  }

  it('requires organizations:write in the organization and in both parents', async () => {
    for (const [grants, expected] of [
      [{ left: MOVE, right: MOVE }, /^200 /],
      [{ moved: MOVE, right: MOVE }, /^403 .*current parent/],
      [{ left: ['organizations:read'], right: MOVE }, /^403 .*requires the permission "organizations:write"/],
      [{ left: MOVE }, /^404 /],
      [{ left: MOVE, right: ['organizations:read'] }, /^404 /],
      [{ right: MOVE }, /^403 .*requires the permission "organizations:write"/],
    ] as const) {
      const tree = await newTree();
      const { client } = await userWith(tree, grants);
      expect(await outcome(client, tree)).toMatch(expected);
    }
  });

  it('rejects a move through which the caller gains permissions, and lets callers give up their own permissions', async () => {
    const tree = await newTree();
    const caller = await userWith(tree, { left: MOVE, right: [...MOVE, 'users:*'] });
    expect(await outcome(caller.client, tree)).toMatch(/^403 .*gain permissions.*users:\*/);
    await grant(tree.moved, caller, ['users:*']);
    expect(await outcome(caller.client, tree)).toMatch(/^200 /);
    const other = await newTree();
    const { client } = await userWith(other, { left: [...MOVE, 'users:*'], right: MOVE });
    expect(await outcome(client, other)).toMatch(/^200 /);
    expect((await client.get(at(other.moved, '/users'))).status).toBe(403);
  });

  it('rejects a move through which another user, an API key or a machine client gains permissions that the caller lacks', async () => {
    for (const gain of [
      (tree: Tree) => signedIn(app, tree.right, { roles: ['owner'] }),
      (tree: Tree) => keyClient(app, tree.right, ['users:read']),
      (tree: Tree) => {
        const resources = [{ identifier: app.config.baseUrl, scopes: ['users:read'] }];
        return made(app, at(tree.right, '/oauth-clients'), { name: 'Sync', type: 'machine', resources });
      },
      // A suspended user can be activated again.
      async (tree: Tree) => {
        const { id } = await signedIn(app, tree.right, { roles: ['owner'] });
        await app.api.platform.post(at(tree.right, `/users/${id}/suspend`)).expect(200);
      },
    ]) {
      const tree = await newTree();
      await gain(tree);
      await expectOnlyForOwners(tree, /^403 .*gain permissions/);
    }
  });

  it('rejects a move through which another user loses permissions that the caller lacks', async () => {
    const tree = await newTree();
    const admin = await userWith(tree, { left: ['users:write'] });
    await signedIn(app, tree.left, { roles: ['member'] });
    const caller = await userWith(tree, { root: MOVE });
    expect(await outcome(caller.client, tree)).toMatch(/^403 .*lose permissions.*users:write/);
    await app.api.platform.delete(at(tree.left, `/members/${admin.id}`)).expect(204);
    expect(await outcome(caller.client, tree)).toMatch(/^200 /);
  });

  it('rejects a move that changes the webhooks without events:read', async () => {
    for (const place of ['left', 'right'] as const) {
      const tree = await newTree();
      const body = { url: 'http://127.0.0.1:9/', events: ['*'], includeDescendants: true };
      await made(app, at(tree[place], '/webhooks'), body);
      const { client } = await userWith(tree, { root: MOVE });
      expect(await outcome(client, tree)).toMatch(/^403 .*events:read/);
      const reader = await userWith(tree, { root: [...MOVE, 'events:read'] });
      expect(await outcome(reader.client, tree)).toMatch(/^200 /);
    }
  });

  it('rejects a move out of a lock or suspension that the caller cannot end', async () => {
    const tree = await newTree();
    const parent = (await newOrganization(app, { parentId: tree.left, name: 'Parent' })).id as string;
    await app.api.platform.post(at(tree.moved, '/move'), { parentId: parent }).expect(200);
    await app.api.platform.patch(at(tree.left), { settings: { requireMfa: false }, lockedSettings: ['requireMfa'] }).expect(200);
    const caller = await userWith(tree, { right: MOVE });
    await grant(parent, caller, MOVE);
    const nested = { ...tree, left: parent };
    expect(await outcome(caller.client, nested)).toMatch(/^403 The organization "Left" .* locks/);
    await app.api.platform.patch(at(tree.left), { lockedSettings: [] }).expect(200);

    const leaf = (await newOrganization(app, { parentId: tree.moved })).id as string;
    const suspender = await keyClient(app, tree.left, MOVE);
    await suspender.post(at(leaf, '/suspend')).expect(200);
    expect(await outcome(caller.client, nested)).toMatch(/^403 The organization "Left" .* suspended/);
    await grant(tree.left, caller, MOVE);
    expect(await outcome(caller.client, nested)).toMatch(/^200 /);
  });

  it.each([
    ['the allowed networks', 'left', { allowedNetworks: ['127.0.0.0/8', '::1/128', '::ffff:127.0.0.0/104'] }, /allowedNetworks/],
    ['the default role', 'right', { defaultRole: 'admin' }, /The default role "admin"/],
  ] as const)(
    'rejects a change of %s without the permissions that the setting requires',
    async (_, place, settings, rejection) => {
      const tree = await newTree();
      await app.api.platform.patch(at(tree[place]), { settings }).expect(200);
      await expectOnlyForOwners(tree, new RegExp(`^403 .*${rejection.source}`));
    },
  );

  it('rejects a new ancestor with a trusted identity provider without all permissions', async () => {
    for (const trust of [{ trustedDomains: ['acme.example'] }, { mfaTrusted: true }]) {
      const tree = await newTree();
      await identityProvider(app, tree.right, 'https://login.example.com', { name: 'Untrusted' });
      const { client } = await userWith(tree, { root: MOVE });
      expect((await client.post(at(tree.moved, '/move/preview'), { parentId: tree.right })).status).toBe(200);
      await identityProvider(app, tree.right, 'https://login.example.com', trust);
      await expectOnlyForOwners(tree, /^403 A trusted identity provider/);
    }
  });

  it('requires MFA, an allowed network for the new parent, and a recent sign-in, but not for the preview', async () => {
    for (const settings of [{ requireMfa: true }, { allowedNetworks: ['192.0.2.0/24'] }]) {
      const tree = await newTree();
      await app.api.platform.patch(at(tree.right), { settings }).expect(200);
      const { client } = await userWith(tree, { root: ['*'] });
      expect(await outcome(client, tree)).toMatch(/^404 /);
    }
    const tree = await newTree();
    const { client } = await userWith(tree, { root: ['*'] });
    await becomeStale(app);
    const body = { parentId: tree.right };
    await client.post(at(tree.moved, '/move/preview'), body).expect(200);
    const { body: problem } = await client.post(at(tree.moved, '/move'), body).expect(401);
    expect(problem.code).toBe('reauthentication_required');
  });

  it('hides the names of users, API keys and webhooks that the caller cannot read', async () => {
    const tree = await newTree();
    const member = await signedIn(app, tree.right, { roles: ['member'] });
    const webhook = { name: 'Billing', url: 'http://127.0.0.1:9/', events: ['*'], includeDescendants: true };
    await made(app, at(tree.right, '/webhooks'), webhook);
    const previewOf = async (permissions: string[]) => {
      const left = [...MOVE, 'members:read', 'organizations:read', 'events:read'];
      const { client } = await userWith(tree, { left, right: permissions });
      const { data } = (await client.post(at(tree.moved, '/move/preview'), { parentId: tree.right }).expect(200)).body;
      return [data.permissions.gained.find(({ id }: { id: string }) => id === member.id).name, data.webhooks.gained[0].name];
    };
    expect(await previewOf(MOVE)).toEqual([null, null]);
    expect(await previewOf([...MOVE, 'members:read'])).toEqual([member.email, null]);
  });
});
