import { invitationToken } from '../../support/mailbox.js';
import { answerOf, begin } from '../../support/oidc.js';
import { FACTOR_ROWS } from './factor-requests.js';
import { activeUser, mailedToken, PASSWORD } from '../../support/sign-in.js';
import type { Place, World } from './world.js';

/** One well-formed request against things that exist. */
export interface MatrixRequest {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Of the body, when it is a text of another type than JSON. */
  readonly type?: string;
  /** The id that callers out of reach must not learn to exist; the addressed organization's unless said otherwise. */
  readonly hidden?: string;
}

/**
 * What a caller out of reach gets: the answer for something that does not exist, a list without what is out of reach, or, where nothing
 * belongs to an organization, the same as all.
 */
export type Outside = 'not found' | 'filtered' | 'open';

export interface MatrixRow {
  /** Set where an operation has several rows. */
  readonly variant?: string;
  readonly public?: true;
  /** About the account of the signed-in user. */
  readonly ownAccount?: true;
  readonly platformOnly?: true;
  /** Not for keys of organizations, which are nobody: for signed-in users, with the platform, or for those who may approve emergency access. */
  readonly peopleOnly?: 'users' | 'users and platform' | 'approvers';
  readonly outside?: Outside;
  /** Whether the path names no living organization, so that the permission is judged first. */
  readonly spans?: true;
  /** Where the request takes place, when not in the standing place. */
  place?(world: World): Promise<Place>;
  /** `credential` is whose request it will be, for what is about the own account. */
  request(world: World, place: Place, credential?: string): MatrixRequest | Promise<MatrixRequest>;
}

const at = (place: Place, rest = ''): string => `/v1/organizations/${place.own}${rest}`;
const reads = (rest: string | ((world: World) => string)): MatrixRow => ({
  request: (world, place) => ({ path: at(place, typeof rest === 'string' ? rest : rest(world)) }),
});
/** About a new request for emergency access, in a place of its own. */
const ofBreakGlass = (rest: string, peopleOnly?: MatrixRow['peopleOnly']): MatrixRow => ({
  place: freshPlace,
  ...(peopleOnly ? { peopleOnly } : {}),
  request: async (world, place) => ({ path: at(place, `/break-glass/${await world.breakGlassRequest(place.own)}${rest}`) }),
});
const freshPlace = (world: World): Promise<Place> => world.freshPlace();
const own = (path: string): MatrixRow => ({ ownAccount: true, request: () => ({ path }) });
const open = (path: string): MatrixRow => ({ public: true, request: () => ({ path }) });

/** One row or more for each operation of the OpenAPI document, by operation id. A request must be valid for whoever may send it. */
export const ROWS: Readonly<Record<string, readonly MatrixRow[]>> = {
  getLiveness: [open('/health/live')],
  getReadiness: [open('/health/ready')],
  getMetrics: [open('/metrics')],

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
  deleteOrganization: [{ place: freshPlace, request: (_world, place) => ({ path: at(place, '?cascade=true') }) }],
  previewOrganizationDeletion: [reads('/deletion')],
  suspendOrganization: [
    { place: freshPlace, request: (_world, place) => ({ path: at(place, '/suspend'), body: { reason: 'Matrix' } }) },
  ],
  activateOrganization: [{ place: freshPlace, request: (_world, place) => ({ path: at(place, '/activate') }) }],
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
  getIdentityProvider: [reads(({ standing }) => `/identity-providers/${standing.identityProvider}`)],
  updateIdentityProvider: [
    {
      request: ({ standing }, place) => ({
        path: at(place, `/identity-providers/${standing.identityProvider}`),
        body: { name: 'Changed' },
      }),
    },
  ],
  deleteIdentityProvider: [
    {
      request: async (world, place) => ({
        path: at(place, `/identity-providers/${await world.fresh('identity-providers', place.own)}`),
      }),
    },
  ],

  checkIdentityProvider: [
    { request: ({ standing }, place) => ({ path: at(place, `/identity-providers/${standing.identityProvider}/check`) }) },
  ],

  listPermissions: [{ spans: true, outside: 'open', request: () => ({ path: '/v1/permissions' }) }],
  listRoles: [reads('/roles')],
  createRole: [{ request: (world, place) => ({ path: at(place, '/roles'), body: world.body('roles') }) }],
  getRole: [reads(({ standing }) => `/roles/${standing.role}`)],
  updateRole: [
    { request: ({ standing }, place) => ({ path: at(place, `/roles/${standing.role}`), body: { description: 'Changed' } }) },
  ],
  deleteRole: [{ request: async (world, place) => ({ path: at(place, `/roles/${await world.fresh('roles', place.own)}`) }) }],
  checkPermission: [
    {
      request: ({ standing }, place) => ({
        path: at(place, '/permissions/check'),
        body: { userId: standing.user, permission: 'users:read' },
      }),
    },
  ],
  checkPermissions: [
    {
      request: ({ standing }, place) => ({
        path: at(place, '/permissions/check/batch'),
        body: { checks: [{ userId: standing.user, permission: 'users:read' }] },
      }),
    },
  ],

  listWebhooks: [reads('/webhooks')],
  createWebhook: [{ request: (world, place) => ({ path: at(place, '/webhooks'), body: world.body('webhooks') }) }],
  getWebhook: [reads(({ standing }) => `/webhooks/${standing.webhook}`)],
  updateWebhook: [
    { request: ({ standing }, place) => ({ path: at(place, `/webhooks/${standing.webhook}`), body: { name: 'Changed' } }) },
  ],
  deleteWebhook: [
    { request: async (world, place) => ({ path: at(place, `/webhooks/${await world.fresh('webhooks', place.own)}`) }) },
  ],
  getWebhookSecret: [reads(({ standing }) => `/webhooks/${standing.webhook}/secret`)],
  testWebhook: [
    {
      request: ({ standing }, place) => ({
        path: at(place, `/webhooks/${standing.webhook}/test`),
        body: { eventType: 'role.deleted' },
      }),
    },
  ],
  listDeliveries: [reads(({ standing }) => `/webhooks/${standing.webhook}/deliveries`)],
  retryDelivery: [
    {
      request: async (world, place) => ({
        path: at(place, `/webhooks/${world.standing.webhook}/deliveries/${await world.delivered()}/retry`),
      }),
    },
  ],
  replayDeliveries: [
    {
      request: ({ standing }, place) => ({
        path: at(place, `/webhooks/${standing.webhook}/replay`),
        body: { since: '2026-01-01T00:00:00Z', dryRun: true },
      }),
    },
  ],
  rotateWebhookSecret: [
    { request: ({ standing }, place) => ({ path: at(place, `/webhooks/${standing.webhook}/rotate-secret`), body: {} }) },
  ],
  reconcileWebhook: [reads(({ standing }) => `/webhooks/${standing.webhook}/reconciliation?since=2026-01-01T00:00:00Z`)],
  getWebhookStatistics: [reads(({ standing }) => `/webhooks/${standing.webhook}/statistics`)],
  getDelivery: [reads(({ standing }) => `/webhooks/${standing.webhook}/deliveries/${standing.delivery}`)],
  listReachableWebhooks: [
    {
      spans: true,
      outside: 'filtered',
      request: ({ standing }) => ({ path: '/v1/webhooks?limit=100', hidden: standing.webhook }),
    },
  ],
  getReachableWebhook: [
    { spans: true, request: ({ standing }) => ({ path: `/v1/webhooks/${standing.webhook}`, hidden: standing.webhook }) },
  ],
  updateReachableWebhook: [
    {
      spans: true,
      request: ({ standing }) => ({
        path: `/v1/webhooks/${standing.webhook}`,
        body: { name: 'Changed' },
        hidden: standing.webhook,
      }),
    },
  ],
  deleteReachableWebhook: [
    {
      spans: true,
      request: async (world, place) => {
        const hidden = await world.fresh('webhooks', place.own);
        return { path: `/v1/webhooks/${hidden}`, hidden };
      },
    },
  ],

  listEvents: [reads('/events')],
  streamEvents: [reads('/events/stream')],
  // Up to a position: the whole log is verified once at a time.
  verifyEvents: [reads('/events/verify?toPosition=1')],
  getEvent: [reads(({ standing }) => `/events/${standing.event}`)],

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
        body: { roleId: world.standing.role },
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
  getUser: [reads(({ standing }) => `/users/${standing.user}`)],
  updateUser: [
    { request: ({ standing }, place) => ({ path: at(place, `/users/${standing.user}`), body: { firstName: 'Changed' } }) },
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

  acceptInvitation: [
    {
      public: true,
      request: async (world, place) => {
        const user = { ...world.body('users'), sendInvitation: true };
        const { body } = await world.app.api.platform.post(at(place, '/users'), user).expect(201);
        const token = await invitationToken(world.app, body.data.email);
        return { path: '/v1/auth/accept-invitation', body: { token, password: PASSWORD } };
      },
    },
  ],

  login: [
    {
      public: true,
      request: async (world, { own }) => {
        const { email } = await activeUser(world.app, own, world.body('users') as { email: string });
        return { path: '/v1/auth/login', body: { organization: own, email, password: PASSWORD } };
      },
    },
  ],

  getSignInOptions: [
    { public: true, request: (_world, { own }) => ({ path: `/v1/auth/sign-in-options?organization=${own}`, hidden: own }) },
  ],
  getLogo: [
    {
      public: true,
      request: async (world, place) => {
        await world.giveLogo(place);
        return { path: `/v1/auth/branding/${place.own}/logo`, hidden: place.own };
      },
    },
  ],
  lookAtLink: [
    {
      public: true,
      request: async (world, place) => {
        const user = { ...world.body('users'), sendInvitation: true };
        const { body } = await world.app.api.platform.post(at(place, '/users'), user).expect(201);
        return { path: '/v1/auth/links/look', body: { token: await invitationToken(world.app, body.data.email) } };
      },
    },
  ],

  startOidcSignIn: [
    {
      public: true,
      request: async (world, { own }) => ({
        path: '/v1/auth/oidc/start',
        body: { organization: own, provider: await world.answeringProvider() },
      }),
    },
  ],
  completeOidcSignIn: [
    {
      public: true,
      request: async (world, { own }) => {
        const begun = await begin(world.app, own, await world.answeringProvider());
        return { path: await answerOf(begun), headers: { cookie: begun.cookie } };
      },
    },
  ],
  completeOidcSignInWithToken: [
    {
      public: true,
      request: async (world, { own }) => {
        const begun = await begin(world.app, own, await world.answeringProvider());
        const callbackUrl = `${world.app.config.baseUrl}${await answerOf(begun)}`;
        return { path: '/v1/auth/oidc/callback', body: { callbackUrl, bindingToken: begun.bindingToken } };
      },
    },
  ],

  getMe: [own('/v1/auth/me')],
  getMyPermissions: [
    {
      ownAccount: true,
      request: async (world, _place, credential) => {
        const me = await world.signedInBy(credential)?.client.get('/v1/auth/me').expect(200);
        return { path: `/v1/auth/me/permissions?organization=${me?.body.data.organizations[0].id ?? world.top}` };
      },
    },
  ],
  listOwnSessions: [own('/v1/auth/sessions')],
  revokeOwnSession: [
    {
      ownAccount: true,
      request: async (world, _place, credential) => ({ path: `/v1/auth/sessions/${await world.furtherSession(credential)}` }),
    },
  ],
  revokeOwnSessions: [own('/v1/auth/sessions')],
  logout: [own('/v1/auth/logout')],
  issueAccessToken: [own('/v1/auth/token')],
  getKeySet: [open('/.well-known/jwks.json')],
  verifySession: [
    { spans: true, outside: 'open', request: () => ({ path: '/v1/sessions/verify', body: { token: 'A'.repeat(43) } }) },
  ],
  listUserSessions: [reads(({ standing }) => `/users/${standing.user}/sessions`)],
  revokeUserSession: [
    {
      request: async (world, place) => {
        const { id, sessionId } = await world.newSession(place.own, 'member');
        return { path: at(place, `/users/${id}/sessions/${sessionId}`) };
      },
    },
  ],
  revokeUserSessions: [reads(({ standing }) => `/users/${standing.user}/sessions`)],
  signUp: [
    {
      public: true,
      request: async (world, { own }) => {
        const settings = { allowPublicSignup: true };
        await world.app.api.platform.patch(`/v1/organizations/${own}`, { settings }).expect(200);
        return { path: '/v1/auth/sign-up', body: { organization: own, ...world.body('users'), password: PASSWORD } };
      },
    },
  ],
  verifyEmail: [
    {
      public: true,
      request: async (world, { own }) => {
        const { email } = world.body('users') as { email: string };
        await world.app.api.platform.patch(`/v1/organizations/${own}`, { settings: { allowPublicSignup: true } }).expect(200);
        await world.app.api.nobody.post('/v1/auth/sign-up', { organization: own, email, password: PASSWORD }).expect(202);
        return { path: '/v1/auth/verify-email', body: { token: await mailedToken(world.app, email, 'email_verification') } };
      },
    },
  ],
  forgotPassword: [
    {
      public: true,
      request: (world, { own }) => ({ path: '/v1/auth/forgot-password', body: { organization: own, ...world.body('users') } }),
    },
  ],
  resetPassword: [
    {
      public: true,
      request: async (world, { own }) => {
        const { id, email } = await activeUser(world.app, own, world.body('users') as { email: string });
        await world.app.api.platform.post(`/v1/organizations/${own}/users/${id}/password-reset`).expect(200);
        const token = await mailedToken(world.app, email, 'password_reset');
        return { path: '/v1/auth/reset-password', body: { token, password: PASSWORD } };
      },
    },
  ],
  startPasswordReset: [
    {
      request: async (world, place) => {
        // With a role that grants nothing, since nobody resets the password of those who may do more.
        const user = { ...world.body('users'), roles: [world.standing.role] };
        const { body } = await world.app.api.platform.post(at(place, '/users'), user).expect(201);
        const path = at(place, `/users/${body.data.id}`);
        await world.app.api.platform.post(`${path}/activate`).expect(200);
        return { path: `${path}/password-reset` };
      },
    },
  ],
  getCurrentSession: [own('/v1/auth/session')],
  openOperatorSession: [
    {
      public: true,
      request: async (world) => {
        const { body } = await world.app.api.platform.post('/v1/auth/operator-links').expect(201);
        const token = new URL(body.data.url).hash.replace('#token=', '');
        const headers = { 'sec-fetch-site': 'same-origin' };
        return { path: '/v1/auth/operator-session', body: { token }, headers };
      },
    },
  ],
  createOperatorLink: [
    { spans: true, platformOnly: true, outside: 'open', request: () => ({ path: '/v1/auth/operator-links' }) },
  ],
  updateMe: [{ ownAccount: true, request: () => ({ path: '/v1/auth/me', body: { firstName: 'Changed' } }) }],
  changeMyEmail: [{ ownAccount: true, request: (world) => ({ path: '/v1/auth/me/email', body: world.body('users') }) }],
  sendEmailVerification: [{ ownAccount: true, request: () => ({ path: '/v1/auth/verify-email/send' }) }],
  changePassword: [{ ownAccount: true, request: () => ({ path: '/v1/auth/change-password', body: { newPassword: PASSWORD } }) }],

  requestBreakGlass: [
    {
      place: freshPlace,
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
  getApiKey: [reads(({ standing }) => `/api-keys/${standing.apiKey}`)],
  revokeApiKey: [
    { request: async (world, place) => ({ path: at(place, `/api-keys/${await world.fresh('api-keys', place.own)}`) }) },
  ],
  rotateApiKey: [
    { request: async (world, place) => ({ path: at(place, `/api-keys/${await world.fresh('api-keys', place.own)}/rotate`) }) },
  ],

  ...FACTOR_ROWS,
};

/** The request's body as it is sent, with its media type. */
export function sentBody({ body, type, headers = {} }: MatrixRequest): { text?: string; headers: Record<string, string> } {
  if (body === undefined) return { headers };
  if (type !== undefined) return { text: String(body), headers: { 'content-type': type } };
  return { text: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
}
