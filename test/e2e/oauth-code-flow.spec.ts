import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { type TestApp } from '../support/app.js';
import { CALLBACK, OAuthApplication, refusal, startIssuer } from '../support/oauth-application.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';

let app: TestApp;
let application: OAuthApplication;
let ada: SignedIn;
let acme: string;

beforeAll(async () => {
  app = await startIssuer();
  acme = (await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201)).body.data.id;
  ada = await signedIn(app, acme, { roles: ['admin'] });
  application = await OAuthApplication.create(app, acme);
});

afterAll(() => app?.close());

describe('authorization code flow', () => {
  it('signs a user in with PKCE, and the same user again without a question', async () => {
    const application = await OAuthApplication.create(app, acme);
    const request = await application.start(ada);
    expect((await request.open()).pathname).toBe('/account/authorize');
    const tokens = await application.exchange(await request.finish(), request.checks);

    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', app.url));
    const { payload, protectedHeader } = await jwtVerify(tokens.id_token!, keys, { issuer: app.config.baseUrl });
    expect(protectedHeader.alg).toBe('ES256');
    const claims = { sub: ada.id, org_id: acme, org_name: 'Acme', org_path: [acme], roles: ['admin'], email: ada.email };
    expect(payload).toMatchObject({ ...claims, aud: application.clientId, amr: ['password'], acr: 'aal1' });
    expect(await application.userInfo(tokens, ada.id)).toMatchObject(claims);

    const again = await application.start(ada);
    expect((await again.open()).origin).toBe('https://app.example.com');
    expect(await app.eventTypes()).toContain('oauth_grant.created');
  });

  it('accepts the request as a form, and sends the code as a form', async () => {
    await application.signIn(ada);
    const { browser, address, checks } = await application.start(ada, { response_mode: 'form_post' });
    const [path, form] = address.split('?') as [string, string];
    const send = (type: string) => app.api.anonymous.raw('POST', path, form, { 'content-type': type });
    const posted = await send('application/x-www-form-urlencoded');
    expect([posted.status, posted.headers.get('location')]).toEqual([303, address]);
    expect((await send('text/plain')).status).toBe(400);

    const { status, body } = await browser.get(posted.headers.get('location')!);
    expect([status, body]).toEqual([200, expect.stringContaining(`action="${CALLBACK}"`)]);
    const fields = [...body.matchAll(/name="(\w+)" value="([^"]+)"/g)].map(
      ([, name, value]) => [name, value] as [string, string],
    );
    const callback = new URL(`${CALLBACK}?${new URLSearchParams(fields)}`);
    expect((await application.exchange(callback, checks)).claims()).toMatchObject({ sub: ada.id });
  });

  it('sends a user without a session to the sign-in page and back', async () => {
    await application.signIn(ada);
    const request = await application.start(null, { login_hint: ada.email, organization: 'acme' });
    const page = await request.open();
    expect(page.pathname).toBe('/account/sign-in');
    expect(Object.fromEntries(page.searchParams)).toMatchObject({ email: ada.email, organization: 'acme' });
    request.browser.cookies = `${request.browser.cookies}; ${app.config.serviceName}-session=${ada.token}`;
    const callback = await request.open(page.searchParams.get('returnTo')!);
    const tokens = await application.exchange(callback, request.checks);
    expect(tokens.claims()).toMatchObject({ sub: ada.id, acr: 'aal1', amr: ['password'] });
  });

  it('continues with another account, without the answers of the first one', async () => {
    const bob = await signedIn(app, acme, { roles: ['admin'] });
    const other = await OAuthApplication.create(app, acme);
    const request = await other.start(null);
    const signIn = await request.open();
    const cookies = request.browser.cookies;
    request.browser.cookies = `${cookies}; ${app.config.serviceName}-session=${ada.token}`;
    const page = await request.open(signIn.searchParams.get('returnTo')!);
    expect(page.pathname).toBe('/account/authorize');
    request.browser.cookies = request.browser.cookies.replace(ada.token, bob.token);
    const callback = await request.finish(undefined, `/oauth/interactions/${page.searchParams.get('interaction')}`);
    expect((await other.exchange(callback, request.checks)).claims()).toMatchObject({ sub: bob.id });
  });

  it('lets a browser that comes from another site send the session cookie', async () => {
    const { browser, address } = await application.start(ada);
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const page = await browser.get(address, { headers });
    expect([page.status, page.headers.get('location')]).toEqual([200, null]);
    expect(page.body).toContain(`url=${(app.config.baseUrl + address).replaceAll('&', '&amp;')}`);
  });

  it('rejects an authorization request without PKCE', async () => {
    const request = await application.start(ada);
    const callback = await request.open(request.address.replace(/code_challenge=[^&]*&?/, ''));
    expect([callback.origin, callback.searchParams.get('error')]).toEqual(['https://app.example.com', 'invalid_request']);
  });

  it('returns errors of prompt=none and of a denial to the application', async () => {
    const none = await (await application.start(null, { prompt: 'none' })).open();
    expect(none.searchParams.get('error')).toBe('login_required');
    const asked = await application.start(ada, { prompt: 'consent' });
    const id = (await asked.open()).searchParams.get('interaction');
    const { body } = await asked.browser.post(`/v1/oauth/interactions/${id}/denial`);
    const denied = await asked.open(new URL(body.data.redirectTo).pathname);
    expect(denied.searchParams.get('error')).toBe('access_denied');
  });
});

describe('refresh tokens', () => {
  it('are rotated, and a second use ends the sign-in', async () => {
    const first = await application.signIn(ada);
    const second = await application.refresh(first.refresh_token);
    expect(second.claims()).toMatchObject({ sub: ada.id, org_id: acme });
    const other = await application.signIn(ada);

    expect(await refusal(application.refresh(first.refresh_token))).toBe('invalid_grant');
    expect(await refusal(application.refresh(second.refresh_token))).toBe('invalid_grant');
    expect((await application.introspect(second.access_token)).active).toBe(false);
    // Another sign-in of the same user goes on.
    expect((await application.introspect(other.access_token)).active).toBe(true);
    const { body } = await app.api.platform.get('/v1/organizations/acme/events?type=security.suspicious_activity').expect(200);
    expect(body.data[0].data).toMatchObject({ rule: 'oauth_token_reused', signals: { clientId: application.clientId } });
  });
});
