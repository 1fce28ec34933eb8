import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TestBody } from '../support/http-client.js';
import { choosePassword, expectTokenGone, invite, linkAfter, mailedLinkPages, statusOf } from '../support/mailed-link-pages.js';
import { newAddress, newOrganization } from '../support/organizations.js';
import { elementsOf } from '../support/pages.js';
import { freshCode } from '../support/second-factors.js';
import { activeUser, login, PASSWORD, sessionToken } from '../support/sign-in.js';
import { expectAccessible } from '../support/web.js';

const FIRST_PASSWORD = `${PASSWORD} 7`;
const NEW_PASSWORD = 'marble thicket cobalt ferry';

describe('an emailed link', () => {
  const pages = mailedLinkPages();
  const { app, page } = pages;
  const { button, heading } = elementsOf(() => pages.page);
  beforeEach(() => page.context().clearCookies());

  const ruleStates = (): Promise<string[]> => page.getByRole('listitem').allInnerTexts();

  it('lets the user choose a password, sign out and sign in with a second factor', async () => {
    const org = await newOrganization(app, {
      name: 'Acme & Söhne',
      branding: { primaryColor: '#ffd400' },
      settings: { requireMfa: true, passwordPolicy: { minLength: 15, requireNumbers: true } },
    });
    let user: TestBody;
    const link = await linkAfter(pages, async () => (user = await invite(app, org, { firstName: 'Ada' })), '/accept-invitation');

    // Opens the invitation and checks that the browser stores no copy of the token.
    const headers = (await page.goto(link.href))!.headers();
    expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer']);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*form-action 'self'.*frame-ancestors 'none'/);
    await heading('Join Acme & Söhne').waitFor();
    await expectTokenGone(pages, link.searchParams.get('token')!);
    expect(await page.getByLabel('Email address').inputValue()).toBe(user.email);
    expect(await statusOf(app, org, user.email)).toBe('pending');
    await expectAccessible(page);

    // Enters passwords that the page or the service rejects, and a password that fulfills the policy.
    await button('Set password and join').click();
    await page.getByText('Enter a password.').waitFor();
    expect((await ruleStates())[0]).toContain('(not met yet)');
    await choosePassword(pages, 'lantern orbit 7', 'lantern orbit 8');
    expect((await ruleStates()).slice(0, 2)).toEqual([expect.stringContaining('(met)'), expect.stringContaining('(met)')]);
    await button('Set password and join').click();
    await page.getByText('The passwords don’t match.').waitFor();
    await choosePassword(pages, 'passwordpassword1');
    await button('Set password and join').click();
    await page.getByText('This password is common').waitFor();
    expect(await statusOf(app, org, user.email)).toBe('pending');
    await choosePassword(pages, FIRST_PASSWORD);
    await page.keyboard.press('Enter');
    // The new password signs the user in.
    await page.waitForURL(/\/account\/security\?enrol=1$/);
    expect(await statusOf(app, org, user.email)).toBe('active');
    const secret = await enrollTotp();

    await button('Your account').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(/^Sign in/).waitFor();
    await page.getByLabel('Email address').fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill(FIRST_PASSWORD);
    await page.keyboard.press('Enter');
    await heading('Multi-factor authentication').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(freshCode(app, secret));
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/account$/);
    await heading('Profile').waitFor();
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  /** Adds an authenticator app on the page for a required MFA factor. Returns the secret. */
  async function enrollTotp(): Promise<string> {
    await button('Add authenticator app').click();
    const dialog = page.getByRole('dialog');
    const secret = await dialog.locator('code').first().innerText();
    await dialog.getByLabel('Code from the app').fill(freshCode(app, secret));
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click();
    await button('I have saved these codes').click();
    await page.getByRole('link', { name: 'Continue', exact: true }).waitFor();
    return secret;
  }

  it('lets the user reset a forgotten password', async () => {
    const org = await newOrganization(app, { name: 'Harbour & Sons', branding: { primaryColor: '#0b6e4f' } });
    const { email } = await activeUser(app, org.id, { email: newAddress() });
    const otherToken = await sessionToken(app, org.id, email);
    const link = await requestReset(org, email);
    await openResetLink(link);

    await choosePassword(pages, NEW_PASSWORD);
    await button('Set new password').click();
    await page.waitForURL(/\/account$/);
    // The previous password and the session on the other device are invalid.
    await app.api.as(otherToken).get('/v1/auth/me').expect(401);
    await login(app, org.id, email, PASSWORD).expect(401);
    await login(app, org.id, email, NEW_PASSWORD).expect(200);
  });

  async function requestReset(org: TestBody, email: string): Promise<URL> {
    await page.goto(`/account/sign-in?organization=${org.slug}`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading('Reset your password').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Email address').fill(email);
    const link = await linkAfter(pages, () => page.keyboard.press('Enter'), '/reset-password');
    await page.getByText(`If there is an account with the email address ${email}`).waitFor();
    return link;
  }

  /** Opens the link twice. An opened link stays valid. */
  async function openResetLink(link: URL): Promise<void> {
    for (let count = 0; count < 2; count++) {
      await page.goto(link.href);
      await heading('Set a new password').waitFor();
    }
    await expectTokenGone(pages, link.searchParams.get('token')!);
    await expectAccessible(page);
  }
});
