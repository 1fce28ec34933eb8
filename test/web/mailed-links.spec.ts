import { beforeEach, describe, expect, it } from '@jest/globals';
import { choosePassword, expectTokenGone, invite, linkAfter, mailedLinkPages, statusOf } from '../support/mailed-link-pages.js';
import { OAuthApplication } from '../support/oauth-application.js';
import { insertTrustedProvider } from '../support/oidc.js';
import { newAddress, newOrganization } from '../support/organizations.js';
import { elementsOf } from '../support/pages.js';
import { activeUser, later, login, PASSWORD, sessionToken } from '../support/sign-in.js';
import { expectAccessible } from '../support/web.js';

const HOSTILE = 'Acme <img src=x onerror=alert(1)>';
const DAY_MS = 24 * 3_600_000;

describe('an emailed link', () => {
  const pages = mailedLinkPages();
  const { app, page } = pages;
  const { button, heading } = elementsOf(() => pages.page);
  beforeEach(() => page.context().clearCookies());

  it('leads to the sign-in page if the organization requires an identity provider', async () => {
    const org = await newOrganization(app);
    await insertTrustedProvider(app, org.id);
    const link = await linkAfter(pages, () => invite(app, org), '/accept-invitation');
    await app.api.platform.patch(`/v1/organizations/${org.id}`, { settings: { ssoRequired: true } }).expect(200);
    await page.goto(link.href);
    await page.getByRole('alert').getByText('Your organization requires sign-in with its identity provider').waitFor();
    expect(await page.getByLabel('New password', { exact: true }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await heading(/^Sign in/).waitFor();
  });

  it('explains the next step if the link is expired', async () => {
    const org = await newOrganization(app);
    const link = await linkAfter(pages, () => invite(app, org), '/accept-invitation');
    const token = link.searchParams.get('token')!;
    await later(app, 8 * DAY_MS, async () => {
      await page.goto(link.href);
      await page.getByRole('alert').getByText('This invitation has expired').waitFor();
    });
    await page.goto(link.href);
    await heading(`Join ${org.name}`).waitFor();
    await app.api.anonymous.post('/v1/auth/accept-invitation', { token, password: PASSWORD }).expect(200);
    await choosePassword(pages, PASSWORD);
    await button('Set password and join').click();
    await page.getByRole('alert').getByText('already been accepted').waitFor();
    await expectAccessible(page);
    await page.goto(link.href);
    await page.getByRole('alert').getByText('already been accepted').waitFor();
    await page.goto('/verify-email?token=x');
    await page.getByRole('alert').getByText('does not work. Check that you copied the whole link').waitFor();
    await page.goto('/reset-password?token=');
    await page.getByRole('alert').getByText('The link is incomplete').waitFor();
    await page.getByRole('link', { name: 'Request a new link' }).click();
    await page.waitForURL(/\/account\/forgot-password/);
  });

  it('cancels an email change that another person requested', async () => {
    const org = await newOrganization(app);
    const { email } = await activeUser(app, org.id, { email: newAddress() });
    const session = app.api.as(await sessionToken(app, org.id, email));
    const change = { email: newAddress(), currentPassword: PASSWORD };
    const requestChange = () => session.post('/v1/auth/me/email', change).expect(202);
    const link = await linkAfter(pages, requestChange, '/cancel-email-change');
    await page.goto(link.href);
    await heading('Cancel the change of your email address').waitFor();
    await expectTokenGone(pages, link.searchParams.get('token')!);
    await page.getByText(email, { exact: true }).waitFor();
    await expectAccessible(page);
    await session.get('/v1/auth/me').expect(200);
    await button('Cancel change').click();
    await heading('Change canceled').waitFor();
    await page.getByText(`Your account keeps ${email}`).waitFor();
    await session.get('/v1/auth/me').expect(401);
  });

  it('requires verification of the email address before the first sign-in', async () => {
    const settings = { allowPublicSignup: true, allowedDomains: ['example.com'] };
    const org = await newOrganization(app, { name: 'Meadow Lane', settings, branding: { primaryColor: '#7a1f5c' } });
    const email = newAddress();
    await page.goto(`/account/sign-in?organization=${org.slug}`);
    await page.getByRole('link', { name: 'Sign up' }).click();
    await heading(`Sign up for ${org.name}`).waitFor();
    await page.getByText('Sign-up is open to email addresses at example.com.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('First name').fill('Grace');
    await page.getByLabel('Email address').fill('grace@elsewhere.example');
    await choosePassword(pages, PASSWORD);
    await button('Sign up').click();
    await page.getByRole('alert').getByText('Email addresses at this domain are not allowed in this organization').waitFor();
    await page.getByLabel('Email address').fill(email);
    const link = await linkAfter(pages, () => button('Sign up').click(), '/verify-email');
    await heading('Check your email').waitFor();
    await expectAccessible(page);

    const token = link.searchParams.get('token')!;
    await page.goto(link.href);
    await heading('Verify your email address').waitFor();
    await expectTokenGone(pages, token);
    await page.getByText(`to activate your account at ${org.name}`).waitFor();
    await expectAccessible(page);
    expect(await statusOf(app, org, email)).toBe('pending');
    await login(app, org.id, email).expect(401);
    await button('Verify address').click();
    await heading('Address verified').waitFor();
    expect(await statusOf(app, org, email)).toBe('active');
    await button('Sign in').click();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/account$/);
  });

  it('continues to the application that waits after a password reset', async () => {
    const org = await newOrganization(app);
    const { email } = await activeUser(app, org.id, { email: newAddress() });
    const application = await OAuthApplication.create(app, org.id, { name: 'Billing' });
    const { address } = await application.start(null, { organization: org.id, login_hint: email });
    await page.goto(address);
    await page.getByText('to continue to Billing').waitFor();
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading('Reset your password').waitFor();
    await page.getByLabel('Email address').fill(email);
    const reset = await linkAfter(pages, () => page.keyboard.press('Enter'), '/reset-password');
    await page.goto(reset.href);
    await choosePassword(pages, `${PASSWORD} 2`);
    await button('Set new password').click();
    await heading('Billing wants to access your account').waitFor();
    await page.getByText(`You are signed in as ${email}.`).waitFor();
  });

  it('shows a message if sign-up is not available', async () => {
    const org = await newOrganization(app);
    await page.goto(`/account/sign-up?organization=${org.slug}`);
    await heading(/^Sign-up is not available/).waitFor();
    await page.goto(`/account/sign-in?organization=${org.slug}`);
    await heading(/^Sign in to/).waitFor();
    expect(await page.getByRole('link', { name: 'Sign up' }).count()).toBe(0);
  });

  it('opens a masked password field that accepts pasted text', async () => {
    const link = await linkAfter(
      pages,
      async () => invite(app, await newOrganization(app, { name: HOSTILE })),
      '/accept-invitation',
    );
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
    await button('Show passwords').first().click();
    expect(await fields.first().getAttribute('type')).toBe('text');
    await page.goto('/account/sign-in');
    const signIn = page.locator('input[name="password"]');
    await signIn.waitFor();
    expect([await signIn.getAttribute('type'), await signIn.getAttribute('autocomplete')]).toEqual([
      'password',
      'current-password',
    ]);
  });
});
