import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { type IdentityProviderServer, startIdentityProvider } from '../support/identity-provider.js';
import { identityProvider } from '../support/oidc.js';
import { signedIn } from '../support/signed-in.js';
import { closeWindows, enterSession, expectAccessible, openWindow, startSite, type Window } from '../support/web.js';

describe('the identity providers page', () => {
  let app: TestApp;
  let provider: IdentityProviderServer;
  let window: Window;
  let page: Page;
  let org: TestBody;
  const pageAt = (rest: string): string => `/dashboard/organizations/${org.id}/identity-providers${rest}`;
  const providers = async (): Promise<TestBody[]> =>
    (await app.api.platform.get(`/v1/organizations/${org.id}/identity-providers`).expect(200)).body.data;

  beforeAll(async () => {
    app = await startSite();
    provider = await startIdentityProvider(`${app.config.baseUrl}/v1/auth/oidc/callback`, {});
    org = (await app.api.platform.post('/v1/organizations', { name: 'Northwind' }).expect(201)).body.data;
    window = await openWindow(app.config.baseUrl);
    await enterSession(window, app, (await signedIn(app, org.id, { roles: ['owner'] })).token);
    page = window.page;
  });
  afterAll(async () => {
    await closeWindows();
    await provider.stop();
    await app.close();
  });

  it('is accessible in light and dark mode', async () => {
    await page.goto(pageAt(''));
    await page.getByText('No identity providers yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Add identity provider' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Company login');
    await page.getByRole('textbox', { name: 'Issuer' }).fill('https://10.0.0.1');
    await page.getByLabel('Client ID').fill('client');
    const domains = page.getByPlaceholder('example.com, then press Enter');
    await domains.fill('northwind.example');
    await domains.press('Enter');
    await page.getByRole('button', { name: 'Add identity provider' }).click();
    await page.getByText('The issuer has an address that the service is not allowed to connect to').waitFor();
    await expectAccessible(page);

    const wrong = { name: 'Old login', issuer: `${provider.issuer}/` };
    for (const [fields, outcome] of [
      [wrong, 'The provider reports the issuer'],
      [{}, 'The provider is reachable and its discovery document is valid'],
    ] as const) {
      const { id } = await identityProvider(app, org.id, provider.issuer, fields);
      await page.goto(pageAt(`/${id}`));
      await page.getByRole('button', { name: 'Check connection' }).click();
      await page.getByText(outcome).waitFor();
      await expectAccessible(page);
      await app.api.platform.delete(`/v1/organizations/${org.id}/identity-providers/${id}`).expect(204);
    }
  });

  it('keeps the secret if the secret field is empty', async () => {
    const { id } = await identityProvider(app, org.id, provider.issuer, { trustedDomains: ['northwind.example'] });
    await page.goto(pageAt(`/${id}`));
    await page.getByRole('switch', { name: 'Enabled' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enable the provider first').waitFor();
    expect((await providers())[0]).toMatchObject({ enabled: false, hasClientSecret: true });
    await page.goto(pageAt(''));
    await page.getByRole('row', { name: /Company login.*Disabled.*northwind\.example/ }).waitFor();
    await expectAccessible(page);
  });

  it('removes a provider after the user types the name', async () => {
    await page.getByRole('link', { name: 'Company login' }).click();
    await page.getByRole('button', { name: 'Remove provider', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Users can no longer sign in with this provider').waitFor();
    await dialog.getByRole('textbox').fill('Company login');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Remove provider' }).click();
    await page.getByText('No identity providers yet').waitFor();
    expect(await providers()).toEqual([]);
  });

  it('allows trusted domains only if the user has all permissions', async () => {
    await enterSession(window, app, (await signedIn(app, org.id, { roles: ['admin'] })).token);
    await page.goto(pageAt('/new'));
    await page.getByText('Only users with all permissions in this organization (owners) can add domains.').waitFor();
    expect(await page.getByPlaceholder('example.com, then press Enter').isDisabled()).toBe(true);
  });

  it('logs no errors', () => {
    expect(window.faults).toEqual([]);
  });
});
