import { describe, expect, it } from '@jest/globals';
import type { TestClient } from '../support/http-client.js';
import { identityProvider } from '../support/oidc.js';
import { at, keyClient, made, newOrganization, read } from '../support/organizations.js';
import { becomeStale } from '../support/sign-in.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

interface Tree {
  root: string;
  left: string;
  right: string;
  moved: string;
}

describe('the permission to move an organization', () => {
  const app = testApp();

  async function newTree(): Promise<Tree> {
    const root = (await newOrganization(app)).id;
    const child = async (parentId: string, name: string) => (await newOrganization(app, { parentId, name })).id as string;
    const left = await child(root, 'Left');
    return { root, left, right: await child(root, 'Right'), moved: await child(left, 'Moved') };
  }

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

  it('rejects a move through which the caller gains permissions', async () => {
    const tree = await newTree();
    const caller = await userWith(tree, { left: MOVE, right: [...MOVE, 'users:*'] });
    expect(await outcome(caller.client, tree)).toMatch(/^403 .*gain permissions.*users:\*/);
    await grant(tree.moved, caller, ['users:*']);
    expect(await outcome(caller.client, tree)).toMatch(/^200 /);
  });

  it('rejects a move through which another user or an API key gains permissions that the caller lacks', async () => {
    for (const gain of [
      (tree: Tree) => signedIn(app, tree.right, { roles: ['owner'] }),
      (tree: Tree) => keyClient(app, tree.right, ['users:read']),
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

  it('lets callers give up their own permissions', async () => {
    const tree = await newTree();
    const { client } = await userWith(tree, { left: [...MOVE, 'users:*'], right: MOVE });
    expect(await outcome(client, tree)).toMatch(/^200 /);
    expect((await client.get(at(tree.moved, '/users'))).status).toBe(403);
  });

  it("does not count the caller's permissions from break-glass access", async () => {
    const tree = await newTree();
    await signedIn(app, tree.right, { roles: ['owner'] });
    const { client } = await userWith(tree, { root: [...MOVE, 'break_glass:request'] });
    const request = await client.post(at(tree.root, '/break-glass'), { reason: 'Fire', durationSeconds: 60 }).expect(201);
    await app.api.platform.post(at(tree.root, `/break-glass/${request.body.data.id}/approve`)).expect(200);
    expect(await outcome(client, tree)).toMatch(/^403 .*gain permissions/);
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

  it('rejects a change of the allowed networks without all permissions', async () => {
    const tree = await newTree();
    await app.api.platform
      .patch(at(tree.left), { settings: { allowedNetworks: ['127.0.0.0/8', '::1/128', '::ffff:127.0.0.0/104'] } })
      .expect(200);
    await expectOnlyForOwners(tree, /^403 .*allowedNetworks/);
  });

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

  it('rejects a new default role with permissions that the caller lacks', async () => {
    const tree = await newTree();
    await app.api.platform.patch(at(tree.right), { settings: { defaultRole: 'admin' } }).expect(200);
    await expectOnlyForOwners(tree, /^403 The default role "admin"/);
  });

  it('requires MFA and an allowed network for the new parent', async () => {
    for (const settings of [{ requireMfa: true }, { allowedNetworks: ['192.0.2.0/24'] }]) {
      const tree = await newTree();
      await app.api.platform.patch(at(tree.right), { settings }).expect(200);
      const { client } = await userWith(tree, { root: ['*'] });
      expect(await outcome(client, tree)).toMatch(/^404 /);
    }
  });

  it('requires a recent sign-in for the move, but not for the preview', async () => {
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
