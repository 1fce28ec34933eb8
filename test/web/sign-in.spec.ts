import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestBody } from '../support/http-client.js';
import { startIdentityProvider } from '../support/identity-provider.js';
import { identityProvider } from '../support/oidc.js';
import { newAddress, newOrganization } from '../support/organizations.js';
import { addTotp, freshCode, sentCode, signedInUser, userWithTotp } from '../support/second-factors.js';
import { activeUser, later, login, PASSWORD } from '../support/sign-in.js';
import { testServer } from '../support/test-server.js';
import { addVirtualAuthenticator } from '../support/virtual-authenticator.js';
import { expectAccessible, openPage, testSite } from '../support/web.js';

const EVE = { email: 'eve@strict.example', email_verified: true };
const BOB = { email: 'bob@corp.example', email_verified: true, given_name: 'Bob' };

describe('the sign-in page', () => {
  const app = testSite();
  const provider = testServer(() => startIdentityProvider(app.config.baseUrl, { bob: BOB, eve: EVE }));
  let page: Page;
  let acme: TestBody;
  beforeAll(async () => {
    acme = await newOrganization(app, { name: 'Acme', slug: 'acme', branding: { primaryColor: '#0b5cad' } });
    await identityProvider(app, acme.id, provider.issuer, { trustedDomains: ['corp.example'] });
    page = await openPage(app);
  });

  const user = (org: TestBody = acme, roles: string[] = ['member']): Promise<TestBody> =>
    activeUser(app, org.id, { email: newAddress(), roles });
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const notice = (text: string | RegExp) => page.getByRole('alert').getByText(text);
  const email = () => page.getByLabel('Email address');
  const password = () => page.getByLabel('Password', { exact: true });
  const code = () => page.getByLabel('Code', { exact: true });

  /** Opens the sign-in page without a session and without stored data. */
  async function open(search = `organization=${acme.slug}`): Promise<void> {
    await page.goto('/favicon.svg');
    await page.context().clearCookies();
    await page.evaluate('localStorage.clear()');
    await page.goto(`/account/sign-in?${search}`);
    await heading(/^Sign in/).waitFor();
  }
  async function submit(address: string, secret = PASSWORD): Promise<void> {
    await email().fill(address);
    await password().fill(secret);
    await page.keyboard.press('Enter');
  }

  describe('password sign-in', () => {
    it('continues to the requested page, and requires a new sign-in for another organization', async () => {
      const other = await newOrganization(app);
      const { email: address } = await user();
      await open();
      await page.goto('/account/sessions');
      await heading('Sign in').waitFor();
      await page.keyboard.type('acme');
      await page.keyboard.press('Enter');
      await heading('Sign in to Acme').waitFor();
      await submit(address);
      await page.waitForURL(/\/account\/sessions$/);
      await page.goto(`/account/sign-in?organization=${other.slug}`);
      await heading(`Sign in to ${other.name}`).waitFor();
      await page.goto(`/account/sign-in?organization=${acme.id}`);
      await page.waitForURL(/\/account$/);
    });

    it('redirects administrators to the dashboard', async () => {
      const { email: address } = await user(acme, ['admin']);
      await open();
      await submit(address);
      await page.waitForURL(/\/dashboard/);
      await page.context().clearCookies();
      await page.goto('/account/sign-in');
      await heading('Sign in to Acme').waitFor();
      await button('Use another organization').click();
      await button('Enter the short name of the organization instead').click();
      await page.getByLabel('Organization').fill('no-such-organization');
      await page.keyboard.press('Enter');
      await page.getByText('Organization not found.').waitFor();
    });

    it('shows how long an account is locked', async () => {
      const { email: address } = await user();
      for (let count = 0; count < 5; count++) await login(app, acme.id, address, 'wrong').expect(401);
      await open();
      await submit(address);
      await notice(/Try again in \d+ seconds/).waitFor();
      await notice('To unlock the account immediately, reset your password by email.').waitFor();
      expect(await button('Sign in').isDisabled()).toBe(true);
      await expectAccessible(page);
    });

    it('shows no text of the URL in notices', async () => {
      await open('organization=acme&error=Call%20%2B1%20555%20to%20unlock');
      await notice('Sign-in failed. Try again.').waitFor();
      expect(await page.content()).not.toContain('555');
    });
  });

  describe('multi-factor authentication', () => {
    it('accepts a code of the authenticator app', async () => {
      const { email: address, secret, recoveryCodes } = await userWithTotp(app, acme.id);
      await open();
      await submit(address);
      await heading('Multi-factor authentication').waitFor();
      expect(await code().getAttribute('autocomplete')).toBe('one-time-code');
      await expectAccessible(page);
      await page.keyboard.type('000000');
      await page.keyboard.press('Enter');
      await notice('Verification failed.').waitFor();
      expect(await code().inputValue()).toBe('');
      await code().fill(freshCode(app, secret).replace(/(...)/, '$1 '));
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/account$/);

      await open();
      await submit(address);
      await button('Recovery code').click();
      await page.getByLabel('Recovery code', { exact: true }).fill(recoveryCodes[0]!.toUpperCase());
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/account$/);
    });

    it('emails a code on request', async () => {
      const org = await newOrganization(app, { settings: { mfaMethods: ['totp', 'email'] } });
      const { email: address, token } = await signedInUser(app, org.id);
      const { token: strong } = await addTotp(app, token);
      await app.api.as(strong).post('/v1/auth/mfa/email', {}).expect(200);
      await app.api
        .as(strong)
        .post('/v1/auth/mfa/email/confirm', { code: await sentCode(app, address) })
        .expect(200);
      await open(`organization=${org.slug}`);
      await submit(address);
      await button('Email code').click();
      await later(app, 60_000, async () => {
        await button('Send code').click();
        await page.getByText(/We sent a code to .•+/).waitFor();
      });
      expect(await button(/^Resend code in \d+ s$/).isDisabled()).toBe(true);
      await expectAccessible(page);
      await code().fill(await sentCode(app, address));
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/account$/);
    });

    it('returns to the first step when the challenge expires', async () => {
      const { email: address, secret } = await userWithTotp(app, acme.id);
      await open();
      await submit(address);
      await heading('Multi-factor authentication').waitFor();
      await later(app, 11 * 60_000, async () => {
        await code().fill(freshCode(app, secret));
        await page.keyboard.press('Enter');
        await notice('Verification took too long').waitFor();
      });
      await heading('Sign in to Acme').waitFor();
    });
  });

  it('accepts a passkey instead of a password', async () => {
    const { email: address } = await user();
    const { devTools, authenticatorId } = await addVirtualAuthenticator(page);
    await open();
    await submit(address);
    await page.waitForURL(/\/account$/);
    await page.goto('/account/security');
    await button('Add passkey').click();
    await page.getByLabel(/^Name, for example/).fill('Laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
    await button('I have saved these codes').click();
    await button('Rename: Laptop').click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Old laptop');
    await button('Save').click();
    await page.getByText('Old laptop').waitFor();

    await open();
    await button('Sign in with a passkey').click();
    await page.waitForURL(/\/account$/);

    await open();
    await submit(address);
    await heading('Multi-factor authentication').waitFor();
    await button('Use passkey').click();
    await page.waitForURL(/\/account$/);

    await open();
    await devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await button('Sign in with a passkey').click();
    await notice('The request was canceled or took too long').waitFor();
    await devTools.send('WebAuthn.disable');
  });

  describe('identity provider sign-in', () => {
    async function signInAtProvider(login: string): Promise<void> {
      await page.locator('input[name="login"]').fill(login);
      await page.locator('input[name="password"]').fill('any');
      await page.locator('button[type="submit"]').click();
      await page.locator('button[type="submit"]').click();
    }

    it('requires the MFA factor of the account, then returns to the requested page', async () => {
      await activeUser(app, acme.id, { email: BOB.email });
      const { secret } = await addTotp(app, (await login(app, acme.id, BOB.email).expect(200)).body.data.sessionToken);
      await open('organization=acme&returnTo=/account/sessions');
      await button('Continue with Company login').click();
      await signInAtProvider('bob');
      await heading('Multi-factor authentication').waitFor();
      expect(page.url()).not.toMatch(/challenge|#/);
      await code().fill(freshCode(app, secret));
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/account\/sessions$/);
      const [event] = await app.database.query<{ source: string }>(
        "SELECT payload::json -> 'metadata' ->> 'source' AS source FROM events WHERE type = 'user.login' ORDER BY seq DESC LIMIT 1",
      );
      expect(event).toEqual({ source: 'dashboard' });
    });

    it('shows a notice if the user cancels the sign-in', async () => {
      await open();
      await button('Continue with Company login').click();
      await page.locator('a[href$="/abort"]').click();
      await notice('The identity provider did not sign you in.').waitFor();
      await heading('Sign in to Acme').waitFor();
      await expectAccessible(page);
    });

    it('is the only way for users of an organization that requires an identity provider, except for owners', async () => {
      const org = await newOrganization(app, { name: 'Strict' });
      await identityProvider(app, org.id, provider.issuer, { name: 'Strict login', trustedDomains: ['strict.example'] });
      await activeUser(app, org.id, { email: EVE.email });
      const { email: owner } = await activeUser(app, org.id, { email: 'owner@strict.example', roles: ['owner'] });
      await app.api.platform.patch(`/v1/organizations/${org.id}`, { settings: { ssoRequired: true } }).expect(200);
      await open(`organization=${org.slug}&returnTo=/account`);
      await page.getByText('Strict requires sign-in with its identity provider.').waitFor();
      expect([await password().count(), await button('Sign in with a passkey').count()]).toEqual([0, 0]);
      await expectAccessible(page);
      await button('Continue with Strict login').click();
      await signInAtProvider('eve');
      await page.waitForURL(/\/account$/);

      await open(`organization=${org.slug}&returnTo=/account`);
      await button('Sign in as an owner with a password or passkey').click();
      await submit(EVE.email);
      await notice('Your organization requires sign-in with its identity provider.').waitFor();
      await submit(owner);
      await page.waitForURL(/\/account$/);
    });
  });
});
