import { describe, expect, it } from '@jest/globals';
import { RateLimitService } from '#identity/auth';
import { hashToken } from '#platform/crypto';
import { startApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { keyClient, made, newAddress, newOrganization, read } from '../support/organizations.js';
import { challenge, freshCode, userWithTotp } from '../support/second-factors.js';
import { activeUser, from, login, mailedToken, NEW_PASSWORD, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const app = testApp({ trustProxy: ['127.0.0.1'] });

/** Returns the response with an access token for this API. */
async function tokenOf({ id, secret }: TestBody): Promise<TestBody> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', resource: app.config.baseUrl, scope: 'sign_ins:forward' });
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  return (await fetch(`${app.url}/oauth/token`, { method: 'POST', body, headers: { authorization } })).json();
}

describe('the header Client-Address', () => {
  const options = (address: string, headers: Record<string, string> = {}) => ({
    headers: { 'client-address': address, ...headers },
  });
  const server = (org: TestBody): Promise<TestClient> => keyClient(app, org.id, ['sign_ins:forward']);
  const signIn = (by: TestClient, org: TestBody, email: string, address: string, password = PASSWORD, headers = {}) =>
    by.post('/v1/auth/login', { organization: org.id, email, password }, options(address, headers));
  const newPerson = (org: TestBody): Promise<TestBody> => activeUser(app, org.id, { email: newAddress() });
  const lastMetadata = async (type: string): Promise<TestBody> => {
    const [row] = await app.database.query<{ payload: string }>(
      'SELECT payload FROM events WHERE type = $1 ORDER BY seq DESC LIMIT 1',
      [type],
    );
    return JSON.parse(row!.payload).metadata;
  };

  it('keeps the end users of one server apart, and their addresses apart from requests from these addresses', async () => {
    const org = await newOrganization(app);
    const [user, own] = [await newPerson(org), await server(org)];
    for (let count = 0; count < 5; count++) await signIn(own, org, user.email, '203.0.113.1', 'wrong').expect(401);
    await signIn(own, org, user.email, '203.0.113.1').expect(429, 'sign_in_locked');
    await signIn(own, org, user.email, '203.0.113.2', 'wrong').expect(401);
    const failures = await app.database.query(
      'SELECT address, failures FROM sign_in_failures WHERE tenant_id = $1 ORDER BY address',
      [org.id],
    );
    // All addresses together count toward the limit of the account.
    expect(failures).toEqual([
      { address: '', failures: 6 },
      { address: `203.0.113.1 ${org.id}`, failures: 5 },
      { address: `203.0.113.2 ${org.id}`, failures: 1 },
    ]);
    await login(app, org.id, user.email, PASSWORD, from('203.0.113.1')).expect(200);
    await signIn(own, org, user.email, '203.0.113.1').expect(429, 'sign_in_locked');
    await signIn(own, org, user.email, '203.0.113.3').expect(200);
  });

  it('counts the requests of an address only for the organization of the key, and all requests for the key', async () => {
    await using limited = await startApp({ ...app.config, rateLimit: 4 });
    const [org, other] = [await newOrganization(app), await newOrganization(app)];
    const rateLimit = limited.app.get(RateLimitService, { strict: false });
    for (let count = 0; count < 600; count++) await rateLimit.countAnonymous(`203.0.113.1 ${org.id}`);
    const key = (await made(app, `/v1/organizations/${org.id}/api-keys`, { name: 'k', scopes: ['sign_ins:forward'] })).key;
    const look = (address: string, by = limited.api.as(key), { id } = org) =>
      by.get(`/v1/auth/sign-in-options?organization=${id}`, options(address));
    await look('203.0.113.1').expect(429, 'rate_limited');
    await look('203.0.113.2').expect(200);
    await look('203.0.113.3').expect(200);
    expect((await look('203.0.113.4').expect(200)).headers.get('ratelimit')).toContain('r=0');
    await look('203.0.113.5').expect(429, 'rate_limited');
    await look('203.0.113.1', limited.api.platform, other).expect(200);
    await limited.api.anonymous.get(`/v1/auth/sign-in-options?organization=${org.id}`, from('203.0.113.1')).expect(200);
  });

  it('records the address and the user agent of the end user, and the key that sent them', async () => {
    const org = await newOrganization(app);
    const child = await newOrganization(app, { parentId: org.id });
    const [user, own] = [await newPerson(org), await server(org)];
    const rows = [
      ['203.0.113.7', '203.0.113.7', { 'client-user-agent': 'Firefox' }],
      ['::ffff:203.0.113.7', '203.0.113.7', {}],
      ['2001:DB8:0::7', '2001:db8::7', {}],
    ] as const;
    for (const [sent, ipAddress, headers] of rows) {
      const { session, sessionToken } = (await signIn(own, child, user.email, sent, PASSWORD, headers).expect(200)).body.data;
      const userAgent = 'client-user-agent' in headers ? 'Firefox' : null;
      const sessions = await read(app.api.as(sessionToken), '/v1/auth/sessions');
      expect(sessions.find(({ id }: TestBody) => id === session.id)).toMatchObject({ ipAddress, userAgent });
      expect(await lastMetadata('user.login')).toEqual({
        ipAddress,
        ...(userAgent && { userAgent }),
        forwardedBy: expect.stringMatching(/^key_/),
        source: 'api',
        requestId: expect.any(String),
      });
    }
    const isUsed = async () => (await read(app, `/v1/organizations/${org.id}/api-keys`))[0].unusedPermissions.length === 0;
    await eventually(isUsed, 5_000, 'the use of the permission is recorded');
    // Other operations ignore the headers, and a sign-in without them ignores the key.
    await app.api.platform.post(`/v1/organizations/${org.id}/users`, { email: newAddress() }, options('203.0.113.7')).expect(201);
    expect(await lastMetadata('user.created')).toMatchObject({ ipAddress: '127.0.0.1', userAgent: 'node' });
    await own.post('/v1/auth/login', { organization: org.id, email: user.email, password: PASSWORD }).expect(200);
    expect(await lastMetadata('user.login')).toMatchObject({ ipAddress: '127.0.0.1', userAgent: 'node' });
    expect(await lastMetadata('user.login')).not.toHaveProperty('forwardedBy');
  });

  it('is refused without a credential that can send it for the organization', async () => {
    const [org, other] = [await newOrganization(app), await newOrganization(app)];
    const child = await newOrganization(app, { parentId: org.id });
    const user = await newPerson(org);
    const limits = { name: 'k', scopes: ['sign_ins:forward'], allowedNetworks: ['192.0.2.0/24'] };
    const limited = app.api.as((await made(app, `/v1/organizations/${org.id}/api-keys`, limits)).key);
    const session = (await login(app, org.id, user.email, PASSWORD).expect(200)).body.data.sessionToken;
    const suspended = await newOrganization(app);
    const ofSuspended = await server(suspended);
    await app.api.platform.post(`/v1/organizations/${suspended.id}/suspend`, {}).expect(200);
    const own = await server(org);
    const rows = [
      [app.api.anonymous, org, 401, 'unauthenticated'],
      [app.api.as('nonsense'), org, 401, 'unauthenticated'],
      [app.api.as(session), org, 403, 'forbidden'],
      [await keyClient(app, org.id, ['users:*', 'sessions:*']), org, 403, 'forbidden'],
      [await server(child), org, 404, 'organization_not_found'],
      [await server(other), org, 404, 'organization_not_found'],
      [own, { id: 'no-such-organization' }, 404, 'organization_not_found'],
      [own, { id: 'nul\0' }, 404, 'organization_not_found'],
      [limited, org, 403, 'network_not_allowed'],
      [ofSuspended, suspended, 403, 'organization_suspended'],
    ] as const;
    expect(
      await eventsDuring(app, async () => {
        for (const [by, { id }, status, code] of rows)
          await signIn(by, { id }, user.email, '203.0.113.7', 'wrong').expect(status, code);
      }),
    ).toEqual([]);
    const resources = [{ identifier: app.config.baseUrl, scopes: ['sign_ins:forward'] }];
    const client = await made(app, `/v1/organizations/${org.id}/oauth-clients`, { name: 'Pages', type: 'machine', resources });
    const { access_token: token } = await tokenOf(client);
    await signIn(app.api.as(token), other, user.email, '203.0.113.7').expect(404, 'organization_not_found');
    await signIn(app.api.as(token), org, user.email, '203.0.113.7').expect(200);
    expect(await lastMetadata('user.login')).toMatchObject({ ipAddress: '203.0.113.7', forwardedBy: client.id });
    // The network of the key is about the server, not about the end user.
    await signIn(limited, org, user.email, '203.0.113.7', PASSWORD, { 'x-forwarded-for': '192.0.2.9' }).expect(200);
    await own.post('/v1/auth/login', { organization: 7 }, options('203.0.113.7')).expect(400, 'validation_failed');
    await own
      .post('/v1/auth/sign-in-links', { email: user.email }, options('203.0.113.7'))
      .expect(403, 'forbidden', 'platform key');
    await app.api.platform.post('/v1/auth/sign-in-links', { email: user.email }, options('203.0.113.7')).expect(202);
  });

  it.each([
    '',
    'unknown',
    '203.0.113.7, 198.51.100.1',
    '203.0.113.7:443',
    '[2001:db8::7]',
    'fe80::1%eth0',
    '203.0.113.0/24',
    '0x7f.1',
  ])('rejects the address "%s"', async (address) => {
    const path = '/v1/auth/sign-in-links';
    const { body } = await app.api.platform
      .post(path, { email: newAddress() }, options(address))
      .expect(400, 'validation_failed');
    expect(body.errors).toMatchObject([{ pointer: '/Client-Address', in: 'header', code: 'invalid_address' }]);
    const headers = { 'client-user-agent': 'Firefox' };
    await app.api.platform.post(path, { email: newAddress() }, { headers }).expect(400, 'validation_failed');
  });

  it('is refused for tokens of organizations that the key does not reach, before they are used', async () => {
    const [org, other] = [await newOrganization(app), await newOrganization(app)];
    const { email, secret } = await userWithTotp(app, org.id);
    const { challengeToken } = await challenge(app, org.id, email);
    await app.api.anonymous.post('/v1/auth/forgot-password', { organization: org.id, email }).expect(202);
    const token = await mailedToken(app, email, 'password_reset');
    const [state, callback] = ['s'.repeat(43), `${app.config.baseUrl}/v1/auth/oidc/callback/login.example.com`];
    await app.database.query(
      `INSERT INTO oidc_sign_ins (state_hash, tenant_id, organization_id, identity_provider_id, binding_hash, checks_sealed, expires_at)
       VALUES ($1, $2, $2, 'idp', $1, '', now() + interval '1 day')`,
      [hashToken(state), org.id],
    );
    const code = freshCode(app, secret);
    const requests = [
      ['/v1/auth/mfa/challenge', { challengeToken, method: 'passkey' }],
      ['/v1/auth/mfa/verify', { challengeToken, method: 'totp', code }],
      ['/v1/auth/links/look', { token }],
      ['/v1/auth/reset-password', { token, password: NEW_PASSWORD }],
      ['/v1/auth/accept-invitation', { token, password: NEW_PASSWORD }],
      ['/v1/auth/verify-email', { token }],
      ['/v1/auth/cancel-email-change', { token }],
      ['/v1/auth/oidc/callback', { callbackUrl: `${callback}?state=${state}`, bindingToken: state }],
      ['/v1/auth/passkey/options', { organization: org.id }],
      ['/v1/auth/sign-up', { organization: org.id, email, password: PASSWORD }],
    ] as const;
    const [own, foreign] = [await server(org), await server(other)];
    const events = await eventsDuring(app, async () => {
      for (const [path, body] of requests) {
        const { status } = await foreign.post(path, body, options('203.0.113.7')).whenServed();
        expect([path, status]).toEqual([path, 'organization' in body ? 404 : 403]);
      }
    });
    expect(events).toEqual([]);
    const proof = { challengeToken, method: 'totp', code };
    await own.post('/v1/auth/mfa/verify', proof, options('203.0.113.7')).expect(200);
    expect(await lastMetadata('user.login')).toMatchObject({ ipAddress: '203.0.113.7' });
    await own.post('/v1/auth/reset-password', { token, password: NEW_PASSWORD }, options('203.0.113.8')).expect(204);
    expect(await lastMetadata('user.password_changed')).toMatchObject({ ipAddress: '203.0.113.8' });
    // A used link is still a link of the organization.
    await foreign.post('/v1/auth/reset-password', { token, password: PASSWORD }, options('203.0.113.7')).expect(403, 'forbidden');
    await foreign
      .post('/v1/auth/reset-password', { token: 'x'.repeat(43), password: PASSWORD }, options('203.0.113.7'))
      .expect(400, 'link_invalid');
  });
});
