import { describe, expect, it } from '@jest/globals';
import { eventsDuring, type WrittenEvent } from '../support/events-during.js';
import type { PendingResponse, TestBody, TestClient, TestResponse } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { identityProvider, linkIdentity, oidcSignIn, ownDomains } from '../support/oidc.js';
import { made, newOrganization, read } from '../support/organizations.js';
import { startScriptedProvider } from '../support/scripted-identity-provider.js';
import { addTotp, challenge, freshCode, userWithTotp, verify } from '../support/second-factors.js';
import { activeUser, login, mailedToken, NEW_PASSWORD, PASSWORD, sessionToken, verifiedSession } from '../support/sign-in.js';
import { openSession, signedIn } from '../support/signed-in.js';
import { SoftwarePasskey } from '../support/software-passkey.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';

describe('an organization that requires sign-in with an identity provider', () => {
  const app = testApp();
  const provider = testServer(startScriptedProvider);
  let counter = 0;

  const at = ({ id }: TestBody, rest = ''): string => `/v1/organizations/${id}${rest}`;
  const requireSso = (org: TestBody, ssoRequired: boolean | null = true): Promise<TestResponse> =>
    app.api.platform.patch(at(org), { settings: { ssoRequired } }).expect(200);

  interface Customer {
    org: TestBody;
    idp: TestBody;
    address: () => string;
  }

  /** Creates an organization with an identity provider that is trusted for a domain. The setting is off. */
  async function newCustomer(fields: object = {}): Promise<Customer> {
    const domain = `corp-${++counter}.example`;
    const org = await newOrganization(app, fields);
    const idp = await identityProvider(app, org.id, provider.issuer, { trustedDomains: [domain] });
    return { org, idp, address: () => `person-${++counter}@${domain}` };
  }

  const newMember = async ({ org, address }: Customer, roles?: string[]) => {
    const email = address();
    return { email, id: (await activeUser(app, org.id, { email, ...(roles && { roles }) })).id as string };
  };
  const ssoSignIn = ({ idp }: Customer, org: TestBody, email: string): Promise<TestResponse> => {
    provider.script = { claims: { sub: email, email, email_verified: true } };
    return oidcSignIn(app, org.id, idp.id);
  };
  const ssoToken = async (customer: Customer, email: string, org = customer.org): Promise<string> => {
    const { status, body } = await ssoSignIn(customer, org, email);
    expect(status).toBe(200);
    return body.data.sessionToken;
  };
  const me = (token: string): PendingResponse => app.api.as(token).get('/v1/auth/me');
  const expectRefused = ({ body }: { body: TestBody }, { org, idp }: Pick<Customer, 'org' | 'idp'>): void => {
    expect(body).toMatchObject({ status: 403, code: 'sso_required' });
    expect(body.detail).toContain(`The organization "${org.name}" requires sign-in with an identity provider`);
    expect(body.detail).toContain(`Sign in with "${idp.name}" on the sign-in page of "${org.slug}"`);
  };

  /** Returns a new passkey and the credential that registers the passkey for the user of a session. */
  const newPasskey = async (client: TestClient): Promise<{ passkey: SoftwarePasskey; credential: object }> => {
    const { publicKey } = (await client.post('/v1/auth/mfa/passkeys/options', {}).expect(200)).body.data;
    const passkey = new SoftwarePasskey(app.config.baseUrl);
    return { passkey, credential: passkey.registration(publicKey.challenge) };
  };
  const passkeyLogin = async (org: TestBody, passkey: SoftwarePasskey): Promise<TestResponse> => {
    const options = await app.api.anonymous.post('/v1/auth/passkey/options', { organization: org.id }).expect(200);
    const credential = passkey.assertion(options.body.data.publicKey.challenge);
    return app.api.anonymous.post('/v1/auth/passkey', { organization: org.id, credential });
  };
  const types = (events: readonly WrittenEvent[]): string[] => events.map(({ type }) => type);

  it('refuses the correct password, also before its second factor, and reveals nothing for a wrong password', async () => {
    const customer = await newCustomer();
    const { org } = customer;
    const { id, email } = await newMember(customer);
    const withFactor = await userWithTotp(app, org.id);
    const { challengeToken } = await challenge(app, org.id, withFactor.email);
    await requireSso(org);
    expectRefused(await verify(app, challengeToken, 'totp', freshCode(app, withFactor.secret)).expect(403), customer);
    expectRefused(await login(app, org.id, withFactor.email).expect(403), customer);
    const events = await eventsDuring(app, async () => expectRefused(await login(app, org.id, email).expect(403), customer));
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['user.login_failed', { userId: id, email, method: 'password', reason: 'sso_required', failedAttempts: 0 }],
    ]);
    const wrong = await login(app, org.id, email, 'not the password').expect(401, 'invalid_credentials');
    const unknown = await login(app, org.id, customer.address()).expect(401);
    expect(unknown.body.detail).toBe(wrong.body.detail);
    await requireSso(org, null);
    await login(app, org.id, email).expect(200);
  });

  it('refuses a passkey', async () => {
    const customer = await newCustomer();
    const { client } = await signedIn(app, customer.org.id);
    const { passkey, credential } = await newPasskey(client);
    await client.post('/v1/auth/mfa/passkeys', { credential, name: 'Key' }).expect(201);
    expect(await passkeyLogin(customer.org, passkey)).toMatchObject({ status: 200 });
    await requireSso(customer.org);
    const events = await eventsDuring(app, async () => {
      expectRefused(await passkeyLogin(customer.org, passkey), customer);
    });
    expect(events.map(({ type, data }) => [type, data.method, data.reason])).toEqual([
      ['user.login_failed', 'passkey', 'sso_required'],
    ]);
  });

  it('lets users sign in with the identity provider, with and without a second factor', async () => {
    const customer = await newCustomer();
    const { email } = await newMember(customer);
    await requireSso(customer.org);
    const token = await ssoToken(customer, email);
    await me(token).expect(200);
    const { secret, token: upgraded } = await addTotp(app, token);
    await me(upgraded).expect(200);
    const { challengeToken } = (await ssoSignIn(customer, customer.org, email)).body.data;
    const verified = (await verify(app, challengeToken, 'totp', freshCode(app, secret)).expect(200)).body.data;
    expect(verified.session.authenticationMethods).toEqual(['oidc', 'totp']);
    await me(verified.sessionToken).expect(200);
  });

  it('ends sessions of passwords and passkeys while it applies, but no session of the provider', async () => {
    const customer = await newCustomer();
    const { email, id } = await newMember(customer);
    const [byPassword, byProvider] = [await sessionToken(app, customer.org.id, email), await ssoToken(customer, email)];
    const key = { id, email, tenantId: customer.org.id };
    const { token: byPasskey } = await openSession(app, key, { at: customer.org.id, methods: ['passkey'] });
    const tokens = [byPassword, byPasskey, byProvider];
    const results = async (): Promise<unknown[]> => [
      ...(await Promise.all(tokens.map(async (token) => (await me(token)).status))),
      ...(await Promise.all(tokens.map(async (token) => (await verifiedSession(app, token)).active))),
    ];
    expect(await results()).toEqual([200, 200, 200, true, true, true]);
    await requireSso(customer.org);
    expect(await results()).toEqual([401, 401, 200, false, false, true]);
    await app.api.as(byPassword).post('/v1/auth/token', { audience: 'https://app.example.com' }).expect(401);
    await requireSso(customer.org, false);
    expect(await results()).toEqual([200, 200, 200, true, true, true]);
  });

  it('sends no link for a password reset, and answers as for an unknown account', async () => {
    const customer = await newCustomer();
    const { email, id } = await newMember(customer);
    const forgot = (address: string): Promise<TestResponse> =>
      app.api.anonymous.post('/v1/auth/forgot-password', { organization: customer.org.id, email: address }).expect(202);
    await forgot(email);
    const token = await mailedToken(app, email, 'password_reset');
    await requireSso(customer.org);
    const before = (await mailsTo(app, email)).length;
    const unknown = customer.address();
    const events = await eventsDuring(app, async () => {
      expect((await forgot(email)).body).toEqual({ data: { email } });
      expect((await forgot(unknown)).body).toEqual({ data: { email: unknown } });
    });
    const [mail] = await mailsTo(app, email);
    expect([events, (await mailsTo(app, email)).length, mail!.template]).toEqual([[], before + 1, 'account_access']);
    expect(mail!.text).toContain(`choose "${customer.idp.name}"`);
    expect(mail!.links).toEqual([expect.stringContaining(`/account/sign-in?organization=${customer.org.slug}`)]);
    expectRefused(await app.api.anonymous.post('/v1/auth/links/look', { token }).expect(403), customer);
    const reset = (): PendingResponse => app.api.anonymous.post('/v1/auth/reset-password', { token, password: NEW_PASSWORD });
    expectRefused(await reset().expect(403), customer);
    expectRefused(await app.api.platform.post(at(customer.org, `/users/${id}/password-reset`)).expect(403), customer);
    await requireSso(customer.org, false);
    await login(app, customer.org.id, email).expect(200);
    await reset().expect(204);
  });

  it('refuses the acceptance of an invitation with a password, but lets the provider activate the user', async () => {
    const customer = await newCustomer();
    const email = customer.address();
    await requireSso(customer.org);
    const { body } = await app.api.platform.post(at(customer.org, '/users'), { email, sendInvitation: true }).expect(201);
    const token = await mailedToken(app, email, 'invitation');
    expectRefused(await app.api.anonymous.post('/v1/auth/links/look', { token }).expect(403), customer);
    const accept = { token, password: PASSWORD };
    expectRefused(await app.api.anonymous.post('/v1/auth/accept-invitation', accept).expect(403), customer);
    await ssoToken(customer, email);
    const user = await read(app, at(customer.org, `/users/${body.data.id}`));
    expect(user.status).toBe('active');
    expect(user).not.toHaveProperty('lastPasswordChangeAt');
  });

  it('closes sign-up with a password, but not the registration by the provider', async () => {
    const customer = await newCustomer({ settings: { allowPublicSignup: true } });
    const signUp = (email: string): PendingResponse =>
      app.api.anonymous.post('/v1/auth/sign-up', { organization: customer.org.id, email, password: PASSWORD });
    await signUp(customer.address()).expect(202);
    const existing = customer.address();
    await activeUser(app, customer.org.id, { email: existing });
    const options = async (): Promise<TestBody> =>
      await read(app.api.anonymous, `/v1/auth/sign-in-options?organization=${customer.org.id}`);
    expect(await options()).toMatchObject({ ssoRequired: false, signUp: { open: true } });
    await requireSso(customer.org);
    expect(await options()).toMatchObject({
      ssoRequired: true,
      methods: ['password', 'passkey'],
      identityProviders: [{ id: customer.idp.id }],
      signUp: { open: false },
    });
    const [known, unknown] = [await signUp(existing).expect(403), await signUp(customer.address()).expect(403)];
    expectRefused(known, customer);
    expect(known.body.detail).toBe(unknown.body.detail);
    await ssoToken(customer, customer.address());
  });

  it('refuses new passwords and passkeys, and a password as confirmation, in a session of the provider', async () => {
    const customer = await newCustomer();
    const { email } = await newMember(customer);
    const client = app.api.as(await ssoToken(customer, email));
    const { credential } = await newPasskey(client);
    const confirm = (): PendingResponse => client.post('/v1/auth/reauthentication/password', { password: PASSWORD });
    const offer = async (): Promise<TestBody> => (await client.post('/v1/auth/reauthentication', {}).expect(200)).body.data;
    await confirm().expect(200);
    expect(await offer()).toMatchObject({ kind: 'password' });
    await requireSso(customer.org);
    const events = await eventsDuring(app, async () => {
      expectRefused(await client.post('/v1/auth/mfa/passkeys/options', {}).expect(403), customer);
      expectRefused(await client.post('/v1/auth/mfa/passkeys', { credential, name: 'Key' }).expect(403), customer);
      const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
      expectRefused(await client.post('/v1/auth/change-password', change).expect(403), customer);
    });
    expect(events).toEqual([]);
    await confirm().expect(403, 'current_password_wrong');
    const { available, factors } = await read(client, '/v1/auth/mfa');
    expect([available.map(({ method }: TestBody) => method), factors]).toEqual([['totp'], []]);
    expect(await offer()).toMatchObject({ kind: 'sign_in' });
    // A recent sign-in is enough, as for users without a password.
    await client.post('/v1/auth/me/email', { email: customer.address() }).expect(202);
  });

  it('excepts owners of the organization and of its ancestors, and publishes an event for each sign-in', async () => {
    const root = await newCustomer();
    const org = await newOrganization(app, { parentId: root.org.id });
    const [ownerAbove, owner] = [root.address(), root.address()];
    const aboveId = (await activeUser(app, org.id, { email: ownerAbove })).id;
    await app.api.platform.post(at(root.org, '/members'), { userId: aboveId, role: 'owner' }).expect(201);
    const ownerId = (await activeUser(app, org.id, { email: owner, roles: ['owner'] })).id;
    const [admin, ownerBelow] = [root.address(), root.address()];
    await activeUser(app, org.id, { email: admin, roles: ['admin'] });
    const below = await newOrganization(app, { parentId: org.id });
    const belowId = (await activeUser(app, org.id, { email: ownerBelow })).id;
    await app.api.platform.post(at(below, '/members'), { userId: belowId, role: 'owner' }).expect(201);
    await requireSso(org);
    for (const email of [admin, ownerBelow]) await login(app, org.id, email).expect(403);
    for (const [email, userId] of [
      [owner, ownerId],
      [ownerAbove, aboveId],
    ]) {
      let token = '';
      const events = await eventsDuring(app, async () => {
        token = await sessionToken(app, org.id, email);
      });
      expect(types(events)).toEqual(['user.login', 'security.sso_bypassed']);
      const { sessionId } = events[0]!.data;
      expect(events[1]).toEqual({
        type: 'security.sso_bypassed',
        organization: { id: org.id, name: org.name },
        data: { userId, sessionId, method: 'password', mfaMethod: null },
      });
      await me(token).expect(200);
    }
    expect(types(await eventsDuring(app, () => ssoToken(root, owner, org)))).not.toContain('security.sso_bypassed');
  });

  it('lets owners reset and change passwords, accept invitations and add passkeys', async () => {
    const customer = await newCustomer();
    await requireSso(customer.org);
    const { email } = await newMember(customer, ['owner']);
    await app.api.anonymous.post('/v1/auth/forgot-password', { organization: customer.org.id, email }).expect(202);
    const token = await mailedToken(app, email, 'password_reset');
    await app.api.anonymous.post('/v1/auth/reset-password', { token, password: NEW_PASSWORD }).expect(204);
    const client = app.api.as(await sessionToken(app, customer.org.id, email, NEW_PASSWORD));
    const { credential } = await newPasskey(client);
    const added = await made(client, '/v1/auth/mfa/passkeys', { credential, name: 'Key' });
    const change = { currentPassword: NEW_PASSWORD, newPassword: PASSWORD };
    await app.api.as(added.sessionToken).post('/v1/auth/change-password', change).expect(204);
  });

  it('excepts no user with the temporary role of break-glass access', async () => {
    const customer = await newCustomer();
    const { email } = await newMember(customer, ['admin']);
    const client = app.api.as(await ssoToken(customer, email));
    const request = { reason: 'No owner can be reached', durationSeconds: 600 };
    const { id } = await made(client, at(customer.org, '/break-glass'), request);
    await app.api.platform.post(at(customer.org, `/break-glass/${id}/approve`)).expect(200);
    const passwordToken = await sessionToken(app, customer.org.id, email);
    await requireSso(customer.org);
    await login(app, customer.org.id, email).expect(403);
    await me(passwordToken).expect(401);
    const turnOff = { settings: { ssoRequired: false } };
    await client.patch(at(customer.org), turnOff).expect(403, 'forbidden');
  });

  it('stops the sessions of owners who lose the role', async () => {
    const customer = await newCustomer();
    await activeUser(app, customer.org.id, { email: customer.address(), roles: ['owner'] });
    const { email, id } = await newMember(customer, ['owner']);
    await requireSso(customer.org);
    const token = await sessionToken(app, customer.org.id, email);
    await me(token).expect(200);
    await app.api.platform.delete(at(customer.org, `/users/${id}/roles/role_owner`)).expect(204);
    await me(token).expect(401);
    expectRefused(await login(app, customer.org.id, email).expect(403), customer);
  });

  it('applies to the users of descendants, which can override it unless it is locked', async () => {
    const customer = await newCustomer();
    const [child, other] = [
      await newOrganization(app, { parentId: customer.org.id }),
      await newOrganization(app, { parentId: customer.org.id }),
    ];
    const [inChild, inOther] = [customer.address(), customer.address()];
    await activeUser(app, child.id, { email: inChild });
    await activeUser(app, other.id, { email: inOther });
    await requireSso(customer.org);
    await requireSso(other, false);
    expectRefused(await login(app, child.id, inChild).expect(403), { org: child, idp: customer.idp });
    await login(app, other.id, inOther).expect(200);
    const token = await sessionToken(app, other.id, inOther);
    await app.api.platform.patch(at(customer.org), { lockedSettings: ['ssoRequired'] }).expect(200);
    await me(token).expect(401);
    await login(app, other.id, inOther).expect(403);
    await me(await ssoToken(customer, inOther, other)).expect(200);
  });

  it('follows the organization that manages the user, not the organization of the sign-in', async () => {
    const customer = await newCustomer();
    const child = await newOrganization(app, { parentId: customer.org.id });
    const [above, below] = [customer.address(), customer.address()];
    await activeUser(app, customer.org.id, { email: above });
    await activeUser(app, child.id, { email: below });
    await requireSso(child);
    await login(app, child.id, above).expect(200);
    await login(app, child.id, below).expect(403);
    await requireSso(child, false);
    await requireSso(customer.org);
    await login(app, child.id, above).expect(403);
    await login(app, child.id, below).expect(200);
  });

  it('follows the tenant of a guest', async () => {
    const [home, host] = [await newCustomer(), await newCustomer()];
    const { email, id } = await newMember(home);
    await app.api.platform.post(at(host.org, '/members'), { userId: id, role: 'owner' }).expect(201);
    await requireSso(host.org);
    const token = await sessionToken(app, home.org.id, email);
    await app.api.as(token).get(at(host.org)).expect(200);
    await requireSso(home.org);
    // The role `owner` in another tenant is no exception.
    await app.api.as(token).get(at(host.org)).expect(401);
    await login(app, home.org.id, email).expect(403);
    // The identity provider of a tenant can't sign in users with roles in another tenant.
    expect((await ssoSignIn(home, home.org, email)).body).toMatchObject({ code: 'account_not_linked' });
    await app.api.platform.delete(at(host.org, `/members/${id}`)).expect(204);
    await me(await ssoToken(home, email)).expect(200);
  });

  it('is not satisfied by an identity provider of a descendant', async () => {
    const customer = await newCustomer();
    const child = await newOrganization(app, { parentId: customer.org.id });
    const { email, id } = await newMember(customer);
    const trustedDomains = [email.slice(email.indexOf('@') + 1)];
    const below = await identityProvider(app, child.id, provider.issuer, { name: 'Child login', trustedDomains });
    await ownDomains(app, customer.org.id, trustedDomains);
    await requireSso(customer.org);
    expect((await ssoSignIn({ ...customer, idp: below }, child, email)).body).toMatchObject({ code: 'account_not_linked' });
    // A link from before a move of the organizations.
    await linkIdentity(app, { tenantId: customer.org.id, id }, below, email);
    expect((await ssoSignIn({ ...customer, idp: below }, child, email)).body).toMatchObject({ code: 'account_not_linked' });
    await ssoToken(customer, email);
  });
});
