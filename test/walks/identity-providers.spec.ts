import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { type IdentityProviderServer, startIdentityProvider } from '../support/identity-provider.js';
import { ownDomains } from '../support/oidc.js';
import { newOrganization } from '../support/organizations.js';
import { CLIENT_ID, CLIENT_SECRET } from '../support/scripted-identity-provider.js';
import { signedIn } from '../support/signed-in.js';
import { closeWindows, enterSession, expectAccessibleOnce, openWindow, picture, startSite, type Window } from '../support/web.js';

const JOURNEY_TIMEOUT_MS = 120_000;

describe('the identity providers page', () => {
  let app: TestApp;
  let provider: IdentityProviderServer;
  let window: Window;
  let page: Page;
  let organization: TestBody;

  beforeAll(async () => {
    app = await startSite();
    provider = await startIdentityProvider(`${app.config.baseUrl}/v1/auth/oidc/callback`, {});
    organization = await newOrganization(app, { name: 'Northwind' });
    window = await openWindow(app.config.baseUrl);
    await enterSession(window, app, (await signedIn(app, organization.id, { roles: ['owner'] })).token);
    page = window.page;
  });
  afterAll(() => expect(window.faults).toEqual([]));
  afterAll(async () => {
    await closeWindows();
    await provider?.stop();
    await app?.close();
  });

  it(
    'lets an owner add and test an identity provider',
    async () => {
      await addProvider();
      await checkConnection();
      await openTestSignIn();
    },
    JOURNEY_TIMEOUT_MS,
  );

  /** Adds a provider by keyboard. The page shows the redirect URI for the provider. */
  async function addProvider(): Promise<void> {
    await page.goto(`/dashboard/organizations/${organization.id}/identity-providers`);
    await page.getByText('No identity providers yet').waitFor();
    await page.getByText(`${app.config.baseUrl}/v1/auth/oidc/callback`).waitFor();
    await page.getByRole('link', { name: 'Add identity provider' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name', exact: true }).pressSequentially('Company login');
    await page.getByRole('textbox', { name: 'Issuer' }).fill('https://10.0.0.1');
    await page.getByLabel('Client ID').fill(CLIENT_ID);
    await page.locator('input[type=password]').fill(CLIENT_SECRET);
    const domains = page.getByPlaceholder('example.com, then press Enter');
    await domains.fill('northwind.example');
    await domains.press('Enter');
    await page.getByRole('button', { name: 'Add identity provider' }).press('Enter');
    await page.getByText('The issuer has an address that the service is not allowed to connect to').waitFor();
    await expectAccessibleOnce(page);
    await page.getByRole('textbox', { name: 'Issuer' }).fill(`${provider.issuer}/`);
    await page.getByRole('button', { name: 'Add identity provider' }).press('Enter');
    await page.getByText('The domain "northwind.example" is not verified').waitFor();
    await ownDomains(app, organization.id, ['northwind.example']);
    await page.getByRole('button', { name: 'Add identity provider' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Company login' }).waitFor();
    const { data } = (await app.api.platform.get(`/v1/organizations/${organization.id}/identity-providers`).expect(200)).body;
    expect(data).toMatchObject([{ hasClientSecret: true, trustedDomains: ['northwind.example'], enabled: true }]);
    expect(await page.locator('input[type=password]').inputValue()).toBe('');
  }

  /** Checks the connection, corrects the issuer, and repeats the check. */
  async function checkConnection(): Promise<void> {
    await page.getByRole('button', { name: 'Check connection' }).click();
    await page.getByText(`The provider reports the issuer "${provider.issuer}". Enter the issuer exactly like this.`).waitFor();
    await page.getByRole('textbox', { name: 'Issuer' }).fill(provider.issuer);
    await page.getByText('Save your changes first.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“Company login” was saved').waitFor();
    await page.getByRole('button', { name: 'Check connection' }).click();
    await page.getByText('The provider is reachable and its discovery document is valid').waitFor();
    await expectAccessibleOnce(page);
    await picture(page, 'identity-provider');
  }

  async function openTestSignIn(): Promise<void> {
    const href = (await page.getByRole('link', { name: 'Test sign-in' }).getAttribute('href')) ?? '';
    expect(href.startsWith(`${app.config.baseUrl}/v1/auth/oidc/start?`)).toBe(true);
    const [tab] = await Promise.all([
      window.context.waitForEvent('page'),
      page.getByRole('link', { name: 'Test sign-in' }).click(),
    ]);
    await tab.waitForURL(`${provider.issuer}/**`);
    expect([new URL(tab.url()).origin, await tab.innerText('body')]).toEqual([
      provider.issuer,
      expect.stringContaining('Sign-in'),
    ]);
  }
});
