import { randomUUID } from 'node:crypto';
import { made, newAddress } from '../../support/organizations.js';
import type { SignedIn } from '../../support/signed-in.js';
import { at, type MatrixRow, type MatrixRows, onNew, sends } from './row.js';
import { type RequestOrganizations, type Setup, WITHOUT_PERMISSIONS } from './setup.js';

const newGroup = async (setup: Setup, orgs: RequestOrganizations): Promise<string> =>
  at(orgs, `/groups/${await setup.createResource('groups', orgs.own)}`);

/** Links the user to an identity provider of the tenant and returns the ID of the provider. */
async function linkIdentity(setup: Setup, { tenantId, id }: Pick<SignedIn, 'tenantId' | 'id'>): Promise<string> {
  const { query } = setup.app.database;
  const [known] = await query<{ id: string }>('SELECT id FROM identity_providers WHERE tenant_id = $1 LIMIT 1', [tenantId]);
  const provider = known?.id ?? (await setup.createResource('identity-providers', tenantId));
  await query(
    `INSERT INTO user_identities (tenant_id, user_id, identity_provider_id, issuer, external_id, provider, created_at)
     VALUES ($1, $2, $3, 'https://login.example.com', $4, 'Existing', now())`,
    [tenantId, id, provider, randomUUID()],
  );
  return provider;
}

/** A connection has all permissions in the organization, so its creator needs them. */
const ALL_PERMISSIONS = { additionalPermissions: ['*'] };

/** Returns a row for a request to a new connection, or to the token of a new connection. */
const onConnection = (rest = '', body?: object, more: Omit<MatrixRow, 'request'> = {}): MatrixRow => ({
  ...more,
  request: async ({ app }, orgs) => {
    const post = async (path: string): Promise<string> => `${path}/${(await made(app, path, { name: 'Matrix' })).id}`;
    const path = await post(at(orgs, '/scim-connections'));
    if (rest === '/roll-back') await app.database.query(STOP, [path.split('/').at(-1)]);
    return { path: rest.startsWith('TOKEN') ? rest.replace('TOKEN', await post(`${path}/tokens`)) : path + rest, body };
  },
});
const STOP = `UPDATE scim_connections SET mode = 'stopped', stopped_at = now() WHERE id = $1`;

/** Returns a row for a batch with a new user, whom a request changes before. `fields` are the other fields of the request. */
const onBatch =
  (
    action: string,
    fields?: (setup: Setup, orgs: RequestOrganizations) => object | Promise<object>,
    before?: readonly [method: 'POST' | 'DELETE', rest: string, body?: object],
  ) =>
  async (setup: Setup, orgs: RequestOrganizations) => {
    const user = await setup.createResource('users', orgs.own);
    const more = await fields?.(setup, orgs);
    if (before) await setup.app.api.platform.request(before[0], at(orgs, `/users/${user}${before[1]}`), before[2]);
    return { path: at(orgs, `/users/batch/${action}`), body: { userIds: [user], ...more } };
  };
const newGroupId = async (setup: Setup, orgs: RequestOrganizations) => ({
  groupId: await setup.createResource('groups', orgs.own),
});

/** The operations on users, groups and SCIM connections that `requests.ts` and `crud-resources.ts` don't derive from the OpenAPI document. */
export const USER_ROWS: MatrixRows = {
  getUserPicture: async (setup, orgs) => {
    const email = newAddress();
    const { id } = await made(setup.app, at(orgs, '/users'), { email, picture: setup.logoUrl });
    return { path: at(orgs, `/users/${id}/picture`) };
  },
  addMember: sends('/members', async (setup, { child }) => ({ userId: await setup.createResource('users', child) })),
  removeMember: async (setup, orgs) => ({ path: at(orgs, `/members/${await setup.createResource('users', orgs.own)}`) }),
  assignRole: async (setup, orgs) => ({
    path: at(orgs, `/users/${await setup.createResource('users', orgs.own)}/roles`),
    body: { roleId: setup.fixtures.role },
  }),
  revokeRole: onNew('users', '/roles/role_member'),
  importUsers: (setup, orgs) => ({
    path: at(orgs, '/users/import'),
    type: 'application/x-ndjson',
    body: JSON.stringify(setup.body('users')),
  }),
  exportUserData: sends(({ fixtures }) => `/users/${fixtures.user}/export`, undefined, {
    additionalPermissions: ['members:read', 'roles:read', 'sessions:read', 'events:read', 'api_keys:read', 'webhooks:read'],
  }),
  updateUser: sends(({ fixtures }) => `/users/${fixtures.user}`, { firstName: 'Changed' }),
  restoreUser: async (setup, orgs) => {
    const user = at(orgs, `/users/${await setup.createResource('users', orgs.own)}`);
    await setup.app.api.platform.delete(user).expect(204);
    return { path: `${user}/restore` };
  },
  inviteUsers: sends('/users/batch/invite', () => ({ emails: [newAddress()] })),
  suspendUsers: onBatch('suspend'),
  activateUsers: onBatch('activate'),
  deleteUsers: onBatch('delete'),
  restoreUsers: onBatch('restore', undefined, ['DELETE', '']),
  resendInvitations: onBatch('resend-invitation'),
  assignRoleToUsers: onBatch('assign-role', ({ fixtures }) => ({ roleId: fixtures.role })),
  revokeRoleFromUsers: onBatch('revoke-role', () => ({ roleId: 'viewer' }), ['POST', '/roles', { roleId: 'viewer' }]),
  removeMembers: onBatch('remove-member'),
  addUsersToGroup: onBatch('add-to-group', newGroupId),
  removeUsersFromGroup: async (setup, orgs) => {
    const request = await onBatch('remove-from-group', newGroupId)(setup, orgs);
    const { groupId, userIds } = request.body as { groupId?: string; userIds: string[] };
    await setup.app.api.platform.post(at(orgs, `/groups/${groupId}/members`), { userIds }).expect(200);
    return request;
  },
  revokeUserSession: async (setup, orgs) => {
    const { id, sessionId } = await setup.newSession(orgs.own, 'member');
    return { path: at(orgs, `/users/${id}/sessions/${sessionId}`) };
  },
  revokeUserSessions: sends(({ fixtures }) => `/users/${fixtures.user}/sessions`),
  startPasswordReset: async (setup, orgs) => ({
    path: at(orgs, `/users/${(await setup.unusedUser(orgs.own, WITHOUT_PERMISSIONS)).id}/password-reset`),
  }),
  listGroupMembers: async (setup, orgs) => ({ path: `${await newGroup(setup, orgs)}/members` }),
  addGroupMembers: async (setup, orgs) => ({
    path: `${await newGroup(setup, orgs)}/members`,
    body: { userIds: [await setup.createResource('users', orgs.own)] },
  }),
  removeGroupMember: async (setup, orgs) => {
    const [group, user] = [await newGroup(setup, orgs), await setup.createResource('users', orgs.own)];
    await setup.app.api.platform.post(`${group}/members`, { userIds: [user] }).expect(200);
    return { path: `${group}/members/${user}` };
  },
  listGroupRoles: async (setup, orgs) => ({ path: `${await newGroup(setup, orgs)}/roles` }),
  assignGroupRole: {
    additionalPermissions: ['members:write'],
    request: async (setup, orgs) => ({ path: `${await newGroup(setup, orgs)}/roles`, body: { roleId: setup.fixtures.role } }),
  },
  revokeGroupRole: {
    additionalPermissions: ['members:write'],
    request: async (setup, orgs) => {
      const group = await newGroup(setup, orgs);
      const roleId = setup.fixtures.role;
      await setup.app.api.platform.post(`${group}/roles`, { roleId }).expect(201);
      return { path: `${group}/roles/${roleId}` };
    },
  },
  unlinkOwnIdentity: {
    ownAccount: 'of a new user',
    request: async (setup, _orgs, credential) => {
      const user = setup.signedInBy(credential);
      const provider = user ? await linkIdentity(setup, user) : setup.fixtures.identityProvider;
      // The service rejects the removal of the last sign-in method. The user therefore has a passkey.
      if (user) await setup.app.database.query(`UPDATE users SET mfa_methods = '{passkey}' WHERE id = $1`, [user.id]);
      return { path: `/v1/auth/identities/${provider}`, body: {} };
    },
  },
  unlinkUserIdentity: async (setup, orgs) => {
    const user = await setup.unusedUser(orgs.own, WITHOUT_PERMISSIONS);
    return { path: at(orgs, `/users/${user.id}/identities/${await linkIdentity(setup, user)}`) };
  },
  createScimConnection: sends('/scim-connections', { name: 'Matrix' }, ALL_PERMISSIONS),
  getScimConnection: onConnection(),
  updateScimConnection: onConnection('', { name: 'Changed' }, ALL_PERMISSIONS),
  deleteScimConnection: onConnection('', undefined, ALL_PERMISSIONS),
  startScimPreview: onConnection('/start-preview', undefined, ALL_PERMISSIONS),
  activateScimConnection: onConnection('/activate', undefined, ALL_PERMISSIONS),
  rollBackScimConnection: onConnection('/roll-back', undefined, ALL_PERMISSIONS),
  getScimPreview: onConnection('/preview'),
  listScimPreviewUsers: onConnection('/preview/users'),
  listScimPreviewGroups: onConnection('/preview/groups'),
  listScimTokens: onConnection('/tokens'),
  createScimToken: onConnection('/tokens', { name: 'New' }, ALL_PERMISSIONS),
  rotateScimToken: onConnection('TOKEN/rotate', {}, ALL_PERMISSIONS),
  revokeScimToken: onConnection('TOKEN', undefined, ALL_PERMISSIONS),
};
