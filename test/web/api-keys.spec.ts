import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { startChromium } from '../support/chromium.js';
import type { TestBody } from '../support/http-client.js';
import { signedIn } from '../support/signed-in.js';
import { enterSession, expectAccessible, openWindow, picture, startSite, type Window } from '../support/web.js';

/** API keys from their making to their end. */
describe('the pages about API keys', () => {
  let app: TestApp;
  let browser: Browser;
  let window: Window;
  let page: Page;
  let org: TestBody;
  const keys: string[] = [];
  const pageAt = (rest: string): string => `/dashboard/organizations/${org.id}${rest}`;
  const statusWith = async (key: string): Promise<number> =>
    (await app.api.as(key).get(`/v1/organizations/${org.id}/users`)).status;

  beforeAll(async () => {
    app = await startSite();
    browser = await startChromium();
    org = (await app.api.platform.post('/v1/organizations', { name: 'Northwind' }).expect(201)).body.data;
    window = await openWindow(browser, app.config.baseUrl);
    await enterSession(window, app, (await signedIn(app, org.id, { roles: ['admin'] })).token);
    page = window.page;
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  /** Reads the key off the dialog, and closes it. */
  async function copyShownKey(): Promise<string> {
    const dialog = page.getByRole('dialog', { name: 'Copy the key now' });
    await dialog.getByText('Try it').waitFor();
    const shown = await dialog.locator('code').allInnerTexts();
    const [key = '', curl = ''] = shown;
    expect(curl).toBe(`curl -H 'Authorization: Bearer ${key}' ${app.config.baseUrl}/v1/organizations/${org.id}/users`);
    // A slip must not lose it.
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(key);
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(key);
    return key;
  }

  it('make a key by keyboard, which is shown once and works', async () => {
    await page.goto(pageAt('/api-keys'));
    await page.getByText('No API key yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Create a key' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name', exact: true }).pressSequentially('Billing sync');
    await page.keyboard.press('Enter');
    await page.getByText('Choose at least one scope.').waitFor();
    expect(await page.getByRole('checkbox', { name: /^Organizations: Delete\. You do not have/ }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Users: Read' }).press('Space');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create a key' }).press('Enter');
    keys.push(await copyShownKey());
    expect(await statusWith(keys[0]!)).toBe(200);
  });

  it('list it with what is known of it', async () => {
    await page.reload();
    const row = page.getByRole('row', { name: /Billing sync/ });
    await row.getByText('users:read').waitFor();
    await row.getByText('in 3 months').waitFor();
    await row.getByText(/@example\.com/).waitFor();
    await expectAccessible(page);
    await picture(page, 'api-keys');
  });

  it('rotate it with an overlap in which both work', async () => {
    await page.getByRole('button', { name: 'Actions for Billing sync' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page.getByRole('radio', { name: 'for an hour' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('Try it').waitFor();
    await expectAccessible(page);
    keys.push(await copyShownKey());
    await page.getByText('Took over from an older key').waitFor();
    await page.getByRole('row', { name: /in 1 hour|in 60 minutes/ }).waitFor();
    expect(await Promise.all(keys.map(statusWith))).toEqual([200, 200]);
  });

  it('revoke it after its name was typed', async () => {
    const newer = page.getByRole('row', { name: /Took over/ });
    await newer.getByRole('button', { name: 'Actions for Billing sync' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke “Billing sync”?' });
    const revoke = dialog.getByRole('button', { name: 'Revoke' });
    expect(await revoke.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Billing sync');
    await expectAccessible(page);
    await revoke.click();
    await newer.waitFor({ state: 'detached' });
    expect(await Promise.all(keys.map(statusWith))).toEqual([200, 401]);
  });

  it('keep what was typed when the service refuses it', async () => {
    await page.goto(pageAt('/api-keys/new'));
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Too late');
    await page.getByLabel('It ends').first().click();
    await page.getByRole('option', { name: 'on a day of your choice' }).click();
    await page.getByLabel('Last day').fill('2020-01-01');
    await page.getByRole('checkbox', { name: 'Users: Read' }).check();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByText('Choose a day in the future.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Too late');
  });

  it('let those who may only see them see them', async () => {
    await enterSession(window, app, (await signedIn(app, org.id, { roles: ['viewer'] })).token);
    await page.goto(pageAt('/api-keys'));
    await page.getByRole('button', { name: 'Create a key. You may see keys, but not make any' }).waitFor();
    await page.getByRole('row', { name: /Billing sync/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  });

  it('had no faults', () => {
    expect(window.faults).toEqual([]);
  });
});
