import { callbackPathOf, startSignIn } from '../../support/oidc.js';
import { activeUser, mailedToken, PASSWORD } from '../../support/sign-in.js';
import { at, type MatrixRows, OF_PLATFORM, own, publicly } from './row.js';
import type { RequestOrganizations, Setup } from './setup.js';

async function invite(setup: Setup, orgs: RequestOrganizations): Promise<string> {
  const user = { ...setup.body('users'), sendInvitation: true };
  const { body } = await setup.app.api.platform.post(at(orgs, '/users'), user).expect(201);
  return mailedToken(setup.app, body.data.email, 'invitation');
}

export const SIGN_IN_ROWS: MatrixRows = {
  acceptInvitation: publicly(async (setup, orgs) => ({
    path: '/v1/auth/accept-invitation',
    body: { token: await invite(setup, orgs), password: PASSWORD },
  })),
  login: publicly(
    async (setup, { own }) => {
      const { email } = await activeUser(setup.app, own, setup.body('users') as { email: string });
      return { path: '/v1/auth/login', body: { organization: own, email, password: PASSWORD } };
    },
    { repeatable: true },
  ),
  getSignInOptions: publicly((_setup, { own }) => ({ path: `/v1/auth/sign-in-options?organization=${own}`, hidden: own })),
  openSetupLink: publicly(async ({ app }, orgs) => {
    const { url } = (await app.api.platform.post(`/v1/organizations/${orgs.own}/setup-links`, { steps: ['domain'] }).expect(201))
      .body.data;
    return { path: '/v1/auth/setup-links/open', body: { token: new URL(url).hash.slice('#token='.length) } };
  }),
  discoverSignIn: publicly(() => ({ path: '/v1/auth/sign-in-options', body: { email: 'jane@matrix.example' } })),
  sendSignInLinks: publicly(() => ({ path: '/v1/auth/sign-in-links', body: { email: 'jane@matrix.example' } })),
  getLogo: publicly(async (setup, orgs) => {
    await setup.setLogo(orgs);
    return { path: `/v1/auth/branding/${orgs.own}/logo`, hidden: orgs.own };
  }),
  previewLink: publicly(async (setup, orgs) => ({ path: '/v1/auth/links/look', body: { token: await invite(setup, orgs) } }), {
    repeatable: true,
  }),
  startOidcSignIn: publicly(async (setup, { own }) => ({
    path: '/v1/auth/oidc/start',
    body: { organization: own, provider: await setup.workingProvider() },
  })),
  completeOidcSignIn: publicly(
    async (setup, { own }) => {
      const started = await startSignIn(setup.app, own, await setup.workingProvider());
      return { path: await callbackPathOf(started), headers: { cookie: started.cookie } };
    },
    { repeatable: false },
  ),
  completeOidcSignInWithToken: publicly(async (setup, { own }) => {
    const started = await startSignIn(setup.app, own, await setup.workingProvider());
    const callbackUrl = `${setup.app.config.baseUrl}${await callbackPathOf(started)}`;
    return { path: '/v1/auth/oidc/callback', body: { callbackUrl, bindingToken: started.bindingToken } };
  }),
  getMyPicture: {
    ownAccount: 'of a user',
    request: async (setup, _orgs, credential) => {
      await setup.signedInBy(credential)?.client.patch('/v1/auth/me', { picture: setup.logoUrl }).expect(200);
      return { path: '/v1/auth/me/picture' };
    },
  },
  getMyPermissions: {
    ownAccount: 'of a user',
    request: async (setup, _orgs, credential) => {
      const me = await setup.signedInBy(credential)?.client.get('/v1/auth/me').expect(200);
      return { path: `/v1/auth/me/permissions?organization=${me?.body.data.organizations[0].id ?? setup.organizations.top}` };
    },
  },
  revokeOwnSession: {
    ownAccount: 'of a user',
    request: async (setup, _orgs, credential) => ({ path: `/v1/auth/sessions/${await setup.openSecondSession(credential)}` }),
  },
  revokeOwnSessions: { ...own('/v1/auth/sessions'), ownAccount: 'of a new user' },
  logout: own('/v1/auth/logout'),
  issueAccessToken: own('/v1/auth/token', { audience: 'https://app.example.com' }),
  verifySession: {
    withoutOrganization: true,
    outside: 'open',
    request: () => ({ path: '/v1/sessions/verify', body: { token: 'A'.repeat(43) } }),
  },
  signUp: publicly((setup, { own }) => ({
    path: '/v1/auth/sign-up',
    body: { organization: own, ...setup.body('users'), password: PASSWORD },
  })),
  verifyEmail: publicly(async (setup, { own }) => {
    const { email } = setup.body('users') as { email: string };
    await setup.app.api.anonymous.post('/v1/auth/sign-up', { organization: own, email, password: PASSWORD }).expect(202);
    return { path: '/v1/auth/verify-email', body: { token: await mailedToken(setup.app, email, 'email_verification') } };
  }),
  cancelEmailChange: publicly(async (setup, { own }) => {
    const { client, email } = await setup.newSession(own, 'member');
    await client.post('/v1/auth/me/email', { email: `other-${email}` }).expect(202);
    return { path: '/v1/auth/cancel-email-change', body: { token: await mailedToken(setup.app, email, 'security_notice') } };
  }),
  forgotPassword: publicly((setup, { own }) => ({
    path: '/v1/auth/forgot-password',
    body: { organization: own, ...setup.body('users') },
  })),
  resetPassword: publicly(async (setup, { own }) => {
    const { id, email } = await setup.newSession(own, 'member');
    await setup.app.api.platform.post(`/v1/organizations/${own}/users/${id}/password-reset`).expect(200);
    const token = await mailedToken(setup.app, email, 'password_reset');
    return { path: '/v1/auth/reset-password', body: { token, password: PASSWORD } };
  }),
  openOperatorSession: publicly(async (setup) => {
    const { body } = await setup.app.api.platform.post('/v1/auth/operator-links').expect(201);
    const token = new URL(body.data.url).hash.replace('#token=', '');
    const headers = { 'sec-fetch-site': 'same-origin' };
    return { path: '/v1/auth/operator-session', body: { token }, headers };
  }),
  createOperatorLink: { ...OF_PLATFORM, request: () => ({ path: '/v1/auth/operator-links' }) },
  listOwnNotifications: own('/v1/auth/me/notifications'),
  readNotifications: own('/v1/auth/me/notifications/read', { ids: ['webhook_failing.wh_1.1'] }),
  updateMe: own('/v1/auth/me', { firstName: 'Changed' }),
  changeMyEmail: { ownAccount: 'of a new user', request: (setup) => ({ path: '/v1/auth/me/email', body: setup.body('users') }) },
  sendEmailVerification: own('/v1/auth/verify-email/send'),
  changePassword: { ...own('/v1/auth/change-password', { newPassword: PASSWORD }), ownAccount: 'of a new user' },
};
