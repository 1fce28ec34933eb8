// Processor time: Chromium loads and renders each page of the area, and axe checks it.
import { beforeAll, expect, it } from '@jest/globals';
import * as openid from 'openid-client';
import type { Page } from 'playwright-core';
import type { TestBody } from '../support/http-client.js';
import { listenHttp } from '../support/local-receiver.js';
import { newAddress, newOrganization } from '../support/organizations.js';
import { elementsOf, openArea } from '../support/pages.js';
import { activeUser, PASSWORD } from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { testServer } from '../support/test-server.js';
import { expectAccessible, expectStateAccessible, openPage, picture, testPage, testSite } from '../support/web.js';

const app = testSite();
const page = testPage(app);
const application = testServer(() => listenHttp((_request, response) => void response.end('Signed in')));
const API = 'https://api.acme.example';

let acme: TestBody;
let europe: TestBody;
let callback: string;
let owner: Page;

const inDashboard = elementsOf(() => owner);
const field = (name: string) => owner.getByRole('textbox', { name });
const { button, heading } = elementsOf(() => page);

beforeAll(async () => {
  callback = `http://127.0.0.1:${application.port}/callback`;
  acme = await newOrganization(app, { name: 'Acme', slug: 'acme', settings: { allowPublicSignup: true } });
  europe = await newOrganization(app, { name: 'Acme Europe', parentId: acme.id });
  owner = await openPage(app, await signedIn(app, acme.id, { roles: ['owner'] }));
});

it('an application that is created in the dashboard signs users in, until they disconnect it', async () => {
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

  // The user allowed it, and is signed in: no page asks again. Only a new sign-in does.
  const again = await start(relyingParty, { organization: acme.slug, prompt: 'login', ui_locales: 'de' });
  await page.goto(again.address);
  await page.getByText('Melden Sie sich erneut an').waitFor();
  await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await button('Abbrechen').click();
  await page.waitForURL(/error=access_denied/);

  await seeAccessOfUser(email);
  await disconnect();
  await expect(openid.refreshTokenGrant(relyingParty, tokens.refresh_token!)).rejects.toThrow();
});

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
  const options = { execute: [openid.allowInsecureRequests] };
  return openid.discovery(new URL(app.config.baseUrl), clientId, undefined, openid.ClientSecretBasic(secret), options);
}

async function memberOfBoth(): Promise<string> {
  const { id, email } = await activeUser(app, acme.id, { email: newAddress(), firstName: 'Ada' });
  await app.api.platform.post(`/v1/organizations/${europe.id}/members`, { userId: id, role: 'member' }).expect(201);
  return email;
}

async function start(relyingParty: openid.Configuration, parameters: Record<string, string>) {
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

/** The page asks for the address first. No organization has its domain, so the page asks for the organization. */
async function signInByAddress(email: string): Promise<void> {
  await page.getByText('to continue to Billing').waitFor();
  await expectAccessible(page);
  await page.getByLabel('Email address').fill(email);
  await page.keyboard.press('Enter');
  await page.getByText('No organization uses the domain example.com').waitFor();
  await page.getByLabel('Organization').fill('acme');
  await page.keyboard.press('Enter');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
}

async function chooseOrganizationAndConsent(email: string): Promise<void> {
  await heading('Choose an organization').waitFor();
  await expectAccessible(page);
  await button('Acme Europe').click();
  await heading('Billing wants to access your account').waitFor();
  for (const text of ['Provided by Acme', 'View your email address', 'Organization: Acme Europe', `signed in as ${email}`])
    await page.getByText(text).waitFor();
  await expectAccessible(page);
  await picture(page, 'consent');
  await button('Allow').click();
}

async function seeAccessOfUser(email: string): Promise<void> {
  await owner.goto(`/dashboard/organizations/${europe.id}/applications/access`);
  await owner.getByRole('cell', { name: email, exact: true }).waitFor();
  await expectAccessible(owner);
}

async function disconnect(): Promise<void> {
  await page.goto('/account/applications');
  await button('Disconnect Billing from Acme Europe').click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('No connected applications').waitFor();
}
