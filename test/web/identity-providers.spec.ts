import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestBody } from '../support/http-client.js';
import { identityProvider } from '../support/oidc.js';
import { newOrganization } from '../support/organizations.js';
import { signedIn } from '../support/signed-in.js';
import { enterSession, expectAccessible, openPage, testSite } from '../support/web.js';

describe('the identity providers page', () => {
  const app = testSite();
  let page: Page;
  let org: TestBody;
  const pageAt = (rest: string): string => `/dashboard/organizations/${org.id}/identity-providers${rest}`;
  const providers = async (): Promise<TestBody[]> =>
    (await app.api.platform.get(`/v1/organizations/${org.id}/identity-providers`).expect(200)).body.data;

  beforeAll(async () => {
    org = await newOrganization(app);
    page = await openPage(app, await signedIn(app, org.id, { roles: ['owner'] }));
  });

  it('keeps the secret if the secret field is empty', async () => {
    const { id } = await identityProvider(app, org.id, 'https://login.northwind.example', {
      trustedDomains: ['northwind.example'],
    });
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
    await enterSession(page, app, await signedIn(app, org.id, { roles: ['admin'] }));
    await page.goto(pageAt('/new'));
    await page.getByText('Only users with all permissions in this organization (owners) can add domains.').waitFor();
    expect(await page.getByPlaceholder('example.com, then press Enter').isDisabled()).toBe(true);
  });
});
