import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { newAddress, newOrganization } from '../support/organizations.js';
import { activeUser, login, PASSWORD, sessionToken } from '../support/sign-in.js';
import { closeWindows, enterSession, expectAccessibleOnce, openWindow, picture, startSite, type Window } from '../support/web.js';

const NEW_PASSWORD = 'quarry velvet orbit lantern';

let app: TestApp;
let window: Window;
let page: Page;
let organization: string;

beforeAll(async () => {
  app = await startSite();
  organization = (await newOrganization(app, { name: 'Acme', slug: 'acme', branding: { primaryColor: '#0b5cad' } })).id;
});
// Each test has a new window without cookies and local storage.
beforeEach(async () => {
  window = await openWindow(app.config.baseUrl);
  page = window.page;
});
afterEach(() => expect(window.faults).toEqual([]));
afterAll(async () => {
  await closeWindows();
  await app?.close();
});

describe('the sign-in page', () => {
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });

  it('supports a sign-in by keyboard', async () => {
    const { email } = await activeUser(app, organization, { email: newAddress(), roles: ['member'] });
    await page.goto('/account/sign-in');
    await heading('Sign in').waitFor();
    await page.keyboard.type('acme');
    await page.keyboard.press('Enter');
    await heading('Sign in to Acme').waitFor();
    await expectAccessibleOnce(page);
    await picture(page, 'sign-in');
    expect(await page.getByLabel('Email address').getAttribute('autocomplete')).toBe('username');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/account$/);
    expect(await page.evaluate('[{...localStorage}, document.cookie]')).toEqual([{ 'sign-in.organization': 'acme' }, '']);
    expect(await page.evaluate('JSON.stringify([history.state, {...sessionStorage}])')).not.toContain(email);
    await page.goto('/account/sign-in');
    await page.waitForURL(/\/account$/);
  });
});

describe('the account area', () => {
  let email: string;

  beforeEach(async () => {
    email = newAddress();
    await activeUser(app, organization, { email, firstName: 'Ada' });
    await enterSession(window, app, await sessionToken(app, 'acme', email));
    await page.goto('/account');
  });

  it('lets a user change the profile', async () => {
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    await page.getByLabel('Display name').fill('Ada L.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    const user = (await app.api.platform.get(`/v1/organizations/${organization}/users?email=${email}`).expect(200)).body.data[0];
    expect(user.displayName).toBe('Ada L.');

    await page.getByLabel('First name').fill('x'.repeat(300));
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/at most/)
      .first()
      .waitFor();
    await expectAccessibleOnce(page);
  });

  it('lets a user end all sessions except the current session', async () => {
    const other = app.api.as(await sessionToken(app, 'acme', email));
    await page.getByRole('tab', { name: 'Sessions' }).click();
    await page.getByText('Current session').waitFor();
    await expectAccessibleOnce(page);
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByText('1 session ended').waitFor();
    await other.get('/v1/auth/me').expect(401);
  });

  it('lets a user change the password by keyboard', async () => {
    await page.getByRole('tab', { name: 'Security' }).click();
    await page.getByRole('button', { name: 'Change password' }).press('Enter');
    await page.getByLabel('Current password').focus();
    await page.keyboard.type(PASSWORD);
    for (const field of ['New password', 'Confirm new password']) {
      await page.getByRole('textbox', { name: field, exact: true }).focus();
      await page.keyboard.type(NEW_PASSWORD);
    }
    await page.keyboard.press('Enter');
    await page.getByText('Password changed').waitFor();
    await login(app, 'acme', email, NEW_PASSWORD).expect(200);
    await login(app, 'acme', email).expect(401);
  });
});
