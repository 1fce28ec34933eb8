import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { codeOf } from '../support/authenticator-app.js';
import { mailsTo } from '../support/mailbox.js';
import { freshCode } from '../support/second-factors.js';
import { activeUser, login, PASSWORD, sessionToken } from '../support/sign-in.js';
import { addVirtualAuthenticator } from '../support/virtual-authenticator.js';
import { closeWindows, enterSession, expectAccessible, openWindow, picture, startSite, type Window } from '../support/web.js';

describe('the account area', () => {
  let app: TestApp;
  let window: Window;
  let organization: string;
  let email: string;
  let next = 0;
  const faults: string[] = [];

  beforeAll(async () => {
    app = await startSite();
    organization = (await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201)).body.data.id;
  });
  afterAll(async () => {
    await closeWindows();
    await app.close();
  });

  beforeEach(async () => {
    await window?.context.close();
    email = `ada${++next}@example.com`;
    await activeUser(app, organization, { email, firstName: 'Ada' });
    window = await openWindow(app.config.baseUrl);
    await enterSession(window, app, await sessionToken(app, 'acme', email));
  });
  afterAll(() => expect(faults).toEqual([]));

  const open = async (path: string) => {
    await window.page.goto(path);
    return window.page;
  };

  it('redirects a visitor without a session to the sign-in page', async () => {
    await window.context.clearCookies();
    const page = await open('/account/sessions');
    await page.waitForURL('**/account/sign-in?returnTo=%2Faccount%2Fsessions');
  });

  it('is accessible in light and dark mode', async () => {
    const page = await open('/account');
    await page.getByLabel('First name').fill('x'.repeat(300));
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/at most/)
      .first()
      .waitFor();
    await expectAccessible(page);
    await sessionToken(app, 'acme', email);
    await open('/account/sessions');
    await page.getByText('Current session').waitFor();
    await page.getByRole('button', { name: 'End all other sessions' }).waitFor();
    await expectAccessible(page);
    faults.push(...window.faults);
  });

  it('sends a verification link to a new email address', async () => {
    const page = await open('/account');
    await page.getByRole('button', { name: 'Change email address' }).click();
    await page.getByLabel('New email address').fill(`new-${email}`);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill('not the password');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText(`We sent a link to new-${email}`).waitFor();
    expect(await mailsTo(app, `new-${email}`)).toHaveLength(1);
  });

  it('adds and removes an authenticator app', async () => {
    const page = await open('/account/security');
    await page.getByRole('button', { name: 'Add authenticator app' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add authenticator app' }).click();
    await confirmPassword(page, page.getByRole('img', { name: /QR code/ }));
    const secret = (await page.getByRole('dialog').locator('code').first().innerText()).trim();
    await expectAccessible(page);
    await page.getByLabel('Code from the app').fill('000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByLabel('Code from the app').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Confirm' }).click();

    await page.getByText('They are not shown again').waitFor();
    expect(await page.getByRole('dialog').locator('code').count()).toBe(10);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('recovery-codes.txt');
    await page.getByRole('button', { name: 'I have saved these codes' }).click();
    await page.getByText('10 codes left.').waitFor();
    expect((await login(app, 'acme', email).expect(200)).body.data.mfaRequired).toBe(true);
    await picture(page, 'account-security');
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Remove: Authenticator app' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirm your identity' });
    await proof.getByLabel('Code').fill(freshCode(app, secret));
    await page.keyboard.press('Enter');
    await page.getByText('No MFA factors yet.').waitFor();
    expect((await login(app, 'acme', email).expect(200)).body.data.mfaRequired).toBe(false);
    faults.push(...window.faults);
  });

  it('adds and renames a passkey', async () => {
    const page = await open('/account/security');
    await addVirtualAuthenticator(page);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByLabel(/^Name, for example/).fill('Laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
    const saved = page.getByRole('button', { name: 'I have saved these codes' });
    await confirmPassword(page, saved);
    await saved.click();
    await page.getByRole('button', { name: 'Rename: Laptop' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Old laptop');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Old laptop').waitFor();
  });

  it('shows only the security page if the user must add a factor', async () => {
    await app.api.platform.patch(`/v1/organizations/${organization}`, { settings: { requireMfa: true } }).expect(200);
    try {
      const page = await open('/account');
      await page.waitForURL('**/account/security');
      await page.getByText('Your organization requires multi-factor authentication').waitFor();
      expect(await page.getByRole('tab').count()).toBe(0);
      await expectAccessible(page);
    } finally {
      await app.api.platform.patch(`/v1/organizations/${organization}`, { settings: { requireMfa: false } }).expect(200);
    }
  });

  /** Enters the password if the page requires the password. Waits for `next`. */
  async function confirmPassword(page: Page, next: Locator): Promise<void> {
    const password = page.getByRole('dialog').getByRole('textbox', { name: 'Password' });
    await password.or(next).first().waitFor();
    if (await password.isVisible()) {
      await password.fill(PASSWORD);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Continue|Confirm)$/ })
        .click();
    }
    await next.waitFor();
  }
});
