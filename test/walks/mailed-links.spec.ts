import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import {
  choosePassword,
  expectTokenGone,
  invite,
  linkAfter,
  type MailedLinkPages,
  startMailedLinkPages,
  statusOf,
} from '../support/mailed-link-pages.js';
import { newOrganization } from '../support/organizations.js';
import { freshCode } from '../support/second-factors.js';
import { login, PASSWORD } from '../support/sign-in.js';
import { expectAccessibleOnce, picture } from '../support/web.js';

const FIRST_PASSWORD = `${PASSWORD} 7`;
const NEW_PASSWORD = 'marble thicket cobalt ferry';

describe('the pages that links in mails lead to', () => {
  let pages: MailedLinkPages;
  let app: TestApp;
  let page: Page;
  beforeAll(async () => {
    pages = await startMailedLinkPages();
    ({ app, page } = pages);
  });
  beforeEach(() => page.context().clearCookies());
  afterAll(() => pages?.close());

  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const ruleStates = (): Promise<string[]> => page.getByRole('listitem').allInnerTexts();

  describe('from an invitation', () => {
    let org: TestBody;
    let user: TestBody;
    let link: URL;
    beforeAll(async () => {
      org = await newOrganization(app, {
        name: 'Acme & Söhne',
        branding: { primaryColor: '#ffd400' },
        settings: { requireMfa: true, passwordPolicy: { minLength: 15, requireNumbers: true } },
      });
      link = await linkAfter(pages, async () => (user = await invite(app, org, { firstName: 'Ada' })), '/accept-invitation');
    });

    it('show the invitation without keeping its token', async () => {
      const headers = (await page.goto(link.href))!.headers();
      expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer']);
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*form-action 'self'.*frame-ancestors 'none'/);
      await heading('Join Acme & Söhne').waitFor();
      await expectTokenGone(pages, link.searchParams.get('token')!);
      expect(await page.getByLabel('E-mail address').inputValue()).toBe(user.email);
      expect(await statusOf(app, org, user.email)).toBe('pending');
      await expectAccessibleOnce(page);
      await picture(page, 'accept-invitation');
    });

    it('accept only a password that follows the policy', async () => {
      await button('Set password and join').click();
      await page.getByText('Enter a password.').waitFor();
      expect((await ruleStates())[0]).toContain('(not yet met)');
      await choosePassword(pages, 'lantern orbit 7', 'lantern orbit 8');
      expect((await ruleStates()).slice(0, 2)).toEqual([expect.stringContaining('(met)'), expect.stringContaining('(met)')]);
      await button('Set password and join').click();
      await page.getByText('The two passwords are not the same.').waitFor();
      await choosePassword(pages, 'passwordpassword1');
      await button('Set password and join').click();
      await page.getByText('Many people use this password').waitFor();
      expect(await statusOf(app, org, user.email)).toBe('pending');
      await choosePassword(pages, FIRST_PASSWORD);
      await page.keyboard.press('Enter');
      await heading('Welcome').waitFor();
      expect(await statusOf(app, org, user.email)).toBe('active');
    });

    it('let the user add a second factor, sign out and sign in with it', async () => {
      await button('Sign in').click();
      await heading('Sign in to Acme & Söhne').waitFor();
      expect(await page.getByLabel('E-mail address').inputValue()).toBe(user.email);
      await page.getByLabel('Password', { exact: true }).fill(FIRST_PASSWORD);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/account\/security\?enrol=1$/);
      const secret = await enrolTotp();
      await signOut();

      await page.getByLabel('E-mail address').fill(user.email);
      await page.getByLabel('Password', { exact: true }).fill(FIRST_PASSWORD);
      await page.keyboard.press('Enter');
      await heading('Confirm that it is you').waitFor();
      await page.getByLabel('Code', { exact: true }).fill(freshCode(app, secret));
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/account$/);
      await heading('Profile').waitFor();
      expect(await page.evaluate('document.cookie')).toBe('');
    });

    /** Adds an authenticator app on the page that asks for a second factor; gives its secret. */
    async function enrolTotp(): Promise<string> {
      await button('Add: Authenticator app').click();
      const dialog = page.getByRole('dialog');
      const secret = await dialog.locator('code').first().innerText();
      await dialog.getByLabel('Code that the app shows').fill(freshCode(app, secret));
      await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
      await button('I have kept them').click();
      await page.getByText('All set. Go on').waitFor();
      return secret;
    }
    async function signOut(): Promise<void> {
      await button('Your account').click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await heading(/^Sign in/).waitFor();
    }
  });

  it('reset a forgotten password and sign out all other devices', async () => {
    const org = await newOrganization(app, { name: 'Harbour & Sons', branding: { primaryColor: '#0b6e4f' } });
    const { id, email } = await invite(app, org, { sendInvitation: false });
    const invitation = await linkAfter(
      pages,
      () => app.api.platform.post(`/v1/organizations/${org.id}/users/${id}/invitation`).expect(200),
      '/accept-invitation',
    );
    const accepted = { token: invitation.searchParams.get('token'), password: PASSWORD };
    await app.api.nobody.post('/v1/auth/accept-invitation', accepted).expect(200);
    const other = (await login(app, org.id, email).expect(200)).body.data.sessionToken;

    await page.goto(`/account/sign-in?organization=${org.slug}`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading('Set a new password').waitFor();
    await expectAccessibleOnce(page);
    await picture(page, 'forgot-password');
    await page.getByLabel('E-mail address').fill(email);
    const link = await linkAfter(pages, () => page.keyboard.press('Enter'), '/reset-password');
    await page.getByText(`If ${email} belongs to an account here`).waitFor();

    const token = link.searchParams.get('token')!;
    for (let count = 0; count < 2; count++) {
      await page.goto(link.href);
      await heading('Set a new password').waitFor();
    }
    await expectTokenGone(pages, token);
    await expectAccessibleOnce(page);
    await picture(page, 'reset-password');
    await choosePassword(pages, NEW_PASSWORD);
    await button('Set the new password').click();
    await heading('Password changed').waitFor();
    await app.api.as(other).get('/v1/auth/me').expect(401);
    await login(app, org.id, email, PASSWORD).expect(401);
    await login(app, org.id, email, NEW_PASSWORD).expect(200);
  });

  it('cause no error in the browser', () => {
    expect(pages.window.faults).toEqual([]);
  });
});
