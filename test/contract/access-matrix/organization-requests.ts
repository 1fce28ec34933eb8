import { at, newOrganizations, reads, type MatrixRow } from './row.js';

/** Returns a row about a new request for break-glass access, in a new place. */
const ofBreakGlass = (rest: string, peopleOnly?: MatrixRow['peopleOnly']): MatrixRow => ({
  place: newOrganizations,
  ...(peopleOnly ? { peopleOnly } : {}),
  request: async (world, place) => ({ path: at(place, `/break-glass/${await world.breakGlassRequest(place.own)}${rest}`) }),
});

/** Rows of the operations on organizations, identity providers, roles, API keys and break-glass access. */
export const ORGANIZATION_ROWS: Readonly<Record<string, readonly MatrixRow[]>> = {
  listOrganizations: [
    {
      spans: true,
      outside: 'filtered',
      request: (_world, place) => ({ path: '/v1/organizations?search=Matrix%20own', hidden: place.own }),
    },
  ],
  createOrganization: [
    {
      variant: 'top-level',
      spans: true,
      platformOnly: true,
      outside: 'open',
      request: () => ({ path: '/v1/organizations', body: { name: 'Matrix new' } }),
    },
    {
      variant: 'below another',
      spans: true,
      request: (_world, { own }) => ({ path: '/v1/organizations', body: { name: 'Matrix new', parentId: own } }),
    },
  ],
  getOrganization: [reads('')],
  updateOrganization: [{ request: (_world, place) => ({ path: at(place), body: { description: 'Changed' } }) }],
  deleteOrganization: [{ place: newOrganizations, request: (_world, place) => ({ path: at(place, '?cascade=true') }) }],
  previewOrganizationDeletion: [reads('/deletion')],
  suspendOrganization: [
    { place: newOrganizations, request: (_world, place) => ({ path: at(place, '/suspend'), body: { reason: 'Matrix' } }) },
  ],
  activateOrganization: [{ place: newOrganizations, request: (_world, place) => ({ path: at(place, '/activate') }) }],
  restoreOrganization: [
    {
      spans: true,
      request: async (world, place) => {
        const hidden = await world.organization(place.own);
        await world.app.api.platform.delete(`/v1/organizations/${hidden}`).expect(204);
        return { path: `/v1/organizations/${hidden}/restore`, hidden };
      },
    },
  ],
  getOrganizationHierarchy: [reads('/hierarchy')],
  explainSettings: [reads('/settings')],
  previewSettings: [
    { request: (_world, place) => ({ path: at(place, '/settings/preview'), body: { settings: { requireMfa: true } } }) },
  ],
  listIdentityProviders: [reads('/identity-providers')],
  createIdentityProvider: [
    { request: (world, place) => ({ path: at(place, '/identity-providers'), body: world.body('identity-providers') }) },
  ],
  getIdentityProvider: [reads(({ fixtures }) => `/identity-providers/${fixtures.identityProvider}`)],
  updateIdentityProvider: [
    {
      request: ({ fixtures }, place) => ({
        path: at(place, `/identity-providers/${fixtures.identityProvider}`),
        body: { name: 'Changed' },
      }),
    },
  ],
  deleteIdentityProvider: [
    {
      // The number of identity providers is limited, and rejected requests delete none.
      place: newOrganizations,
      request: async (world, place) => ({
        path: at(place, `/identity-providers/${await world.fresh('identity-providers', place.own)}`),
      }),
    },
  ],
  checkIdentityProvider: [
    { request: ({ fixtures }, place) => ({ path: at(place, `/identity-providers/${fixtures.identityProvider}/check`) }) },
  ],
  listPermissions: [{ spans: true, outside: 'open', request: () => ({ path: '/v1/permissions' }) }],
  listRoles: [reads('/roles')],
  createRole: [{ request: (world, place) => ({ path: at(place, '/roles'), body: world.body('roles') }) }],
  getRole: [reads(({ fixtures }) => `/roles/${fixtures.role}`)],
  updateRole: [
    { request: ({ fixtures }, place) => ({ path: at(place, `/roles/${fixtures.role}`), body: { description: 'Changed' } }) },
  ],
  deleteRole: [{ request: async (world, place) => ({ path: at(place, `/roles/${await world.fresh('roles', place.own)}`) }) }],
  checkPermission: [
    {
      request: ({ fixtures }, place) => ({
        path: at(place, '/permissions/check'),
        body: { userId: fixtures.user, permission: 'users:read' },
      }),
    },
  ],
  checkPermissions: [
    {
      request: ({ fixtures }, place) => ({
        path: at(place, '/permissions/check/batch'),
        body: { checks: [{ userId: fixtures.user, permission: 'users:read' }] },
      }),
    },
  ],
  requestBreakGlass: [
    {
      place: newOrganizations,
      peopleOnly: 'users',
      request: (_world, place) => ({ path: at(place, '/break-glass'), body: { reason: 'Fire', durationSeconds: 60 } }),
    },
  ],
  listBreakGlassRequests: [reads('/break-glass')],
  getBreakGlassRequest: [ofBreakGlass('')],
  approveBreakGlass: [ofBreakGlass('/approve', 'users and platform')],
  denyBreakGlass: [ofBreakGlass('/deny', 'users and platform')],
  endBreakGlass: [
    { ...ofBreakGlass('/end'), variant: "somebody else's, which takes the permission to approve, too", peopleOnly: 'approvers' },
  ],
  createApiKey: [{ request: (world, place) => ({ path: at(place, '/api-keys'), body: world.body('api-keys') }) }],
  listApiKeys: [reads('/api-keys')],
  getApiKey: [reads(({ fixtures }) => `/api-keys/${fixtures.apiKey}`)],
  revokeApiKey: [
    { request: async (world, place) => ({ path: at(place, `/api-keys/${await world.fresh('api-keys', place.own)}`) }) },
  ],
  rotateApiKey: [
    { request: async (world, place) => ({ path: at(place, `/api-keys/${await world.fresh('api-keys', place.own)}/rotate`) }) },
  ],
};
