// Processor time: each test has its own organization, identity provider and users.
import { describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { OidcCleanupService } from '#identity/federation';
import { PasswordHasher } from '#platform/crypto';
import { eventsDuring, withEvents, type WrittenEvent } from '../support/events-during.js';
import type { TestBody, TestResponse } from '../support/http-client.js';
import { startIdentityProvider, signInAtProvider } from '../support/identity-provider.js';
import { startSignIn, completeSignIn, identityProvider, oidcSignIn } from '../support/oidc.js';
import { at, keyClient, made, newOrganization, read } from '../support/organizations.js';
import { moveClock, userWithTotp } from '../support/second-factors.js';
import { startScriptedProvider } from '../support/scripted-identity-provider.js';
import { activeUser, login, mailedToken, PASSWORD, sessionToken } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';

const TRUSTED = { trustedDomains: ['corp.example'] };

describe('sign-in with an identity provider', () => {
  const app = testApp();
  const provider = testServer(startScriptedProvider);
  let counter = 0;

  const userOf = async (org: TestBody, id: string): Promise<TestBody> =>
    await read(app, `/v1/organizations/${org.id}/users/${id}`);
  const customer = async (fields: object = {}, trust: object = TRUSTED): Promise<{ org: TestBody; idp: TestBody }> => {
    const org = await newOrganization(app, fields);
    return { org, idp: await identityProvider(app, org.id, provider.issuer, { ...trust }) };
  };
  const customerBelow = async (): Promise<{ top: TestBody; child: TestBody; idp: TestBody }> => {
    const top = await newOrganization(app);
    const { org: child, idp } = await customer({ parentId: top.id });
    return { top, child, idp };
  };
  const person = (claims: JWTPayload = {}): JWTPayload & { sub: string; email: string } => {
    const name = `person-${++counter}`;
    return { sub: name, email: `${name}@corp.example`, email_verified: true, ...claims };
  };
  const signIn = async (org: TestBody, idp: TestBody, claims: JWTPayload): Promise<TestResponse & { events: WrittenEvent[] }> => {
    provider.script = { claims };
    let response: TestResponse | undefined;
    const events = await eventsDuring(app, async () => {
      response = await oidcSignIn(app, org.id, idp.id);
    });
    return { ...response!, events };
  };
  const types = ({ events }: { events: WrittenEvent[] }): string[] => events.map(({ type }) => type);
  const outcome = ({ status, body }: TestResponse): unknown[] => [status, body.code];

  const names = { given_name: 'Ada', family_name: 'Lovelace', name: 'Ada L.' };
  const ada = { email: 'ada@corp.example', email_verified: true, locale: 'de-AT', ...names };
  const certified = testServer(() => startIdentityProvider(app.config.baseUrl, { ada }));

  it('registers a user once, at the first sign-in with a certified provider', async () => {
    const org = await newOrganization(app, { settings: { defaultRole: 'viewer' } });
    const { name } = await identityProvider(app, org.id, certified.issuer, TRUSTED);
    const signInAsAda = async (): Promise<TestResponse> => {
      const started = await startSignIn(app, org.slug, name);
      return completeSignIn(app, await signInAtProvider(started.authorizationUrl, 'ada'), started).expect(200);
    };
    const [first, firstEvents] = await withEvents(app, async () => (await signInAsAda()).body.data);
    expect(first).toMatchObject({
      mfaRequired: false,
      mfaEnrolmentRequired: false,
      session: { organizationId: org.id, authenticationMethods: ['oidc'] },
      user: { email: 'ada@corp.example', emailVerified: true, firstName: 'Ada', lastName: 'Lovelace', displayName: 'Ada L.' },
    });
    const userId = first.user.id;
    const organization = { id: org.id, name: org.name };
    const data = { userId, sessionId: first.session.id, method: 'oidc', mfaMethod: null };
    expect(firstEvents).toEqual([
      { type: 'user.created', organization, data: expect.objectContaining({ id: userId, status: 'active' }) },
      { type: 'user.login', organization, data },
    ]);
    expect(await userOf(org, userId)).toMatchObject({
      status: 'active',
      emailVerified: true,
      locale: 'de-AT',
      roles: [{ name: 'viewer' }],
      identityProviders: [{ provider: name, externalId: 'ada' }],
    });
    expect(await read(app.api.as(first.sessionToken), '/v1/auth/me')).toMatchObject({ id: userId });

    const secondEvents = await eventsDuring(app, async () => {
      expect((await signInAsAda()).body.data.user.id).toBe(userId);
    });
    expect(secondEvents.map(({ type }) => type)).toEqual(['user.login']);
  });

  it('links a user by a verified address at a trusted domain', async () => {
    const { org, idp } = await customer();
    const claims = person();
    const user = await activeUser(app, org.id, { email: claims.email.toUpperCase() });
    const first = await signIn(org, idp, claims);
    expect([first.status, first.body.data.user.id, types(first)]).toEqual([200, user.id, ['user.updated', 'user.login']]);
    const links = [{ provider: 'Company login', externalId: claims.sub }];
    expect(first.events[0]?.data.changes).toEqual({ identityProviders: { from: [], to: links } });
    expect((await userOf(org, user.id)).identityProviders).toEqual(links);

    const moved = await signIn(org, idp, { ...claims, email: `moved-${counter}@corp.example` });
    expect([moved.body.data.user.id, moved.body.data.user.email, types(moved)]).toEqual([user.id, user.email, ['user.login']]);
    const bare = await signIn(org, idp, { sub: claims.sub });
    expect(bare.body.data.user.id).toBe(user.id);
  });

  it('records the first sign-in since the connection changed, without a new version of the provider', async () => {
    const { org, idp } = await customer();
    const path = at(org.id, `/identity-providers/${idp.id}`);
    const state = async (): Promise<unknown[]> => {
      const { headers, body } = await app.api.platform.get(path).expect(200);
      return [body.data.testedAt, headers.get('etag')];
    };
    const [untested, etag] = await state();
    expect(untested).toBeNull();
    expect((await signIn(org, idp, person({ sub: '' }))).status).toBe(401);
    expect((await state())[0]).toBeNull();
    await signIn(org, idp, person());
    const [testedAt, sameEtag] = await state();
    expect([typeof testedAt, sameEtag]).toEqual(['string', etag]);
    await signIn(org, idp, person());
    await app.api.platform.patch(path, { name: 'Renamed' }).expect(200);
    expect((await state())[0]).toBe(testedAt);
    await app.api.platform.patch(path, { clientSecret: 'rotated' }).expect(200);
    expect((await state())[0]).toBeNull();
  });

  it('deletes the password of another person who signed up with the address', async () => {
    const { org, idp } = await customer({ settings: { allowPublicSignup: true } });
    const claims = person();
    const registration = { organization: org.id, email: claims.email, password: PASSWORD };
    expect((await app.api.anonymous.post('/v1/auth/sign-up', registration)).status).toBeLessThan(300);
    const response = await signIn(org, idp, claims);
    expect([response.status, types(response)]).toEqual([200, ['user.updated', 'user.activated', 'user.updated', 'user.login']]);
    expect((await login(app, org.id, claims.email)).status).toBe(401);
  });

  describe('the access to an account whose address nobody confirmed', () => {
    const importLine = async (org: TestBody, line: object) => {
      const importing = await keyClient(app, org.id, ['users:*']);
      const type = { 'content-type': 'application/x-ndjson' };
      const { body } = await importing.raw('POST', at(org.id, '/users/import'), `${JSON.stringify(line)}\n`, type).expect(200);
      expect(String(body)).toMatch(/"status":"(created|updated)"/);
    };
    type Prepare = (org: TestBody, email: string) => Promise<unknown>;
    const renamed = async (org: TestBody, change: (user: TestBody) => Promise<unknown>) => {
      const before = person();
      const user = await activeUser(app, org.id, { email: before.email });
      await importLine(org, { email: before.email, externalId: before.sub });
      await change({ ...user, externalId: before.sub });
    };
    const WAYS: readonly [string, Prepare][] = [
      [
        'a changed address',
        (org, email) => renamed(org, async ({ id }) => app.api.platform.patch(at(org.id, `/users/${id}`), { email }).expect(200)),
      ],
      [
        'an imported change of the address',
        (org, email) => renamed(org, ({ externalId }) => importLine(org, { email, externalId, emailVerified: true })),
      ],
      [
        'an imported password',
        async (org, email) => importLine(org, { email, passwordHash: await hashPassword(), emailVerified: true }),
      ],
    ];
    const hashPassword = () => app.app.get(PasswordHasher).hash(PASSWORD);

    it.each(WAYS)('ends when the person signs in with the provider: %s', async (_way, prepare) => {
      const { org, idp } = await customer();
      const claims = person();
      await prepare(org, claims.email);
      const session = app.api.as(await sessionToken(app, org.id, claims.email));
      expect((await signIn(org, idp, claims)).status).toBe(200);
      expect([(await session.get('/v1/auth/me')).status, (await login(app, org.id, claims.email)).status]).toEqual([401, 401]);
    });

    it('includes factors and API keys, and stays after the person has used a link', async () => {
      const { org, idp } = await customer();
      const [renamedClaims, claims] = [person(), person()];
      const { id, token } = await userWithTotp(app, org.id);
      await made(app, at(org.id, `/users/${id}/roles`), { roleId: 'admin' });
      const { key } = await made(app.api.as(token), at(org.id, '/api-keys'), { name: 'k', scopes: ['users:read'] });
      await made(app.api.as(token), at(org.id, '/setup-links'), { steps: ['domain'] });
      await app.api.platform.patch(at(org.id, `/users/${id}`), { email: renamedClaims.email }).expect(200);
      // The reset keeps the factor, so it does not confirm the address.
      await app.api.anonymous.post('/v1/auth/forgot-password', { organization: org.id, email: renamedClaims.email }).expect(202);
      const reset = { token: await mailedToken(app, renamedClaims.email, 'password_reset'), password: `${PASSWORD} again` };
      await app.api.anonymous.post('/v1/auth/reset-password', reset).expect(204);
      const linked = await signIn(org, idp, renamedClaims);
      expect(types(linked).toSorted()).toEqual([
        'security.api_key_revoked',
        'setup_link.revoked',
        'user.login',
        'user.mfa_disabled',
        'user.updated',
        'user.updated',
      ]);
      expect(await userOf(org, id)).toMatchObject({ mfaEnabled: false, emailVerified: true });
      await app.api.as(key).get(at(org.id, '/users')).expect(401);

      await importLine(org, { email: claims.email, passwordHash: await hashPassword(), emailVerified: true });
      const session = app.api.as(await sessionToken(app, org.id, claims.email));
      await session.post('/v1/auth/verify-email/send').expect(200);
      const verification = await mailedToken(app, claims.email, 'email_verification');
      await app.api.anonymous.post('/v1/auth/verify-email', { token: verification }).expect(200);
      expect((await signIn(org, idp, claims)).status).toBe(200);
      await login(app, org.id, claims.email).expect(200);
      await session.get('/v1/auth/me').expect(200);
    });
  });

  it('does not link a user by an unverified or untrusted address, or to a second identity of the provider', async () => {
    const { org, idp } = await customer({ settings: { allowPublicSignup: true } });
    const claims = person();
    const elsewhere = person({ email: `elsewhere-${++counter}@other.example` });
    for (const { email } of [claims, elsewhere]) await activeUser(app, org.id, { email });
    for (const tried of [
      { ...claims, email_verified: false },
      { ...claims, email_verified: 'true' },
      { ...claims, email_verified: undefined },
      elsewhere,
      { ...claims, email: `x@evil.example,${claims.email}` },
    ]) {
      const response = await signIn(org, idp, tried);
      expect([...outcome(response), types(response)]).toEqual([403, 'account_not_linked', []]);
    }
    const linked = person();
    expect((await signIn(org, idp, linked)).status).toBe(200);
    expect(outcome(await signIn(org, idp, { ...linked, sub: 'a-successor' }))).toEqual([403, 'account_not_linked']);
  });

  it('does not link a user of an ancestor organization, and rejects a linked user while the user has a role there', async () => {
    const { top, child, idp } = await customerBelow();
    const parentUser = person();
    await activeUser(app, top.id, { email: parentUser.email, roles: ['owner'] });
    expect(outcome(await signIn(child, idp, parentUser))).toEqual([403, 'account_not_linked']);
    const promoted = person();
    const { id } = await activeUser(app, child.id, { email: promoted.email });
    await made(app, `/v1/organizations/${top.id}/members`, { userId: id, role: 'admin' });
    expect(outcome(await signIn(child, idp, promoted))).toEqual([403, 'account_not_linked']);
    const claims = person();
    const { id: linkedId } = (await signIn(child, idp, claims)).body.data.user;
    await made(app, `/v1/organizations/${top.id}/members`, { userId: linkedId, role: 'admin' });
    expect(outcome(await signIn(child, idp, claims))).toEqual([403, 'account_not_linked']);
    await app.api.platform.delete(`/v1/organizations/${top.id}/members/${linkedId}`).expect(204);
    expect((await signIn(child, idp, claims)).status).toBe(200);
  });

  it("opens sessions in descendants of the provider's organization", async () => {
    const top = await newOrganization(app);
    const child = await newOrganization(app, { parentId: top.id });
    const idp = await identityProvider(app, top.id, provider.issuer, TRUSTED);
    const claims = person();
    const { id } = await activeUser(app, child.id, { email: claims.email });
    const response = await signIn(child, idp, claims);
    expect([response.status, response.body.data.user.id, response.body.data.session.organizationId]).toEqual([200, id, child.id]);
    expect(outcome(await signIn(top, idp, claims))).toEqual([403, 'account_not_linked']);
  });

  it('registers a pending user if sign-up is open', async () => {
    const closed = await newOrganization(app);
    const open = await newOrganization(app, { settings: { allowPublicSignup: true, allowedDomains: ['corp.example'] } });
    const idps = [await identityProvider(app, closed.id, provider.issuer), await identityProvider(app, open.id, provider.issuer)];
    expect(outcome(await signIn(closed, idps[0], person()))).toEqual([403, 'account_not_linked']);
    expect(outcome(await signIn(open, idps[1], person({ email_verified: false })))).toEqual([403, 'account_not_linked']);
    expect(outcome(await signIn(open, idps[1], person({ email: 'x@other.example' })))).toEqual([422, 'domain_not_allowed']);
    const claims = person();
    const response = await signIn(open, idps[1], claims);
    expect(outcome(response)).toEqual([403, 'email_not_confirmed']);
    expect(types(response)).toEqual(['user.created', 'user.login_failed']);
    expect(outcome(await signIn(open, idps[1], claims))).toEqual([403, 'email_not_confirmed']);
    const token = await mailedToken(app, claims.email, 'email_verification');
    await app.api.anonymous.post('/v1/auth/verify-email', { token }).expect(200);
    const signedIn = await signIn(open, idps[1], claims);
    expect([signedIn.status, signedIn.body.data.user.emailVerified]).toEqual([200, true]);
  });

  describe('the identity of another person', () => {
    /** Registers a user with the address of another person, through a provider that is not trusted for the address. */
    async function registerWithForeignAddress() {
      const { org, idp } = await customer({ settings: { allowPublicSignup: true } }, {});
      const claims = person();
      expect(outcome(await signIn(org, idp, claims))).toEqual([403, 'email_not_confirmed']);
      const email = claims.email;
      const { data } = (await app.api.platform.get(`/v1/organizations/${org.id}/users?search=${encodeURIComponent(email)}`)).body;
      return { org, idp, claims, email, path: `/v1/organizations/${org.id}/users/${data[0].id}` };
    }

    it('is unlinked when the owner of the address signs up', async () => {
      const { org, idp, claims, email, path } = await registerWithForeignAddress();
      await app.api.anonymous.post('/v1/auth/sign-up', { organization: org.id, email, password: PASSWORD }).expect(202);
      const token = await mailedToken(app, email, 'invitation');
      await app.api.anonymous.post('/v1/auth/accept-invitation', { token, password: PASSWORD }).expect(200);
      expect((await read(app, path)).identityProviders).toEqual([]);
      await login(app, org.id, email).expect(200);
      expect(outcome(await signIn(org, idp, claims))).toEqual([403, 'account_not_linked']);
    });

    it('is unlinked when the owner of the address resets the password', async () => {
      const { org, idp, claims, email, path } = await registerWithForeignAddress();
      await app.api.platform.post(`${path}/activate`).expect(200);
      // Accounts of earlier versions can be active with an unverified address.
      await app.database.query('UPDATE users SET email_verified = false WHERE email = $1', [email]);
      await app.api.anonymous.post('/v1/auth/forgot-password', { organization: org.id, email }).expect(202);
      const token = await mailedToken(app, email, 'password_reset');
      await app.api.anonymous.post('/v1/auth/reset-password', { token, password: PASSWORD }).expect(204);
      const data = await read(app, path);
      expect(data).toMatchObject({ emailVerified: true, identityProviders: [] });
      expect(outcome(await signIn(org, idp, claims))).toEqual([403, 'account_not_linked']);
    });
  });

  it('registers only one user during concurrent first sign-ins', async () => {
    const { org, idp } = await customer();
    provider.script = { claims: person() };
    const responses = await Promise.all(Array.from({ length: 6 }, () => oidcSignIn(app, org.id, idp.id)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(new Set(responses.map(({ body }) => body.data.user.id)).size).toBe(1);
  });

  it('rejects suspended and deleted users and publishes the reason', async () => {
    const { org, idp } = await customer();
    const path = `/v1/organizations/${org.id}/users`;
    const [linked, unlinked, deleted] = [person(), person(), person()];
    const first = (await signIn(org, idp, linked)).body.data.user;
    const deletedUser = (await signIn(org, idp, deleted)).body.data.user;
    const other = await activeUser(app, org.id, { email: unlinked.email });
    for (const { id } of [first, other]) await app.api.platform.post(`${path}/${id}/suspend`).expect(200);
    await app.api.platform.delete(`${path}/${deletedUser.id}`).expect(204);
    for (const [claims, { id }, reason] of [
      [linked, first, 'user_suspended'],
      [unlinked, other, 'user_suspended'],
      [deleted, deletedUser, 'user_deleted'],
    ] as const) {
      const response = await signIn(org, idp, claims);
      expect(outcome(response)).toEqual([401, 'invalid_credentials']);
      const data = { userId: id, email: claims.email, method: 'oidc', reason, failedAttempts: 0 };
      expect(response.events).toEqual([{ type: 'user.login_failed', organization: { id: org.id, name: org.name }, data }]);
    }
  });

  it('deletes expired sign-ins', async () => {
    const { org, idp } = await customer({}, {});
    await startSignIn(app, org.id, idp.id);
    moveClock(app, 10 * 60_000);
    await app.app.get(OidcCleanupService).run();
    expect(await app.database.query('SELECT FROM oidc_sign_ins')).toEqual([]);
    moveClock(app, -10 * 60_000);
  });

  it.each([
    ['no amr claim', {}, {}, true],
    ['MFA asserted by an untrusted provider', {}, { amr: ['pwd', 'mfa'] }, true],
    ['MFA asserted by a trusted provider', { mfaTrusted: true }, { amr: ['pwd', 'mfa'] }, false],
    ['another method asserted by a trusted provider', { mfaTrusted: true }, { amr: ['pwd', 'otp'] }, true],
    ['an amr claim that is not a list', { mfaTrusted: true }, { amr: 'mfa' }, true],
  ])('requires MFA enrollment unless a trusted provider asserts MFA (%s)', async (_name, trust, claims, mfaEnrolmentRequired) => {
    const { org, idp } = await customer({ settings: { requireMfa: true } }, { ...TRUSTED, ...trust });
    const { body } = await signIn(org, idp, person(claims));
    const authenticationMethods = mfaEnrolmentRequired ? ['oidc'] : ['oidc', 'mfa'];
    expect(body.data).toMatchObject({ mfaEnrolmentRequired, session: { authenticationMethods } });
    const { status } = await app.api.as(body.data.sessionToken).get(`/v1/organizations/${org.id}`);
    expect(status).toBe(mfaEnrolmentRequired ? 403 : 200);
  });
});
