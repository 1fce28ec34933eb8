import { randomUUID } from 'node:crypto';
import { invitationToken } from '../../support/mailbox.js';
import { callbackPathOf, startSignIn } from '../../support/oidc.js';
import { activeUser, mailedToken, PASSWORD, sessionToken } from '../../support/sign-in.js';
import { at, open, own, type MatrixRows } from './row.js';

export const SIGN_IN_ROWS: MatrixRows = {
  acceptInvitation: {
    public: true,
    request: async (setup, orgs) => {
      const user = { ...setup.body('users'), sendInvitation: true };
      const { body } = await setup.app.api.platform.post(at(orgs, '/users'), user).expect(201);
      const token = await invitationToken(setup.app, body.data.email);
      return { path: '/v1/auth/accept-invitation', body: { token, password: PASSWORD } };
    },
  },
  login: {
    public: true,
    request: async (setup, { own }) => {
      const { email } = await activeUser(setup.app, own, setup.body('users') as { email: string });
      return { path: '/v1/auth/login', body: { organization: own, email, password: PASSWORD } };
    },
  },
  getSignInOptions: {
    public: true,
    request: (_setup, { own }) => ({ path: `/v1/auth/sign-in-options?organization=${own}`, hidden: own }),
  },
  openSetupLink: {
    public: true,
    request: async ({ app }, orgs) => {
      const { url } = (
        await app.api.platform.post(`/v1/organizations/${orgs.own}/setup-links`, { steps: ['domain'] }).expect(201)
      ).body.data;
      return { path: '/v1/auth/setup-links/open', body: { token: new URL(url).hash.slice('#token='.length) } };
    },
  },
  discoverSignIn: { public: true, request: () => ({ path: '/v1/auth/sign-in-options', body: { email: 'jane@matrix.example' } }) },
  getLogo: {
    public: true,
    request: async (setup, orgs) => {
      await setup.setLogo(orgs);
      return { path: `/v1/auth/branding/${orgs.own}/logo`, hidden: orgs.own };
    },
  },
  previewLink: {
    public: true,
    request: async (setup, orgs) => {
      const user = { ...setup.body('users'), sendInvitation: true };
      const { body } = await setup.app.api.platform.post(at(orgs, '/users'), user).expect(201);
      return { path: '/v1/auth/links/look', body: { token: await invitationToken(setup.app, body.data.email) } };
    },
  },
  startOidcSignIn: {
    public: true,
    request: async (setup, { own }) => ({
      path: '/v1/auth/oidc/start',
      body: { organization: own, provider: await setup.workingProvider() },
    }),
  },
  completeOidcSignIn: {
    public: true,
    request: async (setup, { own }) => {
      const started = await startSignIn(setup.app, own, await setup.workingProvider());
      return { path: await callbackPathOf(started), headers: { cookie: started.cookie } };
    },
  },
  completeOidcSignInWithToken: {
    public: true,
    request: async (setup, { own }) => {
      const started = await startSignIn(setup.app, own, await setup.workingProvider());
      const callbackUrl = `${setup.app.config.baseUrl}${await callbackPathOf(started)}`;
      return { path: '/v1/auth/oidc/callback', body: { callbackUrl, bindingToken: started.bindingToken } };
    },
  },
  getMe: own('/v1/auth/me'),
  exportMyData: own('/v1/auth/me/export'),
  getMyPermissions: {
    ownAccount: true,
    request: async (setup, _orgs, credential) => {
      const me = await setup.signedInBy(credential)?.client.get('/v1/auth/me').expect(200);
      return { path: `/v1/auth/me/permissions?organization=${me?.body.data.organizations[0].id ?? setup.organizations.top}` };
    },
  },
  listOwnSessions: own('/v1/auth/sessions'),
  revokeOwnSession: {
    ownAccount: true,
    request: async (setup, _orgs, credential) => ({ path: `/v1/auth/sessions/${await setup.openSecondSession(credential)}` }),
  },
  revokeOwnSessions: own('/v1/auth/sessions'),
  logout: own('/v1/auth/logout'),
  issueAccessToken: own('/v1/auth/token'),
  getKeySet: open('/.well-known/jwks.json'),
  verifySession: {
    withoutOrganization: true,
    outside: 'open',
    request: () => ({ path: '/v1/sessions/verify', body: { token: 'A'.repeat(43) } }),
  },
  signUp: {
    public: true,
    request: async (setup, { own }) => {
      const settings = { allowPublicSignup: true };
      await setup.app.api.platform.patch(`/v1/organizations/${own}`, { settings }).expect(200);
      return { path: '/v1/auth/sign-up', body: { organization: own, ...setup.body('users'), password: PASSWORD } };
    },
  },
  verifyEmail: {
    public: true,
    request: async (setup, { own }) => {
      const { email } = setup.body('users') as { email: string };
      await setup.app.api.platform.patch(`/v1/organizations/${own}`, { settings: { allowPublicSignup: true } }).expect(200);
      await setup.app.api.anonymous.post('/v1/auth/sign-up', { organization: own, email, password: PASSWORD }).expect(202);
      return { path: '/v1/auth/verify-email', body: { token: await mailedToken(setup.app, email, 'email_verification') } };
    },
  },
  cancelEmailChange: {
    public: true,
    request: async (setup, { own }) => {
      const email = `matrix-cancel-${randomUUID()}@matrix.example`;
      const user = await activeUser(setup.app, own, { email });
      const client = setup.app.api.as(await sessionToken(setup.app, own, user.email));
      const change = { email: `other-${email}`, currentPassword: PASSWORD };
      await client.post('/v1/auth/me/email', change).expect(202);
      return { path: '/v1/auth/cancel-email-change', body: { token: await mailedToken(setup.app, email, 'security_notice') } };
    },
  },
  forgotPassword: {
    public: true,
    request: (setup, { own }) => ({ path: '/v1/auth/forgot-password', body: { organization: own, ...setup.body('users') } }),
  },
  resetPassword: {
    public: true,
    request: async (setup, { own }) => {
      const { id, email } = await activeUser(setup.app, own, setup.body('users') as { email: string });
      await setup.app.api.platform.post(`/v1/organizations/${own}/users/${id}/password-reset`).expect(200);
      const token = await mailedToken(setup.app, email, 'password_reset');
      return { path: '/v1/auth/reset-password', body: { token, password: PASSWORD } };
    },
  },
  getCurrentSession: own('/v1/auth/session'),
  openOperatorSession: {
    public: true,
    request: async (setup) => {
      const { body } = await setup.app.api.platform.post('/v1/auth/operator-links').expect(201);
      const token = new URL(body.data.url).hash.replace('#token=', '');
      const headers = { 'sec-fetch-site': 'same-origin' };
      return { path: '/v1/auth/operator-session', body: { token }, headers };
    },
  },
  createOperatorLink: {
    withoutOrganization: true,
    platformOnly: true,
    outside: 'open',
    request: () => ({ path: '/v1/auth/operator-links' }),
  },
  updateMe: { ownAccount: true, request: () => ({ path: '/v1/auth/me', body: { firstName: 'Changed' } }) },
  changeMyEmail: { ownAccount: true, request: (setup) => ({ path: '/v1/auth/me/email', body: setup.body('users') }) },
  sendEmailVerification: { ownAccount: true, request: () => ({ path: '/v1/auth/verify-email/send' }) },
  changePassword: { ownAccount: true, request: () => ({ path: '/v1/auth/change-password', body: { newPassword: PASSWORD } }) },
};
