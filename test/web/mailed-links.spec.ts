import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { startChromium } from '../support/chromium.js';
import type { TestBody } from '../support/http-client.js';
import { type MailReceiver, startMailReceiver } from '../support/mail-receiver.js';
import { made, newAddress, newOrganization } from '../support/organizations.js';
import { freshCode } from '../support/second-factors.js';
import { later, login, PASSWORD } from '../support/sign-in.js';
import { expectAccessible, openWindow, picture, startSite, type Window } from '../support/web.js';

const NEW_PASSWORD = 'marble thicket cobalt ferry';
const HOSTILE = 'Acme <img src=x onerror=alert(1)>';
const DAY_MS = 24 * 3_600_000;

describe('pages that mails lead to', () => {
  let receiver: MailReceiver;
  let app: TestApp;
  let browser: Browser;
  let window: Window;
  let page: Page;
  beforeAll(async () => {
    receiver = await startMailReceiver();
    app = await startSite({ smtpUrl: receiver.url });
    browser = await startChromium();
    window = await openWindow(browser, app.config.baseUrl);
    page = window.page;
  });
  beforeEach(() => window.context.clearCookies());
  afterAll(async () => {
    await browser.close();
    await app.close();
    await receiver.stop();
  });

  const invite = async (org: TestBody, fields: object = {}): Promise<TestBody> =>
    made(app, `/v1/organizations/${org.id}/users`, { email: newAddress(), sendInvitation: true, ...fields });
  const statusOf = async (org: TestBody, email: string): Promise<string> =>
    (await app.api.platform.get(`/v1/organizations/${org.id}/users?email=${email}`).expect(200)).body.data[0].status;

  /** The link in the mail that the next step sends to an address, as an SMTP server received it; mails without it, such as notices, are passed over. */
  async function linkAfter(send: () => Promise<unknown>, path: string): Promise<URL> {
    let seen = receiver.mails.length;
    await send();
    for (;;) {
      const mails = await receiver.waitFor(seen + 1, 20_000);
      const [link] = new RegExp(`https?:\\S+${path}\\S+`).exec(mails[seen++]!.parts['text/plain']!.body) ?? [];
      if (link) return new URL(link);
    }
  }
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const choose = async (password: string, repeated = password): Promise<void> => {
    await page.getByLabel(/^(New p|P)assword$/).fill(password);
    await page.getByLabel('The same password again', { exact: true }).fill(repeated);
  };
  const ruleStates = (): Promise<string[]> => page.getByRole('listitem').allInnerTexts();
  /** No token is left where anybody could read it later. */
  async function expectTokenGone(token: string): Promise<void> {
    expect(page.url()).not.toContain(token);
    const kept = 'JSON.stringify([history.state, {...localStorage}, {...sessionStorage}, document.cookie])';
    expect(await page.evaluate(kept)).not.toContain(token);
  }

  it('lead from an invitation to an account with a second factor, and to signing in with it', async () => {
    const org = await newOrganization(app, {
      name: 'Acme & Söhne',
      branding: { primaryColor: '#ffd400' },
      settings: { requireMfa: true, passwordPolicy: { minLength: 15, requireNumbers: true } },
    });
    let user: TestBody = {};
    const link = await linkAfter(async () => (user = await invite(org, { firstName: 'Ada' })), '/accept-invitation');
    const token = link.searchParams.get('token')!;

    const answer = await page.goto(link.href);
    const headers = answer!.headers();
    expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer']);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*form-action 'self'.*frame-ancestors 'none'/);
    await heading('Join Acme & Söhne').waitFor();
    await expectTokenGone(token);
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(user.email);
    expect(await statusOf(org, user.email)).toBe('pending');
    await expectAccessible(page);
    await picture(page, 'accept-invitation');

    await button('Set password and join').click();
    await page.getByText('Enter a password.').waitFor();
    expect((await ruleStates())[0]).toContain('(not yet met)');
    await choose('lantern orbit 7', 'lantern orbit 8');
    expect((await ruleStates()).slice(0, 2)).toEqual([expect.stringContaining('(met)'), expect.stringContaining('(met)')]);
    await button('Set password and join').click();
    await page.getByText('The two passwords are not the same.').waitFor();
    await choose('passwordpassword1');
    await button('Set password and join').click();
    await page.getByText('Many people use this password').waitFor();
    expect(await statusOf(org, user.email)).toBe('pending');
    await choose(`${PASSWORD} 7`);
    await page.keyboard.press('Enter');
    await heading('Welcome').waitFor();
    expect(await statusOf(org, user.email)).toBe('active');

    await button('Sign in').click();
    await heading('Sign in to Acme & Söhne').waitFor();
    expect(await page.getByLabel('E-mail address').inputValue()).toBe(user.email);
    await page.getByLabel('Password', { exact: true }).fill(`${PASSWORD} 7`);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/account\/security\?enrol=1$/);
    const secret = await enrolTotp();
    await signOut();

    await page.getByLabel('E-mail address').fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill(`${PASSWORD} 7`);
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

  it('say what to do about a link that was used, is too old, or was not copied whole', async () => {
    const org = await newOrganization(app);
    const link = await linkAfter(() => invite(org), '/accept-invitation');
    const token = link.searchParams.get('token')!;
    await later(app, 8 * DAY_MS, async () => {
      await page.goto(link.href);
      await page.getByRole('alert').getByText('This invitation has expired').waitFor();
    });
    await page.goto(link.href);
    await heading(`Join ${org.name}`).waitFor();
    await app.api.nobody.post('/v1/auth/accept-invitation', { token, password: PASSWORD }).expect(200);
    await choose(PASSWORD);
    await button('Set password and join').click();
    await page.getByRole('alert').getByText('accepted already').waitFor();
    await expectAccessible(page);
    await page.goto(link.href);
    await page.getByRole('alert').getByText('accepted already').waitFor();
    await page.goto('/verify-email?token=x');
    await page.getByRole('alert').getByText('does not work. Check that it was copied whole').waitFor();
    await page.goto('/reset-password?token=');
    await page.getByRole('alert').getByText('The link was not whole').waitFor();
    await page.getByRole('link', { name: 'Ask for a new link' }).click();
    await page.waitForURL(/\/account\/forgot-password/);
  });

  it('lead from signing up over a click to an account, which is no use before', async () => {
    const settings = { allowPublicSignup: true, allowedDomains: ['example.com'] };
    const org = await newOrganization(app, { name: 'Meadow Lane', settings, branding: { primaryColor: '#7a1f5c' } });
    const email = newAddress();
    await page.goto(`/account/sign-in?organization=${org.slug}`);
    await page.getByRole('link', { name: 'Sign up' }).click();
    await heading(`Sign up for ${org.name}`).waitFor();
    await page.getByText('Open for addresses at example.com.').waitFor();
    await expectAccessible(page);
    await picture(page, 'sign-up');
    await page.getByLabel('First name').fill('Grace');
    await page.getByLabel('E-mail address').fill('grace@elsewhere.example');
    await choose(PASSWORD);
    await button('Sign up').click();
    await page.getByRole('alert').getByText('Addresses of this domain can not be used here').waitFor();
    await page.getByLabel('E-mail address').fill(email);
    const link = await linkAfter(() => button('Sign up').click(), '/verify-email');
    await heading('Look into your mail').waitFor();
    await expectAccessible(page);

    const token = link.searchParams.get('token')!;
    await page.goto(link.href);
    await heading('Confirm your e-mail address').waitFor();
    await expectTokenGone(token);
    await page.getByText(`to activate your account at ${org.name}`).waitFor();
    await expectAccessible(page);
    await picture(page, 'verify-email');
    expect(await statusOf(org, email)).toBe('pending');
    await login(app, org.id, email).expect(401);
    await button('Confirm the address').click();
    await heading('Address confirmed').waitFor();
    expect(await statusOf(org, email)).toBe('active');
    await button('Sign in').click();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/account$/);
  });

  it('tell that sign-up is not open, where it is not', async () => {
    const org = await newOrganization(app);
    await page.goto(`/account/sign-up?organization=${org.slug}`);
    await heading('Sign-up is not open here').waitFor();
    await page.goto(`/account/sign-in?organization=${org.slug}`);
    await heading(/^Sign in to/).waitFor();
    expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0);
  });

  it('lead from a forgotten password to a new one; all other devices are signed out', async () => {
    const org = await newOrganization(app, { name: 'Harbour & Sons', branding: { primaryColor: '#0b6e4f' } });
    const { email } = await invite(org, { sendInvitation: false });
    const invitation = await linkAfter(
      async () => app.api.platform.post(`/v1/organizations/${org.id}/users/${await idOf(org, email)}/invitation`).expect(200),
      '/accept-invitation',
    );
    const accepted = { token: invitation.searchParams.get('token'), password: PASSWORD };
    await app.api.nobody.post('/v1/auth/accept-invitation', accepted).expect(200);
    const other = (await login(app, org.id, email).expect(200)).body.data.sessionToken;

    await page.goto(`/account/sign-in?organization=${org.slug}`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading('Set a new password').waitFor();
    await expectAccessible(page);
    await picture(page, 'forgot-password');
    await page.getByLabel('E-mail address').fill(email);
    const link = await linkAfter(() => page.keyboard.press('Enter'), '/reset-password');
    await page.getByText(`If ${email} belongs to an account here`).waitFor();

    const token = link.searchParams.get('token')!;
    for (let count = 0; count < 2; count++) {
      await page.goto(link.href);
      await heading('Set a new password').waitFor();
    }
    await expectTokenGone(token);
    await expectAccessible(page);
    await picture(page, 'reset-password');
    await choose(NEW_PASSWORD);
    await button('Set the new password').click();
    await heading('Password changed').waitFor();
    await app.api.as(other).get('/v1/auth/me').expect(401);
    await login(app, org.id, email, PASSWORD).expect(401);
    await login(app, org.id, email, NEW_PASSWORD).expect(200);
  });
  const idOf = async (org: TestBody, email: string): Promise<string> =>
    (await app.api.platform.get(`/v1/organizations/${org.id}/users?email=${email}`).expect(200)).body.data[0].id;

  it('have masked fields for passwords, which password managers may fill in and anything may be pasted into', async () => {
    const link = await linkAfter(async () => invite(await newOrganization(app, { name: HOSTILE })), '/accept-invitation');
    await page.goto(link.href);
    await heading(`Join ${HOSTILE}`).waitFor();
    expect(await page.locator('img[src=x]').count()).toBe(0);
    const fields = page.locator('input[name="password"], input[name="repeated"]');
    expect(await fields.count()).toBe(2);
    for (const field of await fields.all()) {
      expect(await field.getAttribute('type')).toBe('password');
      expect(await field.getAttribute('autocomplete')).toBe('new-password');
      expect(await field.getAttribute('maxlength')).toBeNull();
      await field.focus();
      await page.keyboard.insertText(PASSWORD);
      expect(await field.inputValue()).toBe(PASSWORD);
    }
    expect(await page.locator('input[autocomplete="username"]').getAttribute('readonly')).not.toBeNull();
    await button('Show the passwords').first().click();
    expect(await fields.first().getAttribute('type')).toBe('text');
    await page.goto('/account/sign-in');
    const signIn = page.locator('input[name="password"]');
    await signIn.waitFor();
    expect([await signIn.getAttribute('type'), await signIn.getAttribute('autocomplete')]).toEqual([
      'password',
      'current-password',
    ]);
  });

  it('ran without a fault', () => {
    expect(window.faults).toEqual([]);
  });
});
