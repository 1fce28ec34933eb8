import { describe, expect, it } from '@jest/globals';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { newOrganization } from '../support/organizations.js';
import { challenge, moveClock, signedInUser, userWithTotp } from '../support/second-factors.js';
import { login, PASSWORD } from '../support/sign-in.js';
import { SoftwarePasskey } from '../support/software-passkey.js';
import { testApp } from '../support/test-app.js';

const MINUTE_MS = 60_000;

/** test/web/sign-in.spec.ts adds and uses a passkey in a browser. */
describe('a passkey', () => {
  const app = testApp();

  const organization = async (settings: object = {}): Promise<string> => (await newOrganization(app, { settings })).id;
  const creationOptions = async (token: string): Promise<TestBody> =>
    (await app.api.as(token).post('/v1/auth/mfa/passkeys/options', {}).expect(200)).body.data.publicKey;
  const newPasskey = (): SoftwarePasskey => new SoftwarePasskey(app.config.baseUrl);

  /** Adds a new passkey to an account. */
  async function register(token: string, name?: string): Promise<{ device: SoftwarePasskey; added: TestBody }> {
    const device = newPasskey();
    const credential = device.registration((await creationOptions(token)).challenge);
    const { body } = await app.api.as(token).post('/v1/auth/mfa/passkeys', { credential, name }).expect(201);
    return { device, added: body.data };
  }
  const loginChallenge = async (org: string): Promise<string> => (await loginOptions(org)).challenge;
  const loginOptions = async (org: string): Promise<TestBody> =>
    (await app.api.anonymous.post('/v1/auth/passkey/options', { organization: org }).expect(200)).body.data.publicKey;
  const loginWith = (org: string, credential: object): PendingResponse =>
    app.api.anonymous.post('/v1/auth/passkey', { organization: org, credential });
  const passkeyLogin = async (device: SoftwarePasskey, org: string, status: number): Promise<TestBody> =>
    (await loginWith(org, device.assertion(await loginChallenge(org))).expect(status)).body;

  it('can be added, renamed and removed', async () => {
    const org = await organization();
    const { id, email, token } = await signedInUser(app, org);
    let added: TestBody;
    const events = await eventsDuring(app, async () => {
      ({ added } = await register(token, 'Laptop'));
    });
    const passkey = { id: expect.stringMatching(/^pky_/), name: 'Laptop', backedUp: false, lastUsedAt: null };
    const codes = { recoveryCodes: expect.any(Array), sessionToken: expect.any(String) };
    expect(added).toMatchObject({ method: 'passkey', ...codes, passkey });
    const data = { userId: id, method: 'passkey', mfaMethods: ['passkey'] };
    expect(events).toMatchObject([{ type: 'user.mfa_enabled', data }]);
    const client = app.api.as(added.sessionToken);
    const path = `/v1/auth/mfa/passkeys/${added.passkey.id}`;
    expect((await client.patch(path, { name: 'Old laptop' }).expect(200)).body.data.name).toBe('Old laptop');
    const { factors } = (await client.get('/v1/auth/mfa').expect(200)).body.data;
    expect(factors).toMatchObject([{ method: 'passkey', id: added.passkey.id, name: 'Old laptop', restricted: false }]);
    const other = await signedInUser(app, org);
    await app.api.as(other.token).patch(path, { name: 'Mine' }).expect(404);
    await app.api.as(other.token).delete(path, { currentPassword: PASSWORD }).expect(404);

    await client.delete(path).expect(401);
    await client.delete(path, { currentPassword: PASSWORD }).expect(204);
    expect((await mailsTo(app, email))[0]!.text).toContain('A passkey was removed from your account');
    expect((await login(app, org, email).expect(200)).body.data.mfaRequired).toBe(false);
  });

  it('completes a sign-in after the password', async () => {
    const org = await organization();
    const { email, token } = await signedInUser(app, org);
    const { device } = await register(token);
    const { challengeToken, methods } = await challenge(app, org, email);
    expect(methods).toEqual(['passkey', 'recovery_code']);
    const prepare = async (): Promise<object> => {
      const { body } = await app.api.anonymous.post('/v1/auth/mfa/challenge', { challengeToken, method: 'passkey' }).expect(200);
      return device.assertion(body.data.publicKey.challenge);
    };
    const send = (credential: object) =>
      app.api.anonymous.post('/v1/auth/mfa/verify', { challengeToken, method: 'passkey', credential });

    const older = await prepare();
    const newer = await prepare();
    await send(older).expect(401);
    // The wrong response invalidated the challenge.
    await send(newer).expect(401);
    const right = await prepare();
    const { session } = (await send(right).expect(200)).body.data;
    expect(session.authenticationMethods).toEqual(['password', 'passkey']);
    await send(right).expect(401);
  });

  it('counts as two factors if the authenticator verifies the person', async () => {
    const org = await organization({ requireMfa: true });
    const { email, id, token } = await signedInUser(app, org);
    const { device } = await register(token);
    let signIn: TestBody;
    const events = await eventsDuring(app, async () => {
      signIn = (await passkeyLogin(device, org, 200)).data;
    });
    expect(signIn).toMatchObject({ mfaRequired: false, mfaEnrolmentRequired: false, user: { id, email } });
    expect(events).toMatchObject([{ type: 'user.login', data: { userId: id, method: 'passkey', mfaMethod: null } }]);
    await app.api.as(signIn.sessionToken).post('/v1/auth/mfa/recovery-codes', { currentPassword: PASSWORD }).expect(200);
  });

  it('opens no session if the authenticator does not verify the person', async () => {
    const org = await organization();
    const { device } = await register((await signedInUser(app, org)).token);
    const credential = device.assertion(await loginChallenge(org), { isUserVerified: false });
    const rejected = await loginWith(org, credential).expect(401);
    expect(rejected.body.code).toBe('passkey_refused');
  });

  it('can be used only once for each challenge', async () => {
    const org = await organization();
    const { device } = await register((await signedInUser(app, org)).token);
    const credential = device.assertion(await loginChallenge(org));
    await loginWith(await organization(), credential).expect(401);
    const responses = await Promise.all(Array.from({ length: 6 }, () => loginWith(org, credential)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
    const late = device.assertion(await loginChallenge(org));
    moveClock(app, 5 * MINUTE_MS);
    await loginWith(org, late).expect(401);
    const changed = device.assertion(await loginChallenge(org));
    await loginWith(org, { ...changed, response: { ...changed.response, signature: 'AAAA' } }).expect(401);
  });

  it('is rejected as a possible copy if the counter decreases', async () => {
    const org = await organization();
    const { id, token } = await signedInUser(app, org);
    const { device } = await register(token);
    const attempt = async (counter: number) => loginWith(org, device.assertion(await loginChallenge(org), { counter }));
    expect((await attempt(2)).status).toBe(200);
    const events = await eventsDuring(app, async () => expect((await attempt(1)).body.code).toBe('passkey_refused'));
    expect(events.map(({ type, data }) => [type, data.rule ?? data.reason])).toEqual([
      ['security.suspicious_activity', 'passkey_counter'],
      ['user.login_failed', 'passkey_counter'],
    ]);
    expect(events[0]!.data).toMatchObject({ riskLevel: 'high', action: 'refused', signals: { userId: id } });
  });

  it('can’t be added with the challenge of another session', async () => {
    const org = await organization();
    const { email, token } = await signedInUser(app, org);
    const device = newPasskey();
    await creationOptions(token);
    const wrong = device.registration(Buffer.alloc(32).toString('base64url'));
    const send = (by: string, credential: object) => app.api.as(by).post('/v1/auth/mfa/passkeys', { credential });
    expect((await send(token, wrong).expect(422)).body.code).toBe('mfa_not_confirmed');
    const credential = device.registration((await creationOptions(token)).challenge);
    await send((await login(app, org, email).expect(200)).body.data.sessionToken, credential).expect(409);
    await send((await signedInUser(app, org)).token, credential).expect(409);
    const { sessionToken } = (await send(token, credential).expect(201)).body.data;
    await send(sessionToken, credential).expect(409);
    expect((await creationOptions(sessionToken)).excludeCredentials).toHaveLength(1);

    await app.api.platform.patch(`/v1/organizations/${org}`, { settings: { mfaMethods: ['totp'] } }).expect(200);
    await app.api.as(sessionToken).post('/v1/auth/mfa/passkeys/options', {}).expect(422);
    await passkeyLogin(device, org, 401);
  });

  it('has sign-in options that do not reveal whether the organization exists', async () => {
    const optionsOfNonexistent = await loginOptions('no-such-organization');
    const org = await organization();
    expect(Object.keys(optionsOfNonexistent).sort()).toEqual(Object.keys(await loginOptions(org)).sort());
    const { id, token } = await signedInUser(app, org);
    const { device } = await register(token);
    await loginWith('no-such-organization', device.assertion(optionsOfNonexistent.challenge)).expect(401);
    await app.api.platform.post(`/v1/organizations/${org}/users/${id}/suspend`, {}).expect(200);
    await passkeyLogin(device, org, 401);
  });

  it('can’t be removed as the last factor if the organization requires MFA', async () => {
    const org = await organization({ requireMfa: true });
    const { token } = await userWithTotp(app, org);
    const { passkey, ...rest } = (await register(token)).added;
    expect(rest).toEqual({ method: 'passkey' });
    const client = app.api.as(token);
    await client.delete('/v1/auth/mfa/totp', { currentPassword: PASSWORD }).expect(204);
    const removal = client.delete(`/v1/auth/mfa/passkeys/${passkey.id}`, { currentPassword: PASSWORD });
    expect((await removal.expect(409)).body.code).toBe('mfa_factor_needed');
  });
});
