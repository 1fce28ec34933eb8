import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { made, newOrganization } from '../support/organizations.js';
import { closeWindows, expectAccessible, openWindow, startSite } from '../support/web.js';

describe('the setup page with the step scim', () => {
  let app: TestApp;

  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  beforeAll(async () => {
    app = await startSite();
  });
  afterAll(async () => {
    await closeWindows();
    await app?.close();
  });

  it('retries a failed token without a second connection', async () => {
    const { id } = await newOrganization(app, { name: 'Northwind' });
    const { url } = await made(app, `/v1/organizations/${id}/setup-links`, { steps: ['scim'] });
    const { page, context, faults } = await openWindow(app.config.baseUrl);
    await page.route('**/tokens', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await page.goto(url);
    await page.getByLabel('Name').fill('Okta');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const card = region(page, 'Okta');
    await card.getByText('The connection was created, but its token was not').waitFor();
    await card.getByText('No tokens yet').waitFor();
    await expectAccessible(page);

    await page.unroute('**/tokens');
    await card.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('dialog').getByText('It is shown only once').waitFor();
    await page.getByRole('button', { name: 'I’ve copied the token' }).click();
    await card.getByRole('button', { name: 'Actions for Okta' }).waitFor();
    expect(await card.getByText('The connection was created, but its token was not').count()).toBe(0);
    const connections = (await app.api.platform.get(`/v1/organizations/${id}/scim-connections`).expect(200)).body.data;
    expect(connections).toMatchObject([{ name: 'Okta' }]);
    expect(faults).toEqual([]);
    await context.close();
  });
});
