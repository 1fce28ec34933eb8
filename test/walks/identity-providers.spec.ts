import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { type IdentityProviderServer, startIdentityProvider } from '../support/identity-provider.js';
import { newOrganization } from '../support/organizations.js';
import { CLIENT_ID, CLIENT_SECRET } from '../support/scripted-identity-provider.js';
import { signedIn } from '../support/signed-in.js';
import { closeWindows, enterSession, expectAccessibleOnce, openWindow, picture, startSite, type Window } from '../support/web.js';

describe('the pages about identity providers', () => {
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
  afterAll(async () => {
    await closeWindows();
    await provider?.stop();
    await app?.close();
  });

  it('add a provider by keyboard and show what the provider needs to know', async () => {
    await page.goto(`/dashboard/organizations/${organization.id}/identity-providers`);
    await page.getByText('No identity provider yet').waitFor();
    await page.getByText(`${app.config.baseUrl}/v1/auth/oidc/callback`).waitFor();
    await page.getByRole('link', { name: 'Add a provider' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name', exact: true }).pressSequentially('Company login');
    await page.getByRole('textbox', { name: 'Issuer' }).fill('https://10.0.0.1');
    await page.getByLabel('Client id').fill(CLIENT_ID);
    await page.locator('input[type=password]').fill(CLIENT_SECRET);
    const domains = page.getByPlaceholder('example.com, then Enter');
    await domains.fill('northwind.example');
    await domains.press('Enter');
    await page.getByRole('button', { name: 'Add a provider' }).press('Enter');
    await page.getByText('The issuer is at an address that the service may not reach').waitFor();
    await expectAccessibleOnce(page);
    await page.getByRole('textbox', { name: 'Issuer' }).fill(`${provider.issuer}/`);
    await page.getByRole('button', { name: 'Add a provider' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Company login' }).waitFor();
    const { data } = (await app.api.platform.get(`/v1/organizations/${organization.id}/identity-providers`).expect(200)).body;
    expect(data).toMatchObject([{ hasClientSecret: true, trustedDomains: ['northwind.example'], enabled: true }]);
    expect(await page.locator('input[type=password]').inputValue()).toBe('');
  });

  it('check the connection and explain how to correct it', async () => {
    await page.getByRole('button', { name: 'Check the connection' }).click();
    await page.getByText(`The provider calls itself "${provider.issuer}". Write the issuer exactly so.`).waitFor();
    await page.getByRole('textbox', { name: 'Issuer' }).fill(provider.issuer);
    await page.getByText('Save your changes first.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“Company login” was saved').waitFor();
    await page.getByRole('button', { name: 'Check the connection' }).click();
    await page.getByText('The provider answers and describes itself well').waitFor();
    await expectAccessibleOnce(page);
    await picture(page, 'identity-provider');
  });

  it('open the page of the provider for a test sign-in', async () => {
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
  });

  it('cause no error in the browser', () => {
    expect(window.faults).toEqual([]);
  });
});
