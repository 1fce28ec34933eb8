import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { startChromium } from '../support/chromium.js';
import type { TestBody } from '../support/http-client.js';
import { type IdentityProviderServer, startIdentityProvider } from '../support/identity-provider.js';
import { CLIENT_ID, CLIENT_SECRET } from '../support/scripted-identity-provider.js';
import { signedIn } from '../support/signed-in.js';
import { enterSession, expectAccessible, openWindow, picture, startSite, type Window } from '../support/web.js';

/** Setting up an identity provider, and finding out whether it works. */
describe('the pages about identity providers', () => {
  let app: TestApp;
  let browser: Browser;
  let provider: IdentityProviderServer;
  let window: Window;
  let page: Page;
  let org: TestBody;
  const pageAt = (rest: string): string => `/dashboard/organizations/${org.id}/identity-providers${rest}`;
  const providers = async (): Promise<TestBody[]> =>
    (await app.api.platform.get(`/v1/organizations/${org.id}/identity-providers`).expect(200)).body.data;

  beforeAll(async () => {
    app = await startSite();
    browser = await startChromium();
    provider = await startIdentityProvider(`${app.config.baseUrl}/v1/auth/oidc/callback`, {});
    org = (await app.api.platform.post('/v1/organizations', { name: 'Northwind' }).expect(201)).body.data;
    window = await openWindow(browser, app.config.baseUrl);
    await enterSession(window, app, (await signedIn(app, org.id, { roles: ['owner'] })).token);
    page = window.page;
  });
  afterAll(async () => {
    await browser.close();
    await provider.stop();
    await app.close();
  });

  it('add a provider by keyboard, with what it has to know in sight', async () => {
    await page.goto(pageAt(''));
    await page.getByText('No identity provider yet').waitFor();
    await page.getByText(`${app.config.baseUrl}/v1/auth/oidc/callback`).waitFor();
    await expectAccessible(page);
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
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Issuer' }).fill(`${provider.issuer}/`);
    await page.getByRole('button', { name: 'Add a provider' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Company login' }).waitFor();
    const [made] = await providers();
    expect(made).toMatchObject({ hasClientSecret: true, trustedDomains: ['northwind.example'], enabled: true });
    expect(await page.locator('input[type=password]').inputValue()).toBe('');
  });

  it('tell what is wrong with it, and that nothing is any more', async () => {
    await page.getByRole('button', { name: 'Check the connection' }).click();
    await page.getByText(`The provider calls itself "${provider.issuer}". Write the issuer exactly so.`).waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Issuer' }).fill(provider.issuer);
    await page.getByText('Save your changes first.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“Company login” was saved').waitFor();
    await page.getByRole('button', { name: 'Check the connection' }).click();
    await page.getByText('The provider answers and describes itself well').waitFor();
    await expectAccessible(page);
    await picture(page, 'identity-provider');
  });

  it('lead a test sign-in to the provider', async () => {
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
    await tab.close();
  });

  it('list it, switch it off, and keep a secret that is not typed anew', async () => {
    await page.getByRole('switch', { name: 'Enabled' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enable the provider first').waitFor();
    expect((await providers())[0]).toMatchObject({ enabled: false, hasClientSecret: true });
    await page.goto(pageAt(''));
    await page.getByRole('row', { name: /Company login.*Disabled.*northwind\.example/ }).waitFor();
    await expectAccessible(page);
    await picture(page, 'identity-providers');
  });

  it('remove it after its name was typed', async () => {
    await page.getByRole('link', { name: 'Company login' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nobody can sign in with it any more').waitFor();
    await dialog.getByRole('textbox').fill('Company login');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No identity provider yet').waitFor();
    expect(await providers()).toEqual([]);
  });

  it('let only those who may do everything say whom it is trusted for', async () => {
    await enterSession(window, app, (await signedIn(app, org.id, { roles: ['admin'] })).token);
    await page.goto(pageAt('/new'));
    await page.getByText('Only those who may do everything here (owners) can add domains.').waitFor();
    expect(await page.getByPlaceholder('example.com, then Enter').isDisabled()).toBe(true);
  });

  it('had no faults', () => {
    expect(window.faults).toEqual([]);
  });
});
