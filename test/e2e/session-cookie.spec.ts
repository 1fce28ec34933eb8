// Processor time: Chromium opens pages of three origins and the API documentation.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import type { TestBody, TestResponse } from '../support/http-client.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { PageClient, SESSION_IN_COOKIE, signedInPage } from '../support/page-client.js';
import { freshCode, signedInUser } from '../support/second-factors.js';
import { activeUser, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';
import type { BrowserContext, Page } from 'playwright-core';
import { sharedBrowser } from '../support/chromium.js';
import { type Listener, listenHttp } from '../support/local-receiver.js';
import { testSite } from '../support/web.js';

const CLEARED = 'service-session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict';
const DAY_SECONDS = 86_400;

describe('the session cookie', () => {
  const app = testApp();
  let acme: TestBody;
  let cookie: string | undefined;
  beforeAll(async () => {
    acme = await newOrganization(app);
  });

  const user = (): Promise<TestBody> => activeUser(app, acme.id, { email: newAddress(), roles: ['admin'] });
  const pageOf = async ({ email }: TestBody): Promise<PageClient> => signedInPage(app, acme.id, email, PASSWORD);
  const cookiesOf = ({ headers }: TestResponse): string[] => headers.getSetCookie();
  const outcome = ({ status, body }: TestResponse): unknown[] => [status, body?.code];

  describe('a sign-in', () => {
    it('sets the cookie instead of returning the token', async () => {
      const { email, id } = await user();
      const page = new PageClient(app);
      const { body, headers } = await page.post(
        '/v1/auth/login',
        { organization: acme.slug, email, password: PASSWORD },
        SESSION_IN_COOKIE,
      );
      expect(body.data).toMatchObject({ mfaRequired: false, user: { id }, session: { id: expect.stringMatching(/^ses_/) } });
      expect(body.data).not.toHaveProperty('sessionToken');
      const [cookie = '', ...further] = headers.getSetCookie();
      expect(further).toEqual([]);
      const [, maxAge] =
        /^service-session=[\w-]{43}; Max-Age=(\d+); Path=\/; Expires=[^;]+ GMT; HttpOnly; SameSite=Strict$/.exec(cookie) ?? [];
      expect(Math.abs(Number(maxAge) - 30 * DAY_SECONDS)).toBeLessThan(60);
      expect((await page.get('/v1/auth/me')).body.data.id).toBe(id);
      const logins = await app.database.query(
        "SELECT payload::json -> 'metadata' ->> 'source' AS source FROM events WHERE type = 'user.login' AND payload LIKE $1",
        [`%${body.data.session.id}%`],
      );
      expect(logins).toEqual([{ source: 'dashboard' }]);
    });

    it('renews the cookie after MFA enrollment', async () => {
      const strict = await newOrganization(app, { settings: { requireMfa: true } });
      const { email } = await signedInUser(app, strict.id);
      const page = await signedInPage(app, strict.id, email, PASSWORD);
      const before = page.cookies;
      const { secret } = (await page.post('/v1/auth/mfa/totp')).body.data;
      // The request does not ask for a cookie. The service sets a cookie because the session was in a cookie.
      const confirmed = await page.post('/v1/auth/mfa/totp/confirm', { code: freshCode(app, secret) });
      expect([confirmed.status, confirmed.body.data.sessionToken, page.cookies === before]).toEqual([200, undefined, false]);
      expect((await page.get('/v1/auth/sessions')).status).toBe(200);
      page.cookies = before;
      expect((await page.get('/v1/auth/sessions')).status).toBe(401);
    });

    it('sets the cookie only for a page of this origin, with a new token at every sign-in, and stores no response', async () => {
      const { email } = await user();
      const credentials = { organization: acme.id, email, password: PASSWORD };
      const other = await app.api.anonymous.post('/v1/auth/login', credentials, { headers: { 'session-transport': 'local' } });
      expect([outcome(other), other.body.errors[0].pointer]).toEqual([[400, 'validation_failed'], '/session-transport']);
      const elsewhere = { headers: { ...SESSION_IN_COOKIE.headers, 'sec-fetch-site': 'same-site' } };
      const rejected = await app.api.anonymous.post('/v1/auth/login', credentials, elsewhere);
      expect([outcome(rejected), cookiesOf(rejected)]).toEqual([[403, 'cross_origin'], []]);
      const program = await app.api.anonymous.post('/v1/auth/login', credentials).expect(200);
      expect([program.body.data.sessionToken, cookiesOf(program)]).toEqual([expect.stringMatching(/^[\w-]{43}$/), []]);
      const page = new PageClient(app);
      const headers = { ...SESSION_IN_COOKIE.headers, 'idempotency-key': 'sign-in' };
      const cookies = [];
      for (let time = 0; time < 2; time += 1) {
        await page.post('/v1/auth/login', credentials, { headers });
        cookies.push(page.cookies);
      }
      expect(cookies[0]).not.toBe(cookies[1]);
      expect(await app.database.query("SELECT FROM idempotency_records WHERE key = 'sign-in'")).toEqual([]);
    });
  });

  it('has Secure and the __Host- prefix over https', async () => {
    const { email } = await user();
    await using secure = await startApp({ ...app.config, baseUrl: 'https://id.example.com' });
    const credentials = { organization: acme.id, email, password: PASSWORD };
    const from = (origin: string) => ({ headers: { ...SESSION_IN_COOKIE.headers, origin, host: 'id.example.com' } });
    const { headers } = await secure.api.anonymous
      .post('/v1/auth/login', credentials, from('https://id.example.com'))
      .expect(200);
    const [cookie = ''] = headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-service-session=[\w-]{43}; Max-Age=\d+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    );
    const [pair = ''] = cookie.split(';');
    await secure.api.anonymous.get('/v1/auth/me', { headers: { cookie: pair } }).expect(200);
    await secure.api.anonymous.get('/v1/auth/me', { headers: { cookie: pair.replace('__Host-', '') } }).expect(401);
    await secure.api.anonymous.post('/v1/auth/login', credentials, from('http://id.example.com')).expect(403);
  });

  it('is rejected if it contains an API key', async () => {
    const page = new PageClient(app);
    const { key } = await made(app, `/v1/organizations/${acme.id}/api-keys`, { name: 'Key', scopes: ['*'] });
    for (const token of [key, app.platformKey, 'nonsense', 'A'.repeat(43)]) {
      page.cookies = `service-session=${token}`;
      const rejected = await page.get(`/v1/organizations/${acme.id}`);
      expect([outcome(rejected), cookiesOf(rejected)]).toEqual([[401, 'unauthenticated'], [CLEARED]]);
    }
  });

  it('is no way around the missing CORS headers, as the page of the error says', async () => {
    const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'PATCH' };
    const preflight = await app.api.anonymous.raw('OPTIONS', '/v1/auth/me', undefined, headers);
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    const page = readFileSync(join(import.meta.dirname, '../../docs/errors/cross_origin.md'), 'utf8');
    expect(page).toMatch(/^- Pages of other origins, .*: call your own server.* sends no CORS headers/m);
  });

  it.each([
    ['a page of this origin', { 'sec-fetch-site': 'same-origin' }, 200],
    ['another port or host of this site', { 'sec-fetch-site': 'same-site' }, 403],
    ['another site that claims this origin', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }, 403],
    ['the address bar', { 'sec-fetch-site': 'none' }, 403],
    ['a browser without Sec-Fetch-Site at the public address', { origin: 'http://localhost:3000' }, 200],
    ['a browser without Sec-Fetch-Site at the requested host', { origin: 'OWN' }, 200],
    ['a browser without Sec-Fetch-Site at a lookalike host', { origin: 'http://localhost:3000.evil.example' }, 403],
    ['a client without origin headers', {}, 403],
  ])('a change from %s (%j) returns %s', async (_name, sent: Record<string, string>, expected) => {
    cookie ??= (await pageOf(await user())).cookies;
    const headers = { ...sent, ...(sent['origin'] === 'OWN' ? { origin: app.url } : {}), cookie };
    const change = app.api.anonymous.patch('/v1/auth/me', { firstName: 'Changed' }, { headers });
    expect(outcome(await change)).toEqual([expected, expected === 403 ? 'cross_origin' : undefined]);
    await app.api.anonymous.get('/v1/auth/me', { headers }).expect(200);
  });

  describe('the browser’s cookie', () => {
    it.each([
      ['signing out', (page: PageClient) => page.post('/v1/auth/logout')],
      [
        'revoking the current session',
        async (page: PageClient) => page.delete(`/v1/auth/sessions/${(await page.get('/v1/auth/me')).body.data.session.id}`),
      ],
      ['revoking all sessions', (page: PageClient) => page.delete('/v1/auth/sessions?includeCurrent=true')],
    ])('is deleted after %s', async (_name, end) => {
      const page = await pageOf(await user());
      const { cookies } = page;
      const ended = await end(page);
      expect([ended.status < 300, cookiesOf(ended)]).toEqual([true, [CLEARED]]);
      page.cookies = cookies;
      expect((await page.get('/v1/auth/me')).status).toBe(401);
    });

    it('is kept when another session is revoked', async () => {
      const someone = await user();
      const [page, other] = [await pageOf(someone), await pageOf(someone)];
      const { id } = (await other.get('/v1/auth/me')).body.data.session;
      expect(cookiesOf(await page.delete(`/v1/auth/sessions/${id}`))).toEqual([]);
      expect(cookiesOf(await other.get('/health/live'))).toEqual([]);
    });
  });
});

/** Returns the response that a script on the page gets, with status 0 if the browser hides the response. */
const callFromPage = (page: Page, url: string, init: object = {}): Promise<{ status: number; body: TestBody }> =>
  page.evaluate(
    async ([url, init]) => {
      try {
        const response = await fetch(url, { credentials: 'include', ...init });
        const text = await response.text();
        return { status: response.status, body: text === '' ? null : JSON.parse(text) };
      } catch {
        return { status: 0, body: null };
      }
    },
    [url, init] as const,
  );
const withBody = (method: string, body: object, headers: object = {}): object => ({
  method,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const app = testSite();
let context: BrowserContext;
beforeEach(async () => {
  context = await (await sharedBrowser()).newContext();
  // Loading the API documentation takes long on a busy machine.
  context.setDefaultTimeout(120_000);
});
afterEach(() => context.close());

/** Chromium opens pages of two other origins than that of the service: another port and another host. */
describe('a browser session cookie', () => {
  let acme: TestBody;
  let user: TestBody;
  let page: Page;
  let otherSites: Listener[];

  beforeAll(async () => {
    acme = await newOrganization(app);
    user = await activeUser(app, acme.id, { email: 'ada@example.com', roles: ['admin'] });
    const serve = (host: string) =>
      listenHttp((_request, response) => response.setHeader('content-type', 'text/html').end('<!DOCTYPE html>'), host);
    otherSites = [await serve('127.0.0.1'), await serve('localhost')];
  });
  afterAll(() => Promise.all(otherSites.map((site) => site.close())));
  beforeEach(async () => {
    page = await context.newPage();
    await page.goto(`${app.url}/health/live`);
    const signedIn = await signIn(page);
    expect([signedIn.status, 'sessionToken' in signedIn.body.data]).toEqual([200, false]);
  });

  const signIn = (from: Page) => {
    const credentials = { organization: acme.id, email: user.email, password: PASSWORD };
    return callFromPage(from, `${app.url}/v1/auth/login`, withBody('POST', credentials, { 'session-transport': 'cookie' }));
  };
  const firstName = async (): Promise<string | undefined> => (await callFromPage(page, '/v1/auth/me')).body.data.firstName;

  it('is not readable by scripts', async () => {
    expect(await callFromPage(page, '/v1/auth/me')).toMatchObject({ status: 200, body: { data: { id: user.id } } });
    expect((await callFromPage(page, '/v1/auth/me', withBody('PATCH', { firstName: 'Ada' }))).status).toBe(200);
    const kept = await page.evaluate('[document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage)]');
    expect(kept).toEqual(['', '{}', '{}']);
    expect(await context.cookies()).toEqual([
      expect.objectContaining({ name: 'service-session', httpOnly: true, sameSite: 'Strict', path: '/', domain: '127.0.0.1' }),
    ]);
  });

  describe.each([
    ['another port', '127.0.0.1', 403],
    ['another host', 'localhost', 401],
  ])('a page on %s', (_name, host, expectedStatus) => {
    let otherPage: Page;
    beforeEach(async () => {
      otherPage = await context.newPage();
      await otherPage.goto(`http://${host}:${otherSites[host === 'localhost' ? 1 : 0]!.port}`);
    });

    /** Returns the status of the next response of the service. The browser hides the status from the page. */
    const statusOfNextResponse = (act: () => Promise<unknown>): Promise<number> =>
      new Promise((resolve, reject) => {
        const server = app.app.getHttpServer();
        server.once('request', (_request, response) => response.once('finish', () => resolve(response.statusCode)));
        act().catch(reject);
      });

    it('can’t change data with a script or a form', async () => {
      const before = await firstName();
      const change = withBody('PATCH', { firstName: 'Mallory' });
      expect(await callFromPage(otherPage, `${app.url}/v1/auth/me`, change)).toEqual({ status: 0, body: null });
      // Requests that a browser sends without a preflight: "simple" requests, and forms.
      const logout = `${app.url}/v1/auth/logout`;
      const simple = () => callFromPage(otherPage, logout, { method: 'POST', mode: 'no-cors' });
      expect(await statusOfNextResponse(simple)).toBe(expectedStatus);
      const form = `document.body.innerHTML = '<form method="post" action="${logout}"></form>'; document.forms[0].submit()`;
      expect(await statusOfNextResponse(() => otherPage.evaluate(form))).toBe(expectedStatus);
      expect(await firstName()).toBe(before);
    });

    it('can’t read or embed a response', async () => {
      expect(await callFromPage(otherPage, `${app.url}/v1/auth/me`)).toEqual({ status: 0, body: null });
      const embedded = await otherPage.evaluate(`new Promise((resolve) => {
        const script = document.createElement('script');
        script.src = '${app.url}/v1/auth/me';
        script.onload = () => resolve('load');
        script.onerror = () => resolve('error');
        document.body.append(script);
      })`);
      expect(embedded).toBe('error');
    });

    it('can’t create a session in the browser', async () => {
      const cookies = await context.cookies();
      await signIn(otherPage);
      expect(await context.cookies()).toEqual(cookies);
    });
  });
});
