import { readFile } from 'node:fs/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { codeOf } from '../support/authenticator-app.js';
import type { TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { identityProvider, oidcSignIn } from '../support/oidc.js';
import { newAddress, newOrganization, read } from '../support/organizations.js';
import { addAdaAndGrace } from '../support/pages.js';
import { startScriptedProvider } from '../support/scripted-identity-provider.js';
import { freshCode } from '../support/second-factors.js';
import { activeUser, becomeStale, login, PASSWORD, sessionToken } from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { testServer } from '../support/test-server.js';
import { expectAccessible, expectStateAccessible, openPage, picture, testSite } from '../support/web.js';

const app = testSite();

describe('the account area', () => {
  let organization: string;
  let email: string;
  let page: Page;

  beforeAll(async () => {
    organization = (await newOrganization(app, { name: 'Acme', slug: 'acme' })).id;
  });
  beforeEach(async () => {
    email = newAddress();
    await activeUser(app, organization, { email, firstName: 'Ada' });
    page = await openPage(app, { token: await sessionToken(app, 'acme', email) });
  });
  afterEach(() => page.context().close());

  it('sends a verification link to a new email address', async () => {
    await page.goto('/account');
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
    await page.goto('/account/security');
    await page.getByRole('button', { name: 'Add authenticator app' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add authenticator app' }).click();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
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
  });
});

describe('the linked identities page', () => {
  const provider = testServer(startScriptedProvider);
  let org: TestBody;
  let email: string;
  let user: { id: string; token: string };
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
    const page = await openPage(app, user);
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
  });

  it('lets an administrator unlink an identity provider of a user', async () => {
    const page = await openPage(app, await signedIn(app, org.id, { roles: ['owner'] }));
    await page.goto(`/dashboard/organizations/${org.id}/users/${user.id}?tab=security`);
    await page.getByRole('cell', { name: `sub-${email}` }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Unlink identity provider: Company login' }).click();
    await page.getByRole('dialog').getByText('all sessions of the user end').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink identity provider' }).click();
    await page.getByText('Not linked to an identity provider.').waitFor();
    await app.api.as(user.token).get('/v1/auth/me').expect(401);
  });
});

describe('the page language', () => {
  it.each([
    ['the language of the browser', 'de-AT', {}],
    ['the organization default if the browser language is not supported', 'fr-FR', { defaultLocale: 'de' }],
  ])('is %s before sign-in', async (_, locale, settings) => {
    const { name, slug } = await newOrganization(app, { settings });
    const page = await openPage(app, undefined, locale);
    await page.goto(`/account/sign-in?organization=${slug}`);
    await page.getByRole('heading', { name: `Bei ${name} anmelden` }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await expectAccessible(page);
  });

  it('is the profile language after sign-in', async () => {
    const { id: organizationId } = await newOrganization(app);
    await addAdaAndGrace(app, organizationId);
    const owner = await signedIn(app, organizationId, { roles: ['owner'] });
    const page = await openPage(app, owner);
    await page.goto('/account');
    await page.getByLabel('Language', { exact: true }).first().click();
    await page.getByRole('option', { name: 'German' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Speichern' }).waitFor();
    const { locale } = (await owner.client.get('/v1/auth/me').expect(200)).body.data;
    expect(locale).toBe('de');

    await page.goto(`/dashboard/organizations/${organizationId}/users`);
    await page.getByRole('heading', { level: 1, name: 'Personen' }).waitFor();
    await page.getByRole('link', { name: /Ada/ }).first().waitFor();
    await expectAccessible(page);

    // The texts of the API are in the language of the page.
    await page.goto(`/dashboard/organizations/${organizationId}/users/usr_unknown`);
    await page.getByRole('alert').getByText('Dieser Benutzer wurde nicht gefunden.').waitFor();
    await page.goto(`/dashboard/organizations/${organizationId}/roles`);
    await page.getByText('Uneingeschränkter Zugriff auf alles.').waitFor();
    await page.goto(`/dashboard/organizations/${organizationId}/permissions?user=${owner.id}`);
    await page.getByText('Einrichtungslinks erstellen und widerrufen.').waitFor();
  });
});

it('the reauthentication dialog cancels the action when the user closes it, and opens before an export of users', async () => {
  const { id, slug } = await newOrganization(app);
  const email = newAddress();
  await activeUser(app, id, { email, roles: ['admin'] });
  const page = await openPage(app, { token: await sessionToken(app, id, email) });
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
  await page.goto(`/dashboard/organizations/${id}/api-keys/new`);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Billing sync');
  await page.getByRole('checkbox', { name: 'Users: Read' }).check();
  await becomeStale(app);
  await page.getByRole('button', { name: 'Create API key' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('You did not confirm your identity, so nothing was changed. Try again.').waitFor();
  expect(await read(app, `/v1/organizations/${id}/api-keys`)).toEqual([]);

  await page.goto(`/dashboard/organizations/${id}/users?search=${email}`);
  await page.getByRole('button', { name: 'Export users' }).click();
  await page.getByRole('menuitem', { name: /CSV/ }).click();
  await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toBe(`users-${slug}.csv`);
  expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toEqual([
    expect.any(String),
    expect.stringContaining(email),
  ]);
});

it('an ended session asks for a sign-in in a new tab, keeps what was typed in a dialog, and repeats the request', async () => {
  const { id, slug } = await newOrganization(app);
  const email = newAddress();
  await activeUser(app, id, { email, roles: ['admin'] });
  const page = await openPage(app, { token: await sessionToken(app, id, email) });
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  const name = page.getByRole('textbox', { name: 'Name' });
  await page.goto(`/dashboard/organizations/${id}/groups`);
  const create = page.getByRole('button', { name: 'Create group' }).first();
  await create.click();
  await name.press('Escape');
  await name.waitFor({ state: 'detached' });
  await create.click();
  await name.fill('Billing');
  await name.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();

  await app.database.query('DELETE FROM sessions');
  await name.press('Enter');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('alert').getByText('Your session has ended').waitFor();
  expect(await name.inputValue()).toBe('Billing');
  await name.press('Enter');
  await expectStateAccessible(page);
  const opened = page.context().waitForEvent('page');
  await dialog.getByRole('link', { name: 'Sign in again' }).click();
  const tab = await opened;
  expect(new URL(tab.url()).searchParams.get('organization') ?? slug).toBe(slug);
  await tab.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await tab.keyboard.press('Enter');
  await name.waitFor({ state: 'detached' });
  expect(await read(app, `/v1/organizations/${id}/groups`)).toContainEqual(expect.objectContaining({ name: 'Billing' }));
});
