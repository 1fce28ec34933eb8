import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { codeOf } from '../support/authenticator-app.js';
import { startChromium } from '../support/chromium.js';
import { mailsTo } from '../support/mailbox.js';
import { activeUser, login, PASSWORD, sessionToken } from '../support/sign-in.js';
import { addVirtualAuthenticator } from '../support/virtual-authenticator.js';
import { enterSession, expectAccessible, openWindow, picture, startSite, type Window } from '../support/web.js';

const NEW_PASSWORD = 'quarry velvet orbit lantern';

/** The pages of people about their own account. */
describe('account pages', () => {
  let app: TestApp;
  let browser: Browser;
  let window: Window;
  let organization: string;
  let email: string;
  let next = 0;
  const faults: string[] = [];

  beforeAll(async () => {
    app = await startSite();
    browser = await startChromium();
    organization = (await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201)).body.data.id;
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  beforeEach(async () => {
    await window?.context.close();
    email = `ada${++next}@example.com`;
    await activeUser(app, organization, { email, firstName: 'Ada' });
    window = await openWindow(browser, app.config.baseUrl);
    await enterSession(window, app, await sessionToken(app, 'acme', email));
  });
  afterAll(() => expect(faults).toEqual([]));

  const open = async (path: string) => {
    await window.page.goto(path);
    return window.page;
  };

  it('leads who is not signed in to the sign-in, and says where from', async () => {
    await window.context.clearCookies();
    const page = await open('/account/sessions');
    await page.waitForURL('**/account/sign-in?returnTo=%2Faccount%2Fsessions');
  });

  it('shows the profile, changes it, and says at the field what is wrong', async () => {
    const page = await open('/account');
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
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    await picture(page, 'account');
    faults.push(...window.faults);
  });

  it('has a new e-mail address confirmed by a link, with the password asked for once more where that is due', async () => {
    const page = await open('/account');
    await page.getByRole('button', { name: 'Change address' }).click();
    await page.getByLabel('New e-mail address').fill(`new-${email}`);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill('not the password');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText(`We sent a link to new-${email}.`).waitFor();
    expect(await mailsTo(app, `new-${email}`)).toHaveLength(1);
  });

  it('changes the password, by keyboard alone', async () => {
    const page = await open('/account/security');
    await page.getByRole('button', { name: 'Change password' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Present password').focus();
    await page.keyboard.type(PASSWORD);
    for (const field of ['New password', 'New password, once more']) {
      await page.getByRole('textbox', { name: field, exact: true }).focus();
      await page.keyboard.type(NEW_PASSWORD);
    }
    await page.keyboard.press('Enter');
    await page.getByText('Your password was changed.').waitFor();
    await login(app, 'acme', email, NEW_PASSWORD).expect(200);
    await login(app, 'acme', email).expect(401);
  });

  it('adds an authenticator app by its QR code or secret, gives recovery codes once, and removes it again', async () => {
    const page = await open('/account/security');
    await page.getByRole('button', { name: 'Add: Authenticator app' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add: Authenticator app' }).click();
    await proveAgain(page);
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    const secret = (await page.getByRole('dialog').locator('code').first().innerText()).trim();
    await expectAccessible(page);
    await page.getByLabel('Code that the app shows').fill('000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await picture(page, 'account-totp');
    await page.getByLabel('Code that the app shows').fill(codeOf(secret));
    await page.getByRole('button', { name: 'Confirm' }).click();

    await page.getByText('They are not shown again').waitFor();
    expect(await page.getByRole('dialog').locator('code').count()).toBe(10);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('recovery-codes.txt');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 codes are left.').waitFor();
    expect((await login(app, 'acme', email).expect(200)).body.data.mfaRequired).toBe(true);
    await picture(page, 'account-security');
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Remove: Authenticator app' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await proveAgain(page);
    await page.getByText('You have none yet.').waitFor();
    expect((await login(app, 'acme', email).expect(200)).body.data.mfaRequired).toBe(false);
    faults.push(...window.faults);
  });

  it('adds a passkey that the device makes, and renames it', async () => {
    const page = await open('/account/security');
    await addVirtualAuthenticator(page);
    await page.getByRole('button', { name: 'Add: Passkey' }).click();
    await page.getByLabel(/Name, such as/).fill('Laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Add: Passkey' }).click();
    await proveAgain(page);
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('button', { name: 'Rename: Laptop' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Old laptop');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Old laptop').waitFor();
  });

  it('shows where one is signed in, and ends the others', async () => {
    const other = app.api.as(await sessionToken(app, 'acme', email));
    const page = await open('/account/sessions');
    await page.getByText('this one').waitFor();
    await expectAccessible(page);
    await picture(page, 'account-sessions');
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
    await page.getByText('One session ended.').waitFor();
    await other.get('/v1/auth/me').expect(401);
    faults.push(...window.faults);
  });

  it('lets who must add a second factor do that and nothing else', async () => {
    await app.api.platform.patch(`/v1/organizations/${organization}`, { settings: { requireMfa: true } }).expect(200);
    try {
      const page = await open('/account');
      await page.waitForURL('**/account/security');
      await page.getByText('Your organization requires a second factor').waitFor();
      expect(await page.getByRole('tab').count()).toBe(0);
      await expectAccessible(page);
    } finally {
      await app.api.platform.patch(`/v1/organizations/${organization}`, { settings: { requireMfa: false } }).expect(200);
    }
  });

  /** Gives the password where the service asks for it once more; sessions of the last minutes need none. */
  async function proveAgain(page: Window['page']): Promise<void> {
    const password = page.getByRole('dialog').getByRole('textbox', { name: 'Password' });
    const isAsked = await password.waitFor({ timeout: 1_500 }).then(
      () => true,
      () => false,
    );
    if (!isAsked) return;
    await password.fill(PASSWORD);
    await page.getByRole('button', { name: 'Go on' }).click();
  }
});
