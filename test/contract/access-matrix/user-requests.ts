import { at, type MatrixRows, onNew, sends } from './row.js';
import { WITHOUT_PERMISSIONS } from './setup.js';

export const USER_ROWS: MatrixRows = {
  listMembers: sends('/members'),
  addMember: sends('/members', async (setup, { child }) => ({ userId: await setup.createResource('users', child) })),
  removeMember: async (setup, orgs) => ({ path: at(orgs, `/members/${await setup.createResource('users', orgs.own)}`) }),
  assignRole: async (setup, orgs) => ({
    path: at(orgs, `/users/${await setup.createResource('users', orgs.own)}/roles`),
    body: { roleId: setup.fixtures.role },
  }),
  revokeRole: onNew('users', '/roles/role_member'),
  listUsers: sends('/users'),
  importUsers: (setup, orgs) => ({
    path: at(orgs, '/users/import'),
    type: 'application/x-ndjson',
    body: JSON.stringify(setup.body('users')),
  }),
  exportUsers: sends('/users/export'),
  exportUserData: sends(({ fixtures }) => `/users/${fixtures.user}/export`, undefined, {
    additionalPermissions: ['members:read', 'roles:read', 'sessions:read', 'events:read', 'api_keys:read', 'webhooks:read'],
  }),
  createUser: sends('/users', (setup) => setup.body('users')),
  getUser: sends(({ fixtures }) => `/users/${fixtures.user}`),
  updateUser: sends(({ fixtures }) => `/users/${fixtures.user}`, { firstName: 'Changed' }),
  deleteUser: onNew('users'),
  suspendUser: onNew('users', '/suspend', { reason: 'Matrix' }),
  activateUser: onNew('users', '/activate'),
  restoreUser: async (setup, orgs) => {
    const user = at(orgs, `/users/${await setup.createResource('users', orgs.own)}`);
    await setup.app.api.platform.delete(user).expect(204);
    return { path: `${user}/restore` };
  },
  inviteUser: onNew('users', '/invitation'),
  listUserSessions: sends(({ fixtures }) => `/users/${fixtures.user}/sessions`),
  revokeUserSession: async (setup, orgs) => {
    const { id, sessionId } = await setup.newSession(orgs.own, 'member');
    return { path: at(orgs, `/users/${id}/sessions/${sessionId}`) };
  },
  revokeUserSessions: sends(({ fixtures }) => `/users/${fixtures.user}/sessions`),
  startPasswordReset: async (setup, orgs) => ({
    path: at(orgs, `/users/${(await setup.unusedUser(orgs.own, WITHOUT_PERMISSIONS)).id}/password-reset`),
  }),
};
