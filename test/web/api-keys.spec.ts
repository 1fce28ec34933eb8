import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { closeWindows, enterSession, expectAccessible, openWindow, picture, startSite, type Window } from '../support/web.js';

const DAY_MS = 24 * 3_600_000;

describe('the API keys page', () => {
  let app: TestApp;
  let window: Window;
  let page: Page;
  let org: TestBody;
  let administrator: SignedIn;
  const pageAt = (rest: string): string => `/dashboard/organizations/${org.id}${rest}`;
  const makeKey = (name: string): Promise<unknown> => {
    const expiresAt = new Date(Date.now() + 90 * DAY_MS).toISOString();
    const key = { name, scopes: ['users:read'], expiresAt };
    return administrator.client.post(`/v1/organizations/${org.id}/api-keys`, key).expect(201);
  };

  beforeAll(async () => {
    app = await startSite();
    org = (await app.api.platform.post('/v1/organizations', { name: 'Northwind' }).expect(201)).body.data;
    window = await openWindow(app.config.baseUrl);
    administrator = await signedIn(app, org.id, { roles: ['admin'] });
    await enterSession(window, app, administrator.token);
    page = window.page;
  });
  afterAll(async () => {
    await closeWindows();
    await app.close();
  });

  it('is accessible without keys', async () => {
    await page.goto(pageAt('/api-keys'));
    await page.getByText('No API keys yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Create API key' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Billing sync');
    await page.getByRole('checkbox', { name: 'Users: Read' }).check();
    await expectAccessible(page);
  });

  it('lists a key with scopes, expiration and creator', async () => {
    await makeKey('Billing sync');
    await page.goto(pageAt('/api-keys'));
    const row = page.getByRole('row', { name: /Billing sync/ });
    await row.getByText('users:read').waitFor();
    await row.getByText('in 3 months').waitFor();
    await row.getByText(/@example\.com/).waitFor();
    await expectAccessible(page);
    await picture(page, 'api-keys');
  });

  it('is accessible while a key is rotated', async () => {
    await makeKey('Payroll');
    await page.goto(pageAt('/api-keys'));
    await page.getByRole('button', { name: 'Actions for Payroll' }).click();
    await page.getByRole('menuitem', { name: 'Rotate key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
    await page.getByText('Test the key').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'I’ve copied the key' }).click();
    await page
      .getByRole('row', { name: /Replaces a previous key/ })
      .getByRole('button', { name: 'Actions for Payroll' })
      .click();
    await page.getByRole('menuitem', { name: 'Revoke key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke “Payroll”?' });
    await dialog.getByRole('textbox').fill('Payroll');
    await expectAccessible(page);
  });

  it('rejects an expiration date in the past', async () => {
    await page.goto(pageAt('/api-keys/new'));
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Too late');
    await page.getByLabel('Expiration').first().click();
    await page.getByRole('option', { name: 'Custom date' }).click();
    await page.getByLabel('Valid through').fill('2020-01-01');
    await page.getByRole('checkbox', { name: 'Users: Read' }).check();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByText('Select a date in the future.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Too late');
  });

  it('hides key actions if the user can only read keys', async () => {
    await enterSession(window, app, (await signedIn(app, org.id, { roles: ['viewer'] })).token);
    await page.goto(pageAt('/api-keys'));
    await page
      .getByRole('button', {
        name: 'Create API key. You can view API keys, but creating them requires the permission api_keys:write.',
      })
      .waitFor();
    await page.getByRole('row', { name: /Billing sync/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  });

  it('logs no errors', () => {
    expect(window.faults).toEqual([]);
  });
});
