import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { identityProvider, oidcSignIn } from '../support/oidc.js';
import { newAddress, newOrganization } from '../support/organizations.js';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-identity-provider.js';
import { activeUser, PASSWORD } from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { closeWindows, enterSession, expectAccessible, openWindow, startSite } from '../support/web.js';

describe('the linked identities page', () => {
  let app: TestApp;
  let provider: ScriptedProvider;
  let org: TestBody;
  let email: string;
  let user: { id: string; token: string };
  beforeAll(async () => {
    app = await startSite();
    provider = await startScriptedProvider();
  });
  afterAll(async () => {
    await closeWindows();
    await app.close();
    await provider.stop();
  });
  beforeEach(async () => {
    org = await newOrganization(app);
    email = newAddress();
    await activeUser(app, org.id, { email });
    const idp = await identityProvider(app, org.id, provider.issuer, { trustedDomains: ['example.com'] });
    provider.script = { claims: { sub: `sub-${email}`, email, email_verified: true } };
    const { data } = (await oidcSignIn(app, org.id, idp.id)).body;
    user = { id: data.user.id, token: data.sessionToken };
  });

  it('unlinks an identity provider if the user enters the password', async () => {
    const window = await openWindow(app.config.baseUrl);
    await enterSession(window, app, user.token);
    const { page } = window;
    await page.goto('/account/security');
    await page.getByRole('heading', { name: 'Linked identity providers' }).waitFor();
    await page.getByText(`sub-${email}`).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Unlink identity provider: Company login' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink identity provider' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirm your identity' });
    await proof.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Identity provider unlinked').waitFor();
    await page.getByRole('heading', { name: 'Linked identity providers' }).waitFor({ state: 'detached' });
    expect(window.faults).toEqual([]);
  });

  it('lets an administrator unlink an identity provider of a user', async () => {
    const window = await openWindow(app.config.baseUrl);
    await enterSession(window, app, (await signedIn(app, org.id, { roles: ['owner'] })).token);
    const { page } = window;
    await page.goto(`/dashboard/organizations/${org.id}/users/${user.id}?tab=security`);
    await page.getByRole('cell', { name: `sub-${email}` }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Unlink identity provider: Company login' }).click();
    await page.getByRole('dialog').getByText('all sessions of the user end').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink identity provider' }).click();
    await page.getByText('Not linked to an identity provider.').waitFor();
    await app.api.as(user.token).get('/v1/auth/me').expect(401);
    expect(window.faults).toEqual([]);
  });
});
