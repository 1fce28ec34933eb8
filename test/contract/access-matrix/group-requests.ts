import { at, type MatrixRows, sends } from './row.js';
import type { RequestOrganizations, Setup } from './setup.js';

let counter = 0;

async function newGroup({ app }: Setup, orgs: RequestOrganizations): Promise<string> {
  const { body } = await app.api.platform.post(at(orgs, '/groups'), { name: `Matrix ${++counter}` }).expect(201);
  return at(orgs, `/groups/${body.data.id}`);
}

/** The operations on members and roles of groups. Rows of the groups themselves are derived from the OpenAPI document. */
export const GROUP_ROWS: MatrixRows = {
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
  listUserGroups: sends(({ fixtures }) => `/users/${fixtures.user}/groups`),
};
