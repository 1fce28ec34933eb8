// Processor time: Chromium loads and renders each page of the area, and axe checks it.
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import * as openid from 'openid-client';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import type { TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { listenHttp } from '../support/local-receiver.js';
import { newAddress, newOrganization } from '../support/organizations.js';
import { elementsOf, openArea } from '../support/pages.js';
import { activeUser, PASSWORD } from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { testServer } from '../support/test-server.js';
import { expectAccessible, expectStateAccessible, openPage, picture, testSite } from '../support/web.js';

const app = testSite();
const application = testServer(() => listenHttp((_request, response) => void response.end('Signed in')));
const API = 'https://api.acme.example';

let acme: TestBody;
let europe: TestBody;
let callback: string;
let owner: Page;
let page: Page;

const inDashboard = elementsOf(() => owner);
const field = (name: string) => owner.getByRole('textbox', { name });
const { button, heading } = elementsOf(() => page);

beforeAll(async () => {
  callback = `http://127.0.0.1:${application.port}/callback`;
  acme = await newOrganization(app, { name: 'Acme', slug: 'acme', settings: { allowPublicSignup: true } });
  europe = await newOrganization(app, { name: 'Acme Europe', slug: 'acme-europe', parentId: acme.id });
  owner = await openPage(app, await signedIn(app, acme.id, { roles: ['owner'] }));
});

// The sign-in pages remember the organization.
beforeEach(async () => {
  page = await openPage(app);
});

it('an application that is created in the dashboard signs users in, until they or an administrator end its access', async () => {
  await createApi();
  const relyingParty = await createApplication();
  const email = await memberOfBoth();

  const request = await start(relyingParty, { resource: API });
  await page.goto(request.address);
  await signInByAddress(email);
  await chooseOrganizationAndConsent(email);
  const tokens = await finish(relyingParty, request);
  expect(tokens.claims()).toMatchObject({ email, org_id: europe.id });
  expect(tokens.scope).toContain('invoices:read');

  // The user allowed it, and is signed in: no page asks again. Only a new sign-in does, which the user can cancel.
  const again = await start(relyingParty, { organization: acme.slug, prompt: 'login', ui_locales: 'de' });
  await page.goto(again.address);
  await page.getByText('Melden Sie sich erneut an').waitFor();
  await button('Abbrechen und zurück zu Billing').click();
  await page.waitForURL(/error=access_denied/);

  const other = await changeAccount(relyingParty, email);
  await revokeAccess(email);
  await expect(openid.refreshTokenGrant(relyingParty, tokens.refresh_token!)).rejects.toThrow();
  await disconnect();
  await expect(openid.refreshTokenGrant(relyingParty, other.refresh_token!)).rejects.toThrow();
  await endSession(relyingParty, await skipConsent(relyingParty));
});

it('an invited person, and a person who forgot the password, continue to the application and sign out', async () => {
  const uris = { redirectUris: [callback], postLogoutRedirectUris: [callback] };
  const client = { name: 'Billing', type: 'web', visibility: 'organization', ...uris };
  const { id, secret } = (await app.api.platform.post(`/v1/organizations/${acme.id}/oauth-clients`, client).expect(201)).body
    .data;
  const relyingParty = await discover(id, secret);
  const email = newAddress();
  await app.api.platform.post(`/v1/organizations/${acme.id}/users`, { email, sendInvitation: true }).expect(201);

  await page.goto((await start(relyingParty)).address);
  await heading('Sign in to Acme').waitFor();
  await page.goto(await linkFor(email, 'invitation'));
  await heading('Join Acme').waitFor();
  await page.getByText('to continue to Billing').waitFor();
  await setPassword();
  await button('Allow').click();
  await page.waitForURL(/\/callback\?code=/);

  await page.context().clearCookies();
  await page.goto((await start(relyingParty)).address);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email address').fill(email);
  await button('Send link').click();
  await page.getByText('Check your spam folder').waitFor();
  await page.goto(await linkFor(email, 'password_reset'));
  await setPassword('another lantern orbit velvet');
  await page.waitForURL(/\/callback\?code=/);

  // Without an ID token, the application can't prove that it signed the user in.
  const parameters = { client_id: id, post_logout_redirect_uri: callback, state: 'bye' };
  await page.goto(`/oauth/logout?${new URLSearchParams(parameters)}`);
  await page.getByText(`signed in as ${email}`).waitFor();
  await expectAccessible(page);
  await button('Sign out').click();
  await page.waitForURL(/\/callback\?state=bye$/);
  await page.goto('/account/sign-out');
  await page.waitForURL(/\/account\/sign-in/);
});

async function setPassword(password = PASSWORD): Promise<void> {
  await page
    .getByLabel('Password', { exact: true })
    .or(page.getByLabel('New password', { exact: true }))
    .fill(password);
  await page.getByLabel(/^Confirm/).fill(password);
  await page.keyboard.press('Enter');
}

async function linkFor(email: string, template: string, part = ''): Promise<string> {
  const mail = (await mailsTo(app, email)).find((each) => each.template === template);
  return mail!.links.find((link) => link.includes(part))!;
}

async function createApi(): Promise<void> {
  await owner.goto(`/dashboard/organizations/${acme.id}`);
  await openArea(owner, 'Applications');
  await inDashboard.heading('Applications').waitFor();
  await expectAccessible(owner);
  await owner.getByRole('link', { name: 'APIs' }).click();
  await owner.getByRole('link', { name: 'Create API' }).click();
  await field('Name').fill('Invoices API');
  await field('Identifier').fill(API);
  await field('Scope').fill('invoices:read');
  await field('What it allows').fill('View invoices');
  await expectAccessible(owner);
  await inDashboard.button('Create API').click();
  await owner.getByRole('cell', { name: 'invoices:read' }).waitFor();
  await expectStateAccessible(owner);
}

/** Creates a web application, and returns it with the secret that the page shows once. */
async function createApplication(): Promise<openid.Configuration> {
  await owner.getByRole('navigation').getByRole('link', { name: 'Applications' }).first().click();
  await owner.getByRole('link', { name: 'Create application' }).click();
  await field('Name').fill('Billing');
  await owner.getByRole('combobox', { name: 'Redirect URIs' }).fill(callback);
  await owner.keyboard.press('Enter');
  await owner.getByRole('combobox', { name: 'Invoices API' }).click();
  await owner.getByRole('option', { name: 'invoices:read' }).click();
  await owner.keyboard.press('Escape');
  await expectAccessible(owner);
  await inDashboard.button('Create application').click();
  const dialog = owner.getByRole('dialog', { name: 'Copy the client secret' });
  await dialog.waitFor();
  const [secret = '', clientId = ''] = await dialog.locator('code').allInnerTexts();
  await dialog.getByRole('button', { name: 'I’ve copied the secret' }).click();
  await owner.getByRole('tab', { name: 'oauth2-proxy' }).click();
  await owner.getByText(`client_id = "${clientId}"`).waitFor();
  await expectAccessible(owner);
  await picture(owner, 'application');
  return discover(clientId, secret);
}

function discover(clientId: string, secret: string): Promise<openid.Configuration> {
  const options = { execute: [openid.allowInsecureRequests] };
  return openid.discovery(new URL(app.config.baseUrl), clientId, undefined, openid.ClientSecretBasic(secret), options);
}

async function memberOfBoth(): Promise<string> {
  const { id, email } = await activeUser(app, acme.id, { email: newAddress(), firstName: 'Ada' });
  await app.api.platform.post(`/v1/organizations/${europe.id}/members`, { userId: id, role: 'member' }).expect(201);
  return email;
}

interface Request {
  readonly address: string;
  readonly checks: openid.AuthorizationCodeGrantChecks;
}

async function start(relyingParty: openid.Configuration, parameters: Record<string, string> = {}): Promise<Request> {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const expectedState = openid.randomState();
  const { href: address } = openid.buildAuthorizationUrl(relyingParty, {
    redirect_uri: callback,
    scope: 'openid profile email organization offline_access invoices:read',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    ...parameters,
  });
  return { address, checks: { pkceCodeVerifier, expectedState } };
}

/** Returns the tokens for the code with which the browser returned to the application. */
async function finish(relyingParty: openid.Configuration, { checks }: Awaited<ReturnType<typeof start>>) {
  await page.waitForURL(/\/callback\?code=/);
  return openid.authorizationCodeGrant(relyingParty, new URL(page.url()), checks, { resource: API });
}

/** The page asks for the address first. No organization has its domain, so the page offers an email with the organizations. */
async function signInByAddress(email: string): Promise<void> {
  await page.getByText('to continue to Billing').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Email address').fill(email);
  await page.keyboard.press('Enter');
  await page.getByText('No organization uses the domain example.com').waitFor();
  await button('Send email with my organizations').click();
  await page.getByText('Check your spam folder').waitFor();
  await expectStateAccessible(page);
  await page.goto(await linkFor(email, 'sign_in_links', 'organization=acme-europe'));
  await page.getByText('to continue to Billing').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
}

async function chooseOrganizationAndConsent(email: string): Promise<void> {
  await heading('Choose an organization').waitFor();
  await expectAccessible(page);
  await button('Acme Europe').click();
  await heading('Billing wants to access your account').waitFor();
  for (const text of [
    'Provided by Acme',
    'runs on your device',
    'View invoices',
    'View your email address',
    'Organization: Acme Europe',
    `signed in as ${email}`,
  ])
    await page.getByText(text).waitFor();
  await expectAccessible(page);
  await picture(page, 'consent');
  await button('Allow').click();
}

/** Answers with another account than the one that is signed in. */
async function changeAccount(relyingParty: openid.Configuration, first: string) {
  const { email } = await activeUser(app, acme.id, { email: newAddress() });
  const request = await start(relyingParty, { organization: acme.slug, prompt: 'consent', resource: API });
  await page.goto(request.address);
  await page.getByText(`signed in as ${first}`).waitFor();
  await button('Use another account').click();
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText(`signed in as ${email}`).waitFor();
  await button('Allow').click();
  const tokens = await finish(relyingParty, request);
  expect(tokens.claims()).toMatchObject({ email, org_id: acme.id });
  return tokens;
}

async function revokeAccess(email: string): Promise<void> {
  await owner.goto(`/dashboard/organizations/${europe.id}/applications/access`);
  await owner.getByRole('cell', { name: email, exact: true }).waitFor();
  await expectAccessible(owner);
  await inDashboard.button(`Revoke the access of Billing for ${email}`).click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await owner.getByText('No user access yet').waitFor();
}

async function disconnect(): Promise<void> {
  await page.goto('/account/applications');
  await button('Disconnect Billing from Acme').click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('No connected applications').waitFor();
}

/** The owner decides that users are not asked. Returns the ID of the user who signs in. */
async function skipConsent(relyingParty: openid.Configuration): Promise<string> {
  const { client_id: clientId } = relyingParty.clientMetadata();
  await owner.goto(`/dashboard/organizations/${acme.id}/applications/${clientId}/settings`);
  await owner.getByRole('combobox', { name: 'Consent' }).click();
  await owner.getByRole('option', { name: 'Don’t ask' }).click();
  await field('Logout address').fill(callback);
  await owner.getByRole('switch', { name: 'One session at a time' }).click();
  const saved = owner.waitForResponse((response) => response.request().method() === 'PATCH');
  await inDashboard.button('Save').click();
  expect((await saved).status()).toBe(200);
  const request = await start(relyingParty, { organization: acme.slug, resource: API });
  await page.goto(request.address);
  const tokens = await finish(relyingParty, request);
  expect(tokens.scope).toContain('invoices:read');
  return tokens.claims()!.sub;
}

/** The application learns that the session of the user ended. */
async function endSession(relyingParty: openid.Configuration, userId: string): Promise<void> {
  const { client_id: clientId } = relyingParty.clientMetadata();
  await owner.getByRole('link', { name: 'Logout' }).click();
  await owner.getByText('No logout tokens yet').waitFor();
  await app.api.platform.delete(`/v1/organizations/${acme.id}/users/${userId}/sessions`).expect(200);
  const deliveries = `/v1/organizations/${acme.id}/oauth-clients/${clientId}/logout-deliveries?status=succeeded`;
  const isDelivered = async () => (await app.api.platform.get(deliveries).expect(200)).body.data.length > 0;
  await eventually(isDelivered, 20_000, 'the logout token was delivered');
  await owner.reload();
  await owner.getByRole('cell', { name: 'Delivered' }).waitFor();
  await expectAccessible(owner);
  await inDashboard.button('Resend').click();
  await owner.getByText('The logout token will be resent').waitFor();
}
