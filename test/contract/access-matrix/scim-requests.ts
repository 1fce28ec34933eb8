import { at, type MatrixRow } from './row.js';
import type { RequestOrganizations, Setup } from './setup.js';

/** A connection has all permissions in the organization, so its creator needs them. */
const ADDITIONAL_PERMISSIONS = ['*'];

/** Creates a connection with a token, and returns their paths. */
async function newConnection({ app }: Setup, orgs: RequestOrganizations): Promise<{ path: string; tokenPath: string }> {
  const { platform } = app.api;
  const id = (await platform.post(at(orgs, '/scim-connections'), { name: 'Matrix' }).expect(201)).body.data.id;
  const path = at(orgs, `/scim-connections/${id}`);
  const token = (await platform.post(`${path}/tokens`, { name: 'Matrix' }).expect(201)).body.data.id;
  return { path, tokenPath: `${path}/tokens/${token}` };
}

/** The operations on SCIM connections and their tokens. */
export const SCIM_ROWS: Readonly<Record<string, readonly MatrixRow[]>> = {
  listScimConnections: [{ request: (_setup, orgs) => ({ path: at(orgs, '/scim-connections') }) }],
  createScimConnection: [
    {
      additionalPermissions: ADDITIONAL_PERMISSIONS,
      request: (_setup, orgs) => ({ path: at(orgs, '/scim-connections'), body: { name: 'Matrix' } }),
    },
  ],
  getScimConnection: [{ request: async (setup, orgs) => ({ path: (await newConnection(setup, orgs)).path }) }],
  updateScimConnection: [
    {
      additionalPermissions: ADDITIONAL_PERMISSIONS,
      request: async (setup, orgs) => ({ path: (await newConnection(setup, orgs)).path, body: { name: 'Changed' } }),
    },
  ],
  deleteScimConnection: [
    {
      additionalPermissions: ADDITIONAL_PERMISSIONS,
      request: async (setup, orgs) => ({ path: (await newConnection(setup, orgs)).path }),
    },
  ],
  startScimPreview: [
    {
      additionalPermissions: ADDITIONAL_PERMISSIONS,
      request: async (setup, orgs) => ({ path: `${(await newConnection(setup, orgs)).path}/start-preview` }),
    },
  ],
  activateScimConnection: [
    {
      additionalPermissions: ADDITIONAL_PERMISSIONS,
      request: async (setup, orgs) => ({ path: `${(await newConnection(setup, orgs)).path}/activate` }),
    },
  ],
  rollBackScimConnection: [
    {
      additionalPermissions: ADDITIONAL_PERMISSIONS,
      request: async (setup, orgs) => {
        const { path } = await newConnection(setup, orgs);
        const id = path.slice(path.lastIndexOf('/') + 1);
        await setup.app.database.query(`UPDATE scim_connections SET mode = 'stopped', stopped_at = now() WHERE id = $1`, [id]);
        return { path: `${path}/roll-back` };
      },
    },
  ],
  getScimPreview: [{ request: async (setup, orgs) => ({ path: `${(await newConnection(setup, orgs)).path}/preview` }) }],
  listScimPreviewUsers: [
    { request: async (setup, orgs) => ({ path: `${(await newConnection(setup, orgs)).path}/preview/users` }) },
  ],
  listScimPreviewGroups: [
    { request: async (setup, orgs) => ({ path: `${(await newConnection(setup, orgs)).path}/preview/groups` }) },
  ],
  listScimTokens: [{ request: async (setup, orgs) => ({ path: `${(await newConnection(setup, orgs)).path}/tokens` }) }],
  createScimToken: [
    {
      additionalPermissions: ADDITIONAL_PERMISSIONS,
      request: async (setup, orgs) => ({ path: `${(await newConnection(setup, orgs)).path}/tokens`, body: { name: 'New' } }),
    },
  ],
  rotateScimToken: [
    {
      additionalPermissions: ADDITIONAL_PERMISSIONS,
      request: async (setup, orgs) => ({ path: `${(await newConnection(setup, orgs)).tokenPath}/rotate`, body: {} }),
    },
  ],
  revokeScimToken: [{ request: async (setup, orgs) => ({ path: (await newConnection(setup, orgs)).tokenPath }) }],
};
