import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { newAddress, newOrganization } from '../support/organizations.js';
import { addTotp, freshCode } from '../support/second-factors.js';
import { activeUser, becomeStale, PASSWORD, sessionToken } from '../support/sign-in.js';
import { closeWindows, enterSession, expectAccessibleOnce, openWindow, startSite, type Window } from '../support/web.js';

let app: TestApp;
let window: Window;
let page: Page;
let organization: string;
let email: string;
let token: string;

beforeAll(async () => {
  app = await startSite();
});
beforeEach(async () => {
  organization = (await newOrganization(app, { name: 'Acme' })).id;
  email = newAddress();
  await activeUser(app, organization, { email, roles: ['admin'] });
  token = await sessionToken(app, organization, email);
  window = await openWindow(app.config.baseUrl);
  page = window.page;
});
afterEach(() => expect(window.faults).toEqual([]));
afterAll(async () => {
  await closeWindows();
  await app?.close();
});

const dialog = () => page.getByRole('dialog', { name: 'Confirm your identity' });

async function startToCreateKey(): Promise<void> {
  await enterSession(window, app, token);
  await page.goto(`/dashboard/organizations/${organization}/api-keys/new`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Billing sync');
  await page.getByRole('checkbox', { name: 'Users: Read' }).check();
  await becomeStale(app);
  await page.getByRole('button', { name: 'Create API key' }).click();
  await dialog().waitFor();
}

describe('the reauthentication dialog', () => {
  it('continues the action after the user enters the password', async () => {
    await startToCreateKey();
    await dialog().getByRole('textbox', { name: 'Password' }).waitFor();
    await expectAccessibleOnce(page);
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await dialog().getByText('The password is incorrect. Try again.').waitFor();

    await dialog().getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');

    await page.getByRole('dialog', { name: 'Copy the API key' }).waitFor();
  });

  it('requires the MFA factor of the user', async () => {
    const { secret, token: strengthened } = await addTotp(app, token);
    token = strengthened;
    await startToCreateKey();
    await dialog().getByLabel('Code').waitFor();
    await expectAccessibleOnce(page);
    await dialog().getByLabel('Code').fill(freshCode(app, secret));
    await page.keyboard.press('Enter');

    await page.getByRole('dialog', { name: 'Copy the API key' }).waitFor();
  });

  it('cancels the action if the user closes the dialog', async () => {
    await startToCreateKey();
    await dialog().getByRole('button', { name: 'Close' }).click();

    await page.getByText('You did not confirm your identity, so nothing was changed. Try again.').waitFor();
    const { data } = (await app.api.platform.get(`/v1/organizations/${organization}/api-keys`).expect(200)).body;
    expect(data).toEqual([]);
  });

  it('opens before an export of users', async () => {
    await enterSession(window, app, token);
    await page.goto(`/dashboard/organizations/${organization}/users`);
    await becomeStale(app);
    await page.getByRole('button', { name: 'Export users' }).click();
    await page.getByRole('menuitem', { name: /CSV/ }).click();
    await dialog().getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    const downloading = page.waitForEvent('download');
    await page.keyboard.press('Enter');

    expect(await readFile(await (await downloading).path(), 'utf8')).toContain(email);
  });

  it('opens before an import of users', async () => {
    await enterSession(window, app, token);
    await page.goto(`/dashboard/organizations/${organization}/users/import`);
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('email\r\nimported@example.com\r\n') };
    await page.setInputFiles('input[type=file]', file);
    await becomeStale(app);
    await page.getByRole('button', { name: 'Start import' }).click();
    await dialog().getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');

    await page.getByText('Import complete').waitFor();
  });
});
