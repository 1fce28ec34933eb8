import { at, type MatrixRequest, type MatrixRow, newOrganizations, reads } from './row.js';
import type { RequestOrganizations, Setup } from './setup.js';

/** Returns a row for an operation on a new break-glass request in new organizations. */
const ofBreakGlass = (rest: string, allowedCallers?: MatrixRow['allowedCallers']): MatrixRow => ({
  organizations: newOrganizations,
  ...(allowedCallers ? { allowedCallers } : {}),
  request: async (setup, orgs) => ({ path: at(orgs, `/break-glass/${await setup.breakGlassRequest(orgs.own)}${rest}`) }),
});

/** Returns a request that moves a new child of the organization to another child. */
async function movesChild(setup: Setup, { own, child }: RequestOrganizations, rest: string): Promise<MatrixRequest> {
  const hidden = await setup.createOrganization(own);
  return { path: `/v1/organizations/${hidden}/move${rest}`, body: { parentId: child }, hidden };
}

export const ORGANIZATION_ROWS: Readonly<Record<string, readonly MatrixRow[]>> = {
  listOrganizations: [
    {
      withoutOrganization: true,
      outside: 'filtered',
      request: (_setup, orgs) => ({ path: '/v1/organizations?search=Matrix%20own', hidden: orgs.own }),
    },
  ],
  createOrganization: [
    {
      variant: 'top-level',
      withoutOrganization: true,
      platformOnly: true,
      outside: 'open',
      request: () => ({ path: '/v1/organizations', body: { name: 'Matrix new' } }),
    },
    {
      variant: 'as a child organization',
      withoutOrganization: true,
      request: (_setup, { own }) => ({ path: '/v1/organizations', body: { name: 'Matrix new', parentId: own } }),
    },
  ],
  getOrganization: [reads('')],
  exportAccessReport: [{ ...reads('/access-report'), additionalPermissions: ['users:read', 'members:read', 'api_keys:read'] }],
  updateOrganization: [{ request: (_setup, orgs) => ({ path: at(orgs), body: { description: 'Changed' } }) }],
  deleteOrganization: [{ organizations: newOrganizations, request: (_setup, orgs) => ({ path: at(orgs, '?cascade=true') }) }],
  moveOrganization: [{ organizations: newOrganizations, request: (setup, orgs) => movesChild(setup, orgs, '') }],
  previewOrganizationMove: [{ organizations: newOrganizations, request: (setup, orgs) => movesChild(setup, orgs, '/preview') }],
  previewOrganizationDeletion: [reads('/deletion')],
  suspendOrganization: [
    { organizations: newOrganizations, request: (_setup, orgs) => ({ path: at(orgs, '/suspend'), body: { reason: 'Matrix' } }) },
  ],
  activateOrganization: [{ organizations: newOrganizations, request: (_setup, orgs) => ({ path: at(orgs, '/activate') }) }],
  restoreOrganization: [
    {
      withoutOrganization: true,
      request: async (setup, orgs) => {
        const hidden = await setup.createOrganization(orgs.own);
        await setup.app.api.platform.delete(`/v1/organizations/${hidden}`).expect(204);
        return { path: `/v1/organizations/${hidden}/restore`, hidden };
      },
    },
  ],
  getOrganizationHierarchy: [reads('/hierarchy')],
  explainSettings: [reads('/settings')],
  previewSettings: [
    { request: (_setup, orgs) => ({ path: at(orgs, '/settings/preview'), body: { settings: { requireMfa: true } } }) },
  ],
  listSetupLinks: [reads('/setup-links')],
  createSetupLink: [
    {
      additionalPermissions: ['domains:read', 'domains:write'],
      request: (_setup, orgs) => ({ path: at(orgs, '/setup-links'), body: { steps: ['domain'] } }),
    },
  ],
  getSetupLink: [
    {
      request: async (setup, orgs) => ({ path: at(orgs, `/setup-links/${await setup.createResource('setup-links', orgs.own)}`) }),
    },
  ],
  revokeSetupLink: [
    {
      request: async (setup, orgs) => ({ path: at(orgs, `/setup-links/${await setup.createResource('setup-links', orgs.own)}`) }),
    },
  ],
  listDomains: [reads('/domains')],
  createDomain: [{ request: (setup, orgs) => ({ path: at(orgs, '/domains'), body: setup.body('domains') }) }],
  getDomain: [
    { request: async (setup, orgs) => ({ path: at(orgs, `/domains/${await setup.createResource('domains', orgs.own)}`) }) },
  ],
  verifyDomain: [
    {
      request: async (setup, orgs) => ({ path: at(orgs, `/domains/${await setup.createResource('domains', orgs.own)}/verify`) }),
    },
  ],
  deleteDomain: [
    { request: async (setup, orgs) => ({ path: at(orgs, `/domains/${await setup.createResource('domains', orgs.own)}`) }) },
  ],
  listIdentityProviders: [reads('/identity-providers')],
  createIdentityProvider: [
    { request: (setup, orgs) => ({ path: at(orgs, '/identity-providers'), body: setup.body('identity-providers') }) },
  ],
  getIdentityProvider: [reads(({ fixtures }) => `/identity-providers/${fixtures.identityProvider}`)],
  updateIdentityProvider: [
    {
      request: ({ fixtures }, orgs) => ({
        path: at(orgs, `/identity-providers/${fixtures.identityProvider}`),
        body: { name: 'Changed' },
      }),
    },
  ],
  deleteIdentityProvider: [
    {
      // Rejected requests delete no identity provider. In one organization, the requests would exceed the limit of identity providers.
      organizations: newOrganizations,
      request: async (setup, orgs) => ({
        path: at(orgs, `/identity-providers/${await setup.createResource('identity-providers', orgs.own)}`),
      }),
    },
  ],
  checkIdentityProvider: [
    { request: ({ fixtures }, orgs) => ({ path: at(orgs, `/identity-providers/${fixtures.identityProvider}/check`) }) },
  ],
  listPermissions: [{ withoutOrganization: true, outside: 'open', request: () => ({ path: '/v1/permissions' }) }],
  listRoles: [reads('/roles')],
  createRole: [{ request: (setup, orgs) => ({ path: at(orgs, '/roles'), body: setup.body('roles') }) }],
  getRole: [reads(({ fixtures }) => `/roles/${fixtures.role}`)],
  updateRole: [
    { request: ({ fixtures }, orgs) => ({ path: at(orgs, `/roles/${fixtures.role}`), body: { description: 'Changed' } }) },
  ],
  deleteRole: [
    { request: async (setup, orgs) => ({ path: at(orgs, `/roles/${await setup.createResource('roles', orgs.own)}`) }) },
  ],
  checkPermission: [
    {
      request: ({ fixtures }, orgs) => ({
        path: at(orgs, '/permissions/check'),
        body: { userId: fixtures.user, permission: 'users:read' },
      }),
    },
  ],
  checkPermissions: [
    {
      request: ({ fixtures }, orgs) => ({
        path: at(orgs, '/permissions/check/batch'),
        body: { checks: [{ userId: fixtures.user, permission: 'users:read' }] },
      }),
    },
  ],
  requestBreakGlass: [
    {
      organizations: newOrganizations,
      allowedCallers: 'users',
      request: (_setup, orgs) => ({ path: at(orgs, '/break-glass'), body: { reason: 'Fire', durationSeconds: 60 } }),
    },
  ],
  listBreakGlassRequests: [reads('/break-glass')],
  getBreakGlassRequest: [ofBreakGlass('')],
  approveBreakGlass: [ofBreakGlass('/approve', 'users and platform')],
  denyBreakGlass: [ofBreakGlass('/deny', 'users and platform')],
  endBreakGlass: [
    {
      ...ofBreakGlass('/end'),
      variant: 'of another user (also requires the permission to approve)',
      allowedCallers: 'approvers',
    },
  ],
  createApiKey: [{ request: (setup, orgs) => ({ path: at(orgs, '/api-keys'), body: setup.body('api-keys') }) }],
  listApiKeys: [reads('/api-keys')],
  getApiKey: [reads(({ fixtures }) => `/api-keys/${fixtures.apiKey}`)],
  revokeApiKey: [
    { request: async (setup, orgs) => ({ path: at(orgs, `/api-keys/${await setup.createResource('api-keys', orgs.own)}`) }) },
  ],
  rotateApiKey: [
    {
      request: async (setup, orgs) => ({
        path: at(orgs, `/api-keys/${await setup.createResource('api-keys', orgs.own)}/rotate`),
      }),
    },
  ],
};
