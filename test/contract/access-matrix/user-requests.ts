import { at, reads, type MatrixRow } from './row.js';

export const USER_ROWS: Readonly<Record<string, readonly MatrixRow[]>> = {
  listMembers: [reads('/members')],
  addMember: [
    {
      request: async (setup, orgs) => ({
        path: at(orgs, '/members'),
        body: { userId: await setup.createResource('users', orgs.child) },
      }),
    },
  ],
  removeMember: [
    { request: async (setup, orgs) => ({ path: at(orgs, `/members/${await setup.createResource('users', orgs.own)}`) }) },
  ],
  assignRole: [
    {
      request: async (setup, orgs) => ({
        path: at(orgs, `/users/${await setup.createResource('users', orgs.own)}/roles`),
        body: { roleId: setup.fixtures.role },
      }),
    },
  ],
  revokeRole: [
    {
      request: async (setup, orgs) => ({
        path: at(orgs, `/users/${await setup.createResource('users', orgs.own)}/roles/role_member`),
      }),
    },
  ],
  listUsers: [reads('/users')],
  importUsers: [
    {
      request: (setup, orgs) => ({
        path: at(orgs, '/users/import'),
        type: 'application/x-ndjson',
        body: JSON.stringify(setup.body('users')),
      }),
    },
  ],
  exportUsers: [reads('/users/export')],
  exportUserData: [
    {
      ...reads(({ fixtures }) => `/users/${fixtures.user}/export`),
      additionalPermissions: ['members:read', 'roles:read', 'sessions:read', 'events:read', 'api_keys:read', 'webhooks:read'],
    },
  ],
  createUser: [{ request: (setup, orgs) => ({ path: at(orgs, '/users'), body: setup.body('users') }) }],
  getUser: [reads(({ fixtures }) => `/users/${fixtures.user}`)],
  updateUser: [
    { request: ({ fixtures }, orgs) => ({ path: at(orgs, `/users/${fixtures.user}`), body: { firstName: 'Changed' } }) },
  ],
  deleteUser: [
    { request: async (setup, orgs) => ({ path: at(orgs, `/users/${await setup.createResource('users', orgs.own)}`) }) },
  ],
  suspendUser: [
    {
      request: async (setup, orgs) => ({
        path: at(orgs, `/users/${await setup.createResource('users', orgs.own)}/suspend`),
        body: { reason: 'Matrix' },
      }),
    },
  ],
  activateUser: [
    { request: async (setup, orgs) => ({ path: at(orgs, `/users/${await setup.createResource('users', orgs.own)}/activate`) }) },
  ],
  restoreUser: [
    {
      request: async (setup, orgs) => {
        const user = at(orgs, `/users/${await setup.createResource('users', orgs.own)}`);
        await setup.app.api.platform.delete(user).expect(204);
        return { path: `${user}/restore` };
      },
    },
  ],
  inviteUser: [
    {
      request: async (setup, orgs) => ({ path: at(orgs, `/users/${await setup.createResource('users', orgs.own)}/invitation`) }),
    },
  ],
  listUserSessions: [reads(({ fixtures }) => `/users/${fixtures.user}/sessions`)],
  revokeUserSession: [
    {
      request: async (setup, orgs) => {
        const { id, sessionId } = await setup.newSession(orgs.own, 'member');
        return { path: at(orgs, `/users/${id}/sessions/${sessionId}`) };
      },
    },
  ],
  revokeUserSessions: [reads(({ fixtures }) => `/users/${fixtures.user}/sessions`)],
  startPasswordReset: [
    {
      request: async (setup, orgs) => {
        // The role has no permissions. A caller can't reset the password of a user with higher privileges.
        const user = { ...setup.body('users'), roles: [setup.fixtures.role] };
        const { body } = await setup.app.api.platform.post(at(orgs, '/users'), user).expect(201);
        const path = at(orgs, `/users/${body.data.id}`);
        await setup.app.api.platform.post(`${path}/activate`).expect(200);
        return { path: `${path}/password-reset` };
      },
    },
  ],
};
