// Processor time: Chromium opens pages of three origins and the API documentation.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { sharedBrowser } from '../support/chromium.js';
import type { TestBody } from '../support/http-client.js';
import { type Listener, listenHttp } from '../support/local-receiver.js';
import { newOrganization } from '../support/organizations.js';
import { activeUser, PASSWORD } from '../support/sign-in.js';
import { testSite } from '../support/web.js';

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

/** People type API keys into the page, and the page shares its origin with the dashboard. */
describe('the API documentation page', () => {
  it('works with a content security policy that allows only the service', async () => {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${app.config.baseUrl}/docs`);
    // Swagger UI renders only the visible part of a long list.
    await page.getByPlaceholder('Filter by tag').fill('Operations');
    await page.getByText('/health/live').first().click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    expect(faults).toEqual([]);

    await page.addScriptTag({ content: 'globalThis.injected = true' }).catch(() => undefined);
    expect(await page.evaluate(() => 'injected' in globalThis)).toBe(false);
    const elsewhere = await page.evaluate(() => fetch('http://localhost:9/').catch(({ message }: Error) => message));
    expect(elsewhere).toMatch(/Failed to fetch/);
    for (const directive of ['script-src', 'connect-src'])
      expect(faults).toContainEqual(expect.stringMatching(new RegExp(`violates the following .*${directive} 'self'`)));
  });
});
