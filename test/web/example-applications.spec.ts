import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findFreePort } from '../support/free-port.js';
import type { TestBody } from '../support/http-client.js';
import { startIdentityProvider } from '../support/identity-provider.js';
import { listenHttp } from '../support/local-receiver.js';
import { mailsTo } from '../support/mailbox.js';
import { identityProvider } from '../support/oidc.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { elementsOf } from '../support/pages.js';
import { addTotp, freshCode } from '../support/second-factors.js';
import { activeUser, PASSWORD, sessionToken } from '../support/sign-in.js';
import { testServer } from '../support/test-server.js';
import { openPage, testSite } from '../support/web.js';

const ROOT = join(import.meta.dirname, '../..');
/** Modules that the single-page example imports. A bundler would include them. */
const MODULES = ['openid-client', 'jose/errors', 'jose/jwe/compact/decrypt', 'oauth4webapi'];

const app = testSite();
/** The users of the identity provider, by login name. */
const people: Record<string, Record<string, unknown>> = {};
const provider = testServer(() => startIdentityProvider(app.config.baseUrl, people));
let acme: TestBody;
let europe: TestBody;
let page: Page;
const { button, heading } = elementsOf(() => page);

beforeAll(async () => {
  acme = await newOrganization(app, { name: 'Acme', settings: { allowPublicSignup: true } });
  await identityProvider(app, acme.id, provider.issuer, { trustedDomains: ['sso.example'] });
  europe = await newOrganization(app, { name: 'Acme Europe', parentId: acme.id });
  page = await openPage(app);
});

const newClient = (fields: object): Promise<TestBody> =>
  made(app, `/v1/organizations/${acme.id}/oauth-clients`, { name: 'Billing', ...fields });

const allow = async (): Promise<void> => {
  await heading('Billing wants to access your account').waitFor();
  await button('Allow').click();
};

describe('the example application with Express', () => {
  // Another site than the service, which is at localhost.
  let url: string;
  let example: ChildProcess;

  beforeAll(async () => {
    const port = String(await findFreePort());
    url = `http://127.0.0.1:${port}`;
    const uris = { redirectUris: [`${url}/callback`], postLogoutRedirectUris: [`${url}/`] };
    const { id, secret } = await newClient({ type: 'web', ...uris });
    const env = { IDENTITY_URL: app.config.baseUrl, APP_URL: url, APP_PORT: port, CLIENT_ID: id, CLIENT_SECRET: secret };
    example = spawn(process.execPath, [join(ROOT, 'examples/sign-in-app.mjs')], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(example.stdout!, 'data');
  });
  afterAll(() => void example?.kill());

  const shown = async (): Promise<unknown> => {
    await page.waitForURL(`${url}/`);
    return JSON.parse(await page.locator('pre').innerText());
  };

  it('signs a new user up and in, asks for a second factor, accepts an identity provider, switches the organization, and signs out', async () => {
    const email = 'ada@sso.example';
    await page.goto(`${url}/sign-in?prompt=create&organization=${acme.slug}`);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm password').fill(PASSWORD);
    await page.locator('button[type="submit"]').click();
    await page.getByText(email).waitFor();
    const link = (await mailsTo(app, email))[0]!.links.find((each) => each.includes('/verify-email'))!;
    await page.goto(link);
    await button('Verify address').click();
    await page.getByRole('link', { name: 'Sign in' }).or(button('Sign in')).first().click();
    await signIn(email);
    await allow();
    expect(await shown()).toMatchObject({ email, organization: 'Acme', acr: 'aal1' });

    const { secret } = await addTotp(app, await sessionToken(app, acme.id, email));
    await page.getByText('Confirm with a second factor').click();
    await signIn(email);
    await page.getByLabel(/code/i).first().fill(freshCode(app, secret));
    await page.keyboard.press('Enter');
    expect(await shown()).toMatchObject({ organization: 'Acme', acr: 'aal2' });

    people['ada'] = { email, email_verified: true };
    await page.getByText('Sign out').click();
    await page.getByText('Sign in').click();
    await button('Continue with Company login').click();
    await signInAtProvider('ada');
    await page.getByLabel(/code/i).first().fill(freshCode(app, secret));
    await page.keyboard.press('Enter');
    expect(await shown()).toMatchObject({ email, organization: 'Acme', acr: 'aal2' });

    const { body } = await app.api.platform.get(`/v1/organizations/${acme.id}/users?email=${email}`).expect(200);
    await app.api.platform.post(`/v1/organizations/${europe.id}/members`, { userId: body.data[0].id, role: 'admin' }).expect(201);
    await page.getByText('Switch organization').click();
    await button('Acme Europe').click();
    await allow();
    expect(await shown()).toMatchObject({ email, organization: 'Acme Europe', roles: ['admin', 'member'], acr: 'aal2' });

    await page.getByText('Sign out').click();
    await page.getByText('Sign in').click();
    await page.waitForURL(/\/account\/sign-in/);
  });

  async function signInAtProvider(login: string): Promise<void> {
    await page.locator('input[name="login"]').fill(login);
    await page.locator('input[name="password"]').fill('any');
    await page.locator('button[type="submit"]').click();
    await page.locator('button[type="submit"]').click();
  }

  async function signIn(email: string): Promise<void> {
    const password = page.getByLabel('Password', { exact: true });
    await password.or(page.getByLabel('Email address')).first().waitFor();
    if (await page.getByLabel('Email address').isVisible()) await page.getByLabel('Email address').fill(email);
    await password.fill(PASSWORD);
    await page.keyboard.press('Enter');
  }
});

describe('the example of a single-page application', () => {
  let html: string;
  const server = testServer(() =>
    listenHttp(({ url: path }, response) => {
      const isPage = new URL(path!, url()).pathname === '/';
      response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript');
      response.end(isPage ? html : readFileSync(join(ROOT, path!)));
    }),
  );
  const url = () => `http://127.0.0.1:${server.port}`;
  beforeAll(async () => {
    const { id, secret } = await newClient({
      type: 'single_page',
      redirectUris: [`${url()}/`],
      origins: [url()],
      consent: 'skipped',
      visibility: 'organization',
    });
    expect(secret).toBeNull();
    const imports = Object.fromEntries(
      MODULES.map((name) => [name, fileURLToPath(import.meta.resolve(name)).slice(ROOT.length)]),
    );
    html = `<html data-identity-url="${app.config.baseUrl}" data-client-id="${id}"><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports })}</script><body><script type="module" src="/examples/single-page-app.js"></script>`;
  });

  it('signs a user in, and calls the token endpoint from another origin', async () => {
    const { email } = await activeUser(app, acme.id, { email: newAddress() });
    page = await openPage(app);
    await page.goto(`${url()}/`);
    // The client signs in for one organization, so the page does not ask for it.
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText(`Hello ${email} of Acme`).waitFor();
  });
});
