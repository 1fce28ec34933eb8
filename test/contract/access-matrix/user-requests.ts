import { at, reads, type MatrixRow } from './row.js';

/** Rows of the operations on members and users by administrators. */
export const USER_ROWS: Readonly<Record<string, readonly MatrixRow[]>> = {
  listMembers: [reads('/members')],
  addMember: [
    {
      request: async (world, place) => ({
        path: at(place, '/members'),
        body: { userId: await world.fresh('users', place.below) },
      }),
    },
  ],
  removeMember: [{ request: async (world, place) => ({ path: at(place, `/members/${await world.fresh('users', place.own)}`) }) }],
  assignRole: [
    {
      request: async (world, place) => ({
        path: at(place, `/users/${await world.fresh('users', place.own)}/roles`),
        body: { roleId: world.fixtures.role },
      }),
    },
  ],
  revokeRole: [
    {
      request: async (world, place) => ({
        path: at(place, `/users/${await world.fresh('users', place.own)}/roles/role_member`),
      }),
    },
  ],
  listUsers: [reads('/users')],
  importUsers: [
    {
      request: (world, place) => ({
        path: at(place, '/users/import'),
        type: 'application/x-ndjson',
        body: JSON.stringify(world.body('users')),
      }),
    },
  ],
  exportUsers: [reads('/users/export')],
  createUser: [{ request: (world, place) => ({ path: at(place, '/users'), body: world.body('users') }) }],
  getUser: [reads(({ fixtures }) => `/users/${fixtures.user}`)],
  updateUser: [
    { request: ({ fixtures }, place) => ({ path: at(place, `/users/${fixtures.user}`), body: { firstName: 'Changed' } }) },
  ],
  deleteUser: [{ request: async (world, place) => ({ path: at(place, `/users/${await world.fresh('users', place.own)}`) }) }],
  suspendUser: [
    {
      request: async (world, place) => ({
        path: at(place, `/users/${await world.fresh('users', place.own)}/suspend`),
        body: { reason: 'Matrix' },
      }),
    },
  ],
  activateUser: [
    { request: async (world, place) => ({ path: at(place, `/users/${await world.fresh('users', place.own)}/activate`) }) },
  ],
  restoreUser: [
    {
      request: async (world, place) => {
        const user = at(place, `/users/${await world.fresh('users', place.own)}`);
        await world.app.api.platform.delete(user).expect(204);
        return { path: `${user}/restore` };
      },
    },
  ],
  inviteUser: [
    { request: async (world, place) => ({ path: at(place, `/users/${await world.fresh('users', place.own)}/invitation`) }) },
  ],
  listUserSessions: [reads(({ fixtures }) => `/users/${fixtures.user}/sessions`)],
  revokeUserSession: [
    {
      request: async (world, place) => {
        const { id, sessionId } = await world.newSession(place.own, 'member');
        return { path: at(place, `/users/${id}/sessions/${sessionId}`) };
      },
    },
  ],
  revokeUserSessions: [reads(({ fixtures }) => `/users/${fixtures.user}/sessions`)],
  startPasswordReset: [
    {
      request: async (world, place) => {
        // The role grants nothing, because a caller can't reset the password of a user with higher privileges.
        const user = { ...world.body('users'), roles: [world.fixtures.role] };
        const { body } = await world.app.api.platform.post(at(place, '/users'), user).expect(201);
        const path = at(place, `/users/${body.data.id}`);
        await world.app.api.platform.post(`${path}/activate`).expect(200);
        return { path: `${path}/password-reset` };
      },
    },
  ],
};
