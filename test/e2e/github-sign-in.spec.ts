// Processor time: each test has its own organization, identity provider and users.
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventsDuring, type WrittenEvent } from '../support/events-during.js';
import { type GithubAccount, type GithubServer, startGithubServer } from '../support/github-server.js';
import type { TestBody, TestResponse } from '../support/http-client.js';
import { callbackPathOf, completeSignIn, identityProvider, oidcSignIn, startSignIn } from '../support/oidc.js';
import { at, keyClient, newOrganization, read } from '../support/organizations.js';
import { CLIENT_ID, CLIENT_SECRET, startScriptedProvider } from '../support/scripted-identity-provider.js';
import { activeUser, mailedToken } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';

const GITHUB = { name: 'GitHub', type: 'github' };
const TRUSTED = { trustedDomains: ['corp.example'] };

describe('sign-in with GitHub', () => {
  const app = testApp();
  const github = testServer(startGithubServer);
  const otherGithub = testServer(startGithubServer);
  const oidc = testServer(startScriptedProvider);
  let org: TestBody;
  let path: string;
  let counter = 0;
  beforeEach(async () => {
    for (const server of [github, otherGithub]) server.callback = redirectUriOf(server);
    oidc.requests.length = 0;
    org = await newOrganization(app);
    path = at(org.id, '/identity-providers');
  });
  afterEach(() => {
    for (const server of [github, otherGithub]) server.handle = server.redirect = undefined;
  });

  const redirectUriOf = ({ address }: GithubServer): string =>
    `${app.config.baseUrl}/v1/auth/oidc/callback/${encodeURIComponent(new URL(address).host)}`;
  const providerAt = (server: GithubServer, fields: object = TRUSTED, organization = org.id): Promise<TestBody> =>
    identityProvider(app, organization, server.address, { ...GITHUB, ...fields });
  const account = (fields: Partial<GithubAccount> = {}): GithubAccount & { email: string } => {
    const login = `person-${++counter}`;
    const email = `${login}@corp.example`;
    return { id: 1_000 + counter, login, emails: [{ email, primary: true, verified: true, visibility: null }], ...fields, email };
  };
  const signIn = async (idp: TestBody, as: GithubAccount, organization = org.id) => {
    github.account = as;
    let response: TestResponse | undefined;
    const events = await eventsDuring(app, async () => {
      response = await oidcSignIn(app, organization, idp.id);
    });
    return { ...response!, events };
  };
  type Outcome = TestResponse & { events: WrittenEvent[] };
  const outcome = ({ status, body, events }: Outcome): unknown[] => [status, body.code, events.map(({ type }) => type)];

  it('registers a person once, by the id at GitHub, whatever happens to the login name', async () => {
    const idp = await providerAt(github);
    const ada = account({ name: 'Ada L.' });
    const first = await signIn(idp, ada);
    expect(outcome(first)).toEqual([200, undefined, ['user.created', 'user.login']]);
    const { user, session } = first.body.data;
    expect([user, session]).toMatchObject([
      { email: ada.email, emailVerified: true, displayName: 'Ada L.' },
      { authenticationMethods: ['oidc'] },
    ]);
    const { identityProviders } = await read(app, at(org.id, `/users/${user.id}`));
    expect(identityProviders).toEqual([{ provider: 'GitHub', externalId: String(ada.id) }]);

    const renamed = await signIn(idp, { ...ada, login: 'ada', emails: [] });
    expect([renamed.status, renamed.body.data.user.id]).toEqual([200, user.id]);
    // Another person gets the login name, and adds the address without verifying it.
    const successor = { ...ada, id: 7, emails: [{ email: ada.email, primary: true, verified: false }] };
    expect(outcome(await signIn(idp, successor))).toEqual([403, 'verified_email_missing', []]);
    // Or gets the address, too.
    expect(outcome(await signIn(idp, { ...ada, id: 8 }))).toEqual([403, 'account_not_linked', []]);
  });

  it('asks with state and PKCE for the email addresses only', async () => {
    const idp = await providerAt(github);
    const url = new URL((await startSignIn(app, org.id, idp.id)).authorizationUrl);
    expect(url.origin + url.pathname).toBe(`${github.address}/login/oauth/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: CLIENT_ID,
      response_type: 'code',
      redirect_uri: redirectUriOf(github),
      scope: 'user:email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  it('links a user by a verified address in a trusted domain, and still asks for a second factor', async () => {
    const organization = await newOrganization(app, { settings: { requireMfa: true } });
    const idp = await providerAt(github, TRUSTED, organization.id);
    const email = `work-${++counter}@corp.example`;
    const user = await activeUser(app, organization.id, { email });
    const addresses = [
      { email: 'private@mail.example', primary: true, verified: true },
      { email, primary: false, verified: true },
    ];
    const { body } = await signIn(idp, account({ emails: addresses }), organization.id);
    expect(body.data).toMatchObject({ user: { id: user.id }, mfaEnrolmentRequired: true });
    await app.api.as(body.data.sessionToken).get(at(organization.id)).expect(403);
  });

  it('registers other people only if sign-up is open, after they confirm their address', async () => {
    const settings = { allowPublicSignup: true, allowedDomains: ['mail.example'] };
    const open = await newOrganization(app, { settings });
    const idp = await providerAt(github, {}, open.id);
    const closedIdp = await providerAt(github, {});
    const email = `person-${++counter}@mail.example`;
    const person = account({ emails: [{ email, primary: true, verified: true }] });
    expect(outcome(await signIn(closedIdp, person))).toEqual([403, 'account_not_linked', []]);
    expect(outcome(await signIn(idp, account(), open.id))).toEqual([422, 'domain_not_allowed', []]);
    const first = await signIn(idp, person, open.id);
    expect(outcome(first)).toEqual([403, 'email_not_confirmed', ['user.created', 'user.login_failed']]);
    const token = await mailedToken(app, email, 'email_verification');
    await app.api.anonymous.post('/v1/auth/verify-email', { token }).expect(200);
    expect((await signIn(idp, person, open.id)).status).toBe(200);
  });

  const respond =
    (status: number, body: unknown = {}, headers: Record<string, string> = {}) =>
    (response: ServerResponse): void => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
    };
  const TOKEN = '/login/oauth/access_token';
  const USER = '/api/v3/user';
  const EMAILS = '/api/v3/user/emails';
  const INVALID = [401, 'identity_provider_answer_invalid'];
  const UNAVAILABLE = [503, 'identity_provider_unavailable'];
  const inside = (): Record<string, string> => ({ location: `${oidc.issuer}/inside` });
  const misconduct: [string, string, (response: ServerResponse) => void, unknown[]][] = [
    ['an invalid code, with status 200', TOKEN, respond(200, { error: 'bad_verification_code' }), INVALID],
    ['an unverified primary address', TOKEN, respond(200, { error: 'unverified_user_email' }), [403, 'verified_email_missing']],
    ['no access token', TOKEN, respond(200, {}), INVALID],
    ['no JSON', TOKEN, respond(200, 'access_token=x&token_type=bearer'), INVALID],
    ['another token type', TOKEN, respond(200, { access_token: 'x', token_type: 'mac' }), INVALID],
    ['an unknown client', TOKEN, respond(404, { error: 'Not Found' }), INVALID],
    ['too many sign-ins', TOKEN, respond(429), UNAVAILABLE],
    ['a failure', TOKEN, respond(502, '<p>Unicorn!</p>'), UNAVAILABLE],
    ['a redirect', TOKEN, (response) => respond(307, {}, inside())(response), INVALID],
    ['a used rate limit', USER, respond(403, {}, { 'x-ratelimit-remaining': '0' }), UNAVAILABLE],
    ['a secondary rate limit', EMAILS, respond(403, {}, { 'retry-after': '60' }), UNAVAILABLE],
    ['a missing permission', EMAILS, respond(403, { message: 'Resource not accessible' }), INVALID],
    ['a redirect of the API', USER, (response) => respond(301, {}, inside())(response), INVALID],
    ['a redirect of the API', EMAILS, (response) => respond(302, {}, inside())(response), INVALID],
    ['a login name without id', USER, respond(200, { login: 'octocat' }), INVALID],
    ['a text as id', USER, respond(200, { id: '1', login: 'octocat' }), INVALID],
    ['no addresses', EMAILS, respond(200, {}), INVALID],
    ['a page instead of addresses', EMAILS, respond(200, '<p>'), INVALID],
  ];
  it.each(misconduct)('opens no session after %s from %s', async (_name, where, answer, expected) => {
    const idp = await providerAt(github);
    github.handle = (asked, response) => {
      if (asked === where) answer(response);
      return asked === where;
    };
    expect(outcome(await signIn(idp, account()))).toEqual([...expected, []]);
    expect(oidc.requests).toEqual([]);
  });

  it('shows that the person refused, or that another redirect URI is registered', async () => {
    const idp = await providerAt(github);
    github.redirect = (parameters) => {
      parameters.delete('code');
      parameters.set('error', 'access_denied');
    };
    const refused = await signIn(idp, account());
    expect([outcome(refused), refused.body.detail]).toEqual([
      [401, 'identity_provider_refused', []],
      expect.stringContaining('(access_denied)'),
    ]);
    github.redirect = undefined;
    github.callback = `${redirectUriOf(github)}/elsewhere`;
    const started = await startSignIn(app, org.id, idp.id);
    expect(await callbackPathOf(started)).toContain('error=redirect_uri_mismatch');
  });

  it('accepts a response once, from the browser that started, at the redirect URI of the server', async () => {
    const idp = await providerAt(github);
    github.account = account();
    const started = await startSignIn(app, org.id, idp.id);
    const callback = await callbackPathOf(started);
    const other = await startSignIn(app, org.id, idp.id);
    for (const attempt of [
      () => app.api.anonymous.get(callback),
      () => completeSignIn(app, callback, other),
      () => completeSignIn(app, callback.replace(/^[^?]+/, '/v1/auth/oidc/callback/github.com'), started),
    ])
      await attempt().expect(401, 'oidc_state_invalid');
    const again = await startSignIn(app, org.id, idp.id);
    const once = await callbackPathOf(again);
    const both = await Promise.all([completeSignIn(app, once, again), completeSignIn(app, once, again)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const program = await startSignIn(app, org.id, idp.id);
    const callbackUrl = app.config.baseUrl + (await callbackPathOf(program));
    await app.api.anonymous.post('/v1/auth/oidc/callback', { callbackUrl, bindingToken: program.bindingToken }).expect(200);
  });

  it('sends no code of a server to another provider, nor accepts a code of another sign-in', async () => {
    const idp = await providerAt(github);
    github.account = account();
    // The parameters of a sign-in that the attacker has started, with the state of a sign-in with another provider.
    const attacker = await startSignIn(app, org.id, idp.id);
    const evil = { name: 'Evil', trustedDomains: [] };
    for (const [provider, requests] of [
      [await providerAt(otherGithub, { ...GITHUB, ...evil }), otherGithub.requests],
      [await identityProvider(app, org.id, oidc.issuer, evil), oidc.requests],
    ] as const) {
      const victim = await startSignIn(app, org.id, provider.id);
      const url = new URL(attacker.authorizationUrl);
      url.searchParams.set('state', new URL(victim.authorizationUrl).searchParams.get('state')!);
      const callback = await callbackPathOf({ authorizationUrl: url.href });
      requests.length = 0;
      await completeSignIn(app, callback, victim).expect(401, 'oidc_state_invalid');
      expect(requests).toEqual([]);
      // GitHub does not redirect to the redirect URI of the other provider.
      url.searchParams.set('redirect_uri', new URL(victim.authorizationUrl).searchParams.get('redirect_uri')!);
      expect(await callbackPathOf({ authorizationUrl: url.href })).toContain('error=redirect_uri_mismatch');
    }
    const code = new URL(await callbackPathOf(await startSignIn(app, org.id, idp.id)), app.url).searchParams.get('code')!;
    const own = await startSignIn(app, org.id, idp.id);
    const mixed = new URL(await callbackPathOf(own), app.url);
    mixed.searchParams.set('code', code);
    await completeSignIn(app, mixed.pathname + mixed.search, own).expect(401, 'identity_provider_answer_invalid');
    github.redirect = (parameters) => parameters.set('iss', 'https://github.com/login/oauth');
    expect(outcome(await signIn(idp, account()))).toEqual([...INVALID, []]);
    github.redirect = (parameters) => parameters.set('iss', `${github.address}/login/oauth`);
    expect((await signIn(idp, account())).status).toBe(200);
  });

  describe('the identity provider', () => {
    const body = { ...GITHUB, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };

    it('needs no issuer, and publishes its type', async () => {
      const [event] = await eventsDuring(app, () => app.api.platform.post(path, body).expect(201));
      expect(event?.data).toMatchObject({ type: 'github', issuer: 'https://github.com', scopes: ['user:email'] });
      const [created] = (await app.api.platform.get(path).expect(200)).body.data;
      expect(created).toMatchObject({ type: 'github', issuer: 'https://github.com', hasClientSecret: true, mfaTrusted: false });
      const { name, issuer, clientId, scopes, trustedDomains, mfaTrusted, allowedClients, enabled } = created;
      const same = { name, issuer, clientId, scopes, trustedDomains, mfaTrusted, allowedClients, enabled };
      expect(await eventsDuring(app, () => app.api.platform.patch(`${path}/${created.id}`, same).expect(200))).toEqual([]);
      await app.api.platform.patch(`${path}/${created.id}`, { type: 'oidc' }).expect(400);
      const { body: options } = await app.api.anonymous.get(`/v1/auth/sign-in-options?organization=${org.id}`).expect(200);
      expect(options.data.identityProviders).toEqual([{ id: created.id, name: 'GitHub', type: 'github' }]);
      const { authorizationUrl } = await startSignIn(app, org.id, created.id);
      expect(authorizationUrl).toContain('https://github.com/login/oauth/authorize?');
      expect(authorizationUrl).toContain(encodeURIComponent('/v1/auth/oidc/callback/github.com'));
      await app.api.platform.post(path, { ...body, type: 'oidc' }).expect(400);
    });

    it.each([
      ['issuer', 'https://10.0.0.1'],
      ['issuer', 'http://github.example'],
      ['issuer', 'https://github.example/acme'],
      ['issuer', 'https://github.example:99999'],
      ['clientSecret', null],
      ['mfaTrusted', true],
      ['allowedClients', ['app_01kf2bav4hf7r8v2m5n9q1c3ek']],
      ['type', 'saml'],
    ])('rejects %s %j, also in a change', async (field, value) => {
      const created = await app.api.platform.post(path, { ...body, [field]: value }).expect(400);
      expect(created.body.errors).toMatchObject([{ pointer: `/${field}` }]);
      if (field === 'type') return;
      const idp = await providerAt(github);
      const changed = await app.api.platform.patch(`${path}/${idp.id}`, { [field]: value }).expect(400);
      expect(changed.body.errors).toMatchObject([{ pointer: `/${field}` }]);
    });

    it('is checked with its client, and can be moved to another server or trusted only with all permissions', async () => {
      const idp = await providerAt(github);
      const check = async (): Promise<TestBody> => (await app.api.platform.post(`${path}/${idp.id}/check`).expect(200)).body.data;
      expect(await check()).toEqual({ usable: true, redirectUri: redirectUriOf(github) });
      const change = (fields: object) => app.api.platform.patch(`${path}/${idp.id}`, fields).expect(200);
      await change({ clientSecret: 'another' });
      expect(await check()).toMatchObject({
        usable: false,
        problem: { code: 'client_refused', message: expect.stringContaining('(incorrect_client_credentials)') },
      });
      await change({ issuer: `${oidc.issuer}/` });
      expect(await check()).toMatchObject({
        problem: { code: 'unexpected_answer', message: expect.stringContaining('status 404') },
      });
      const writer = await keyClient(app, org.id, ['organizations:write', 'organizations:read']);
      await writer.patch(`${path}/${idp.id}`, { issuer: github.address }).expect(403);
      await writer.post(path, { ...body, ...TRUSTED }).expect(403);
      await writer.patch(`${path}/${idp.id}`, { name: 'Renamed' }).expect(200);
    });
  });
});
