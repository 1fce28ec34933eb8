import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { sharedBrowser } from '../support/chromium.js';
import type { TestBody, TestResponse } from '../support/http-client.js';
import { startIdentityProvider } from '../support/identity-provider.js';
import { callbackPathOf, identityProvider } from '../support/oidc.js';
import { made } from '../support/organizations.js';
import { PageClient } from '../support/page-client.js';
import { startScriptedProvider } from '../support/scripted-identity-provider.js';
import { freshCode, userWithTotp } from '../support/second-factors.js';
import { activeUser, later } from '../support/sign-in.js';
import { testServer } from '../support/test-server.js';
import { testSite } from '../support/web.js';

const TRUSTED = { trustedDomains: ['corp.example', 'example.com'] };
const RETURN_TO = '/dashboard/acme/users?status=active';

describe('browser sign-in with a provider', () => {
  // Providers are on another site, 127.0.0.1.
  const app = testSite();
  const provider = testServer(startScriptedProvider);
  let base: string;
  let org: TestBody;
  let idp: TestBody;
  let counter = 0;
  beforeAll(async () => {
    base = app.config.baseUrl;
    org = await organization();
    idp = await identityProvider(app, org.id, provider.issuer, TRUSTED);
  });

  const organization = async (fields: object = {}): Promise<TestBody> =>
    await made(app, '/v1/organizations', { name: `Pages ${++counter}`, ...fields });
  const startPath = (org: TestBody, idp: TestBody, returnTo: string): string =>
    `/v1/auth/oidc/start?${new URLSearchParams({ organization: org.slug, provider: idp.id, returnTo }).toString()}`;
  const location = ({ headers }: TestResponse): string => headers.get('location') ?? '';
  /** Follows the sign-in link of a page to the provider and back. Returns the last response, which redirects the browser. */
  const signInFromPage = async (page: PageClient, org: TestBody, idp: TestBody, claims: object): Promise<TestResponse> => {
    provider.script = { claims: claims as never };
    const started = await page.get(startPath(org, idp, RETURN_TO));
    expect(started.status).toBe(302);
    return page.get(await callbackPathOf({ authorizationUrl: location(started) }));
  };
  const someone = (): { sub: string; email: string; email_verified: boolean } => {
    const name = `page-${++counter}`;
    return { sub: name, email: `${name}@corp.example`, email_verified: true };
  };

  it('sets a session cookie and redirects to the requested page', async () => {
    const page = new PageClient(app);
    const claims = someone();
    const response = await signInFromPage(page, org, idp, claims);
    expect([response.status, location(response), response.body]).toEqual([303, base + RETURN_TO, undefined]);
    expect(page.cookies).toMatch(/^service-session=[\w-]{43}$/);
    expect((await page.get('/v1/auth/me')).body.data.email).toBe(claims.email);
  });

  it('redirects to the sign-in page if the user has a second factor', async () => {
    const { email, secret } = await userWithTotp(app, org.id);
    const page = new PageClient(app);
    const response = await signInFromPage(page, org, idp, { ...someone(), email });
    const address = new URL(location(response));
    expect([response.status, address.origin + address.pathname + address.search]).toEqual([303, `${base}/account/sign-in`]);
    expect(page.cookies).toBe('');
    const { challenge, methods, ...rest } = Object.fromEntries(new URLSearchParams(address.hash.slice(1)));
    expect([methods?.split(','), rest]).toEqual([
      expect.arrayContaining(['totp']),
      { organization: org.slug, returnTo: RETURN_TO },
    ]);
    const proof = { challengeToken: challenge, method: 'totp', code: freshCode(app, secret) };
    expect((await page.post('/v1/auth/mfa/verify', proof, { headers: { 'session-transport': 'cookie' } })).status).toBe(200);
    expect((await page.get('/v1/auth/me')).body.data.email).toBe(email);
  });

  it('can be completed in each of the newest five tabs', async () => {
    const page = new PageClient(app);
    const claims = someone();
    provider.script = { claims };
    const callbacks: string[] = [];
    for (let tab = 0; tab < 6; tab += 1) {
      const started = await page.get(startPath(org, idp, `/account?tab=${tab}`));
      callbacks.push(await callbackPathOf({ authorizationUrl: location(started) }));
    }
    const pages: string[] = [];
    for (const callback of callbacks) pages.push(location(await page.get(callback)));
    const failed = `${base}/account/sign-in?organization=${org.slug}&error=oidc_state_invalid`;
    expect(pages).toEqual([failed, ...[1, 2, 3, 4, 5].map((tab) => `${base}/account?tab=${tab}`)]);
    expect(page.cookies).toMatch(/^service-session=[\w-]{43}$/);
  });

  describe('a failed sign-in', () => {
    const expectFailure = (page: PageClient, response: TestResponse, org: { slug: string }, error: string): void => {
      expect([response.status, location(response)]).toEqual([
        303,
        `${base}/account/sign-in?organization=${org.slug}&error=${error}`,
      ]);
      expect(page.cookies).not.toContain('session');
    };

    it('redirects to the sign-in page if no user is linked to the identity', async () => {
      const org = await organization();
      const idp = await identityProvider(app, org.id, provider.issuer);
      const page = new PageClient(app);
      expectFailure(page, await signInFromPage(page, org, idp, someone()), org, 'account_not_linked');
      await app.api.platform.post(`/v1/organizations/${org.id}/suspend`, { reason: 'Unpaid' }).expect(200);
      expectFailure(page, await signInFromPage(page, org, idp, someone()), org, 'organization_suspended');
    });

    it('redirects to the sign-in page if the sign-in took too long', async () => {
      const page = new PageClient(app);
      provider.script = { claims: someone() };
      const started = await page.get(startPath(org, idp, RETURN_TO));
      const response = await callbackPathOf({ authorizationUrl: location(started) });
      expectFailure(page, await later(app, 11 * 60_000, () => page.get(response)), org, 'oidc_state_invalid');
    });

    it('redirects to the sign-in page if the provider or organization is unknown', async () => {
      const page = new PageClient(app);
      const unknown = { id: 'Nobody' };
      expectFailure(page, await page.get(startPath(org, unknown, RETURN_TO)), org, 'identity_provider_not_found');
      expectFailure(
        page,
        await page.get(startPath({ slug: 'a&b' }, unknown, RETURN_TO)),
        { slug: 'a%26b' },
        'identity_provider_not_found',
      );
    });

    it('redirects to the sign-in page if another site started the sign-in', async () => {
      const page = new PageClient(app);
      const response = await page.get(startPath(org, idp, RETURN_TO), { headers: { 'sec-fetch-site': 'cross-site' } });
      expectFailure(page, response, org, 'cross_origin');
      expect(page.cookies).toBe('');
    });
  });

  // return-to.spec.ts tests more addresses.
  it.each(['//evil.example', '/v1/auth/me'])('does not redirect to %s', async (returnTo) => {
    const { status, body, headers } = await new PageClient(app).get(startPath(org, idp, returnTo));
    expect([status, body.errors[0].pointer, headers.get('location')]).toEqual([400, '/returnTo', null]);
    await app.api.anonymous.post('/v1/auth/oidc/start', { organization: org.id, provider: idp.id, returnTo }).expect(400);
  });

  it('can be started by a script', async () => {
    const page = new PageClient(app);
    provider.script = { claims: someone() };
    const started = await page.post('/v1/auth/oidc/start', { organization: org.id, provider: idp.id, returnTo: '/account' });
    const response = await page.get(await callbackPathOf(started.body.data));
    expect([response.status, location(response)]).toEqual([303, `${base}/account`]);
  });

  describe('Chromium with a certified provider', () => {
    const grace = { email: 'grace@browser.example', email_verified: true };
    const real = testServer(() => startIdentityProvider(`${base}/v1/auth/oidc/callback`, { grace }));
    let context: BrowserContext;
    beforeAll(async () => {
      context = await (await sharedBrowser()).newContext();
    });
    afterAll(() => context?.close());

    const signInAs = async (page: Page, login: string): Promise<void> => {
      await page.fill('[name=login]', login);
      await page.fill('[name=password]', 'any');
      await page.click('[type=submit]');
      await page.click('[type=submit]');
    };

    it('returns to the requested page with a session', async () => {
      const org = await organization();
      const idp = await identityProvider(app, org.id, real.issuer, { trustedDomains: ['browser.example'] });
      const { id } = await activeUser(app, org.id, { email: 'grace@browser.example' });
      const page = await context.newPage();
      await page.goto(`${base}/health/live`);
      await page.evaluate(`location.assign('${startPath(org, idp, '/dashboard')}')`);
      await signInAs(page, 'grace');
      await page.waitForURL(`${base}/dashboard`);
      const ownId = `(async () => (await (await fetch('/v1/auth/me')).json()).data.id)()`;
      expect(await page.evaluate(ownId)).toBe(id);
      expect(await context.cookies(base)).toEqual([
        expect.objectContaining({ name: 'service-session', sameSite: 'Strict', httpOnly: true }),
      ]);
    });
  });
});
