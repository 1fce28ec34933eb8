import {
  at,
  type MatrixRequest,
  type MatrixRow,
  type MatrixRows,
  newOrganizations,
  OF_PLATFORM,
  onNew,
  open,
  sends,
} from './row.js';
import type { ImpersonationState, RequestOrganizations, Setup } from './setup.js';

/** Returns a row for an operation on a new break-glass request in new organizations. */
const ofBreakGlass = (rest: string, allowedCallers?: MatrixRow['allowedCallers']): MatrixRow => ({
  organizations: newOrganizations,
  ...(allowedCallers ? { allowedCallers } : {}),
  request: async (setup, orgs) => ({ path: at(orgs, `/break-glass/${await setup.breakGlassRequest(orgs.own)}${rest}`) }),
});

/** Returns a row for an operation on a new impersonation of a user of the organization. */
const ofImpersonation = (rest: string, state: ImpersonationState, more: Omit<MatrixRow, 'request'> = {}): MatrixRow => ({
  ...more,
  request: async (setup, orgs, credential) => {
    const { id: userId } = await setup.unusedUser(orgs.own, { status: 'active' });
    const id = await setup.impersonation(userId, state, credential);
    return { path: at(orgs, `/impersonations/${id}${rest}`) };
  },
});

/** Returns a row for an operation on a new impersonation of the caller. */
const ofOwnImpersonation = (verb: string): MatrixRow => ({
  ownAccount: 'of a user',
  request: async (setup, _orgs, credential) => {
    const id = await setup.impersonation(setup.userIdOf(credential), { status: 'pending', approval: 'user' });
    return { path: `/v1/auth/impersonations/${id}/${verb}` };
  },
});

/** Returns a request that moves a new child of the organization to another new child, where no caller has permissions. */
async function movesChild(setup: Setup, { own }: RequestOrganizations, rest: string): Promise<MatrixRequest> {
  const [hidden, parentId] = [await setup.createOrganization(own), await setup.createOrganization(own)];
  return { path: `/v1/organizations/${hidden}/move${rest}`, body: { parentId }, hidden };
}

/** A document that changes nothing. */
const EMPTY_DOCUMENT = { version: 1, organizations: [{ slug: 'matrix' }] };
/** The permissions to read the sections of a configuration. */
const READ_SECTIONS = [
  'roles:read',
  'groups:read',
  'domains:read',
  'webhooks:read',
  'scim:read',
  'oauth_clients:read',
  'oauth_resources:read',
];

/** Returns a row for an evaluation in the organization. Callers without access to the organization get the decision false. */
const evaluation = (request: (checked: object) => MatrixRequest): MatrixRow => ({
  withoutOrganization: true,
  outside: 'open',
  repeatable: true,
  request: ({ fixtures }, { own }) =>
    request({
      subject: { type: 'user', id: fixtures.user },
      action: { name: 'users:read' },
      resource: { type: 'organization', id: own },
    }),
});

const PENDING: ImpersonationState = { status: 'pending', approval: 'second_person' };
const ofNewOrganizations = { organizations: newOrganizations };

/** The configuration of a previous system that is never asked. */
const newMigration = () => ({
  url: 'https://auth.example.com/verify-password',
  endsAt: new Date(Date.now() + 3_600_000).toISOString(),
});

/** Returns a row for an operation on an existing password migration of the organization. */
const onPasswordMigration = (more: Omit<MatrixRow, 'request'> = {}): MatrixRow => ({
  ...more,
  request: async ({ app }, orgs) => {
    const path = at(orgs, '/password-migration');
    await app.api.platform.patch(path, newMigration()).expect(200);
    return { path };
  },
});

export const ORGANIZATION_ROWS: MatrixRows = {
  listNotifications: sends('/notifications?includeDescendants=true'),
  getPasswordMigration: onPasswordMigration(),
  updatePasswordMigration: sends('/password-migration', newMigration, { additionalPermissions: ['*'] }),
  deletePasswordMigration: onPasswordMigration({ ...ofNewOrganizations, additionalPermissions: ['*'] }),
  listOrganizations: {
    withoutOrganization: true,
    outside: 'filtered',
    request: (_setup, orgs) => ({ path: '/v1/organizations?search=Matrix%20own', hidden: orgs.own }),
  },
  search: {
    withoutOrganization: true,
    outside: 'filtered',
    request: (_setup, orgs) => ({ path: '/v1/search?q=Matrix%20own&limit=20', hidden: orgs.own }),
  },
  createOrganization: [
    {
      variant: 'top-level',
      ...OF_PLATFORM,
      request: () => ({ path: '/v1/organizations', body: { name: 'Matrix new' } }),
    },
    {
      variant: 'as a child organization',
      withoutOrganization: true,
      request: (_setup, { own }) => ({ path: '/v1/organizations', body: { name: 'Matrix new', parentId: own } }),
    },
  ],
  exportAccessReport: sends('/access-report', undefined, {
    additionalPermissions: ['users:read', 'members:read', 'api_keys:read'],
  }),
  updateOrganization: sends('', { description: 'Changed' }),
  deleteOrganization: sends('?cascade=true', undefined, ofNewOrganizations),
  moveOrganization: { ...ofNewOrganizations, request: (setup, orgs) => movesChild(setup, orgs, '') },
  previewOrganizationMove: { ...ofNewOrganizations, request: (setup, orgs) => movesChild(setup, orgs, '/preview') },
  suspendOrganization: sends('/suspend', { reason: 'Matrix' }, ofNewOrganizations),
  activateOrganization: sends('/activate', undefined, { ...ofNewOrganizations, repeatable: true }),
  restoreOrganization: {
    withoutOrganization: true,
    request: async (setup, orgs) => {
      const hidden = await setup.createOrganization(orgs.own);
      await setup.app.api.platform.delete(`/v1/organizations/${hidden}`).expect(204);
      return { path: `/v1/organizations/${hidden}/restore`, hidden };
    },
  },
  previewSettings: sends('/settings/preview', { settings: { requireMfa: true } }),
  getConfiguration: sends('/configuration', undefined, { additionalPermissions: READ_SECTIONS }),
  planConfiguration: sends('/configuration/plan', { document: EMPTY_DOCUMENT }),
  applyConfiguration: sends(
    '/configuration/apply',
    async ({ app }, { own }) => {
      const plan = await app.api.platform
        .post(`/v1/organizations/${own}/configuration/plan`, { document: EMPTY_DOCUMENT })
        .expect(200);
      return { document: EMPTY_DOCUMENT, state: plan.body.data.state };
    },
    { ...ofNewOrganizations, repeatable: true },
  ),
  createSetupLink: sends('/setup-links', { steps: ['domain'] }, { additionalPermissions: ['domains:read', 'domains:write'] }),
  // The caller must have the permissions of the link.
  revokeSetupLink: onNew('setup-links', '', undefined, { additionalPermissions: ['domains:read', 'domains:write'] }),
  updateIdentityProvider: sends(({ fixtures }) => `/identity-providers/${fixtures.identityProvider}`, { name: 'Changed' }),
  // Rejected requests delete no identity provider. In one organization, the requests would exceed the limit of identity providers.
  deleteIdentityProvider: onNew('identity-providers', '', undefined, ofNewOrganizations),
  checkIdentityProvider: sends(({ fixtures }) => `/identity-providers/${fixtures.identityProvider}/check`),
  listPermissions: { withoutOrganization: true, outside: 'open', request: () => ({ path: '/v1/permissions' }) },
  updateRole: sends(({ fixtures }) => `/roles/${fixtures.role}`, { description: 'Changed' }),
  evaluateAccess: evaluation((checked) => ({ path: '/access/v1/evaluation', body: checked })),
  evaluateAccesses: evaluation((checked) => ({ path: '/access/v1/evaluations', body: { evaluations: [checked] } })),
  getAuthzenConfiguration: open('/.well-known/authzen-configuration'),
  checkPermission: sends('/permissions/check', ({ fixtures }) => ({ userId: fixtures.user, permission: 'users:read' })),
  checkPermissions: sends('/permissions/check/batch', ({ fixtures }) => ({
    checks: [{ userId: fixtures.user, permission: 'users:read' }],
  })),
  requestBreakGlass: sends(
    '/break-glass',
    { reason: 'Fire', durationSeconds: 60 },
    {
      ...ofNewOrganizations,
      allowedCallers: 'users',
    },
  ),
  getBreakGlassRequest: ofBreakGlass(''),
  approveBreakGlass: ofBreakGlass('/approve', 'users and platform'),
  denyBreakGlass: ofBreakGlass('/deny', 'users and platform'),
  endBreakGlass: {
    ...ofBreakGlass('/end', 'approvers'),
    variant: 'of another user (also requires the permission to approve)',
  },
  requestImpersonation: {
    allowedCallers: 'users',
    request: async (setup, orgs) => {
      const { id } = await setup.unusedUser(orgs.own, { status: 'active' });
      return { path: at(orgs, `/users/${id}/impersonations`), body: { reason: 'Ticket', durationSeconds: 60 } };
    },
  },
  getImpersonation: ofImpersonation('', PENDING),
  approveImpersonation: ofImpersonation('/approve', PENDING, { allowedCallers: 'users' }),
  denyImpersonation: ofImpersonation('/deny', PENDING, { allowedCallers: 'users' }),
  startImpersonation: ofImpersonation(
    '/start',
    { status: 'approved', approval: 'none' },
    { allowedCallers: 'users', perCaller: true },
  ),
  endImpersonation: ofImpersonation('/end', PENDING),
  approveOwnImpersonation: ofOwnImpersonation('approve'),
  denyOwnImpersonation: ofOwnImpersonation('deny'),
  endOwnImpersonation: ofOwnImpersonation('end'),
};
