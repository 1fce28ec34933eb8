import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { testApp } from '../support/test-app.js';
import { sharedBrowser } from '../support/chromium.js';
import type { TestBody } from '../support/http-client.js';
import { activeUser, PASSWORD } from '../support/sign-in.js';

interface Call {
  readonly url: string;
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
  readonly mode?: 'cors' | 'no-cors';
}

/** Returns the response that a script on the page gets, with status 0 if the browser hides the response. */
const callFromPage = (page: Page, call: Call): Promise<{ status: number; body: TestBody }> =>
  page.evaluate(async ({ url, method = 'GET', body, headers = {}, mode = 'cors' }) => {
    const sent =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
    try {
      const response = await fetch(url, { method, mode, credentials: 'include', headers, ...sent });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    } catch {
      return { status: 0, body: null };
    }
  }, call);

/** The service is at 127.0.0.1. Chromium opens pages of two other origins: another port and another host. */
describe('a browser session cookie', () => {
  const app = testApp();
  let acme: TestBody;
  let user: TestBody;
  let context: BrowserContext;
  let page: Page;
  const servers: Server[] = [];
  let otherPort: string;
  let otherHost: string;

  beforeAll(async () => {
    acme = (await app.api.platform.post('/v1/organizations', { name: 'Acme' }).expect(201)).body.data;
    user = await activeUser(app, acme.id, { email: 'ada@example.com', roles: ['admin'] });
    otherPort = await serveElsewhere('127.0.0.1');
    otherHost = await serveElsewhere('localhost');
  });
  afterAll(async () => {
    for (const server of servers) server.close();
  });
  beforeEach(async () => {
    context = await (await sharedBrowser()).newContext();
    page = await context.newPage();
    await page.goto(`${app.url}/health/live`);
    const signedIn = await callFromPage(page, {
      url: '/v1/auth/login',
      method: 'POST',
      body: { organization: acme.id, email: user.email, password: PASSWORD },
      headers: { 'session-transport': 'cookie' },
    });
    expect([signedIn.status, 'sessionToken' in signedIn.body.data]).toEqual([200, false]);
  });
  afterEach(() => context.close());

  const serveElsewhere = async (host: string): Promise<string> => {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!DOCTYPE html><title>Elsewhere</title>');
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    servers.push(server);
    return `http://${host}:${(server.address() as AddressInfo).port}`;
  };
  const firstName = async (): Promise<string | undefined> =>
    (await callFromPage(page, { url: '/v1/auth/me' })).body.data.firstName;

  it('is not readable by scripts', async () => {
    expect(await callFromPage(page, { url: '/v1/auth/me' })).toMatchObject({ status: 200, body: { data: { id: user.id } } });
    expect(await callFromPage(page, { url: '/v1/auth/me', method: 'PATCH', body: { firstName: 'Ada' } })).toMatchObject({
      status: 200,
    });
    const kept = await page.evaluate('[document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage)]');
    expect(kept).toEqual(['', '{}', '{}']);
    expect(await context.cookies()).toEqual([
      expect.objectContaining({ name: 'service-session', httpOnly: true, sameSite: 'Strict', path: '/', domain: '127.0.0.1' }),
    ]);
  });

  it('authenticates the event stream', async () => {
    const opened = await page.evaluate(
      (url) =>
        new Promise<string>((resolve) => {
          const source = new EventSource(url);
          source.addEventListener('open', () => resolve('open'));
          source.addEventListener('error', () => resolve('error'));
        }),
      `/v1/organizations/${acme.id}/events/stream`,
    );
    expect(opened).toBe('open');
  });

  describe.each([
    ['another port', () => otherPort, 403],
    ['another host', () => otherHost, 401],
  ])('a page on %s', (_name, origin, expectedStatus) => {
    let otherPage: Page;
    beforeEach(async () => {
      otherPage = await context.newPage();
      await otherPage.goto(origin());
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
      const change = { url: `${app.url}/v1/auth/me`, method: 'PATCH', body: { firstName: 'Mallory' } };
      expect(await callFromPage(otherPage, change)).toEqual({ status: 0, body: null });
      // Requests that a browser sends without a preflight: "simple" requests, and forms.
      const simple = { url: `${app.url}/v1/auth/logout`, method: 'POST', mode: 'no-cors' } as const;
      expect(await statusOfNextResponse(() => callFromPage(otherPage, simple))).toBe(expectedStatus);
      const form = `document.body.innerHTML = '<form method="post" action="${simple.url}"></form>'; document.forms[0].submit()`;
      expect(await statusOfNextResponse(() => otherPage.evaluate(form))).toBe(expectedStatus);
      expect(await firstName()).toBe(before);
    });

    it('can’t read or embed a response', async () => {
      expect(await callFromPage(otherPage, { url: `${app.url}/v1/auth/me` })).toEqual({ status: 0, body: null });
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
      await callFromPage(otherPage, {
        url: `${app.url}/v1/auth/login`,
        method: 'POST',
        body: { organization: acme.id, email: user.email, password: PASSWORD },
        headers: { 'session-transport': 'cookie' },
      });
      expect(await context.cookies()).toEqual(cookies);
    });
  });
});
