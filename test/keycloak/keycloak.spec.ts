import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { redirectUriOf } from '../../libs/identity/federation/src/provider/redirect-uris.js';
import { Webhook } from 'standardwebhooks';
import { sharedBrowser } from '../support/chromium.js';
import type { TestBody } from '../support/http-client.js';
import { identityProvider } from '../support/oidc.js';
import { made, newOrganization } from '../support/organizations.js';
import { type Receiver, type ReceivedRequest, startReceiver } from '../support/receiver.js';
import { connectScim, type ScimClient, setActive } from '../support/scim.js';
import { openPage, testSite } from '../support/web.js';
import { ADMIN, KEYCLOAK_TIMEOUT_MS, KeycloakServer } from './keycloak-server.js';

const DELIVERIES_TIMEOUT_MS = 30_000;
const REALM = 'northwind';
const DOMAIN = 'northwind.example';
const JANE = {
  username: 'jane',
  email: `jane@${DOMAIN}`,
  emailVerified: false,
  firstName: 'Jane',
  lastName: 'Doe',
};
const ANOTHER_SECRET = `whsec_${Buffer.from('the secret of another webhook').toString('base64')}`;
const PASSWORD = 'a password at Keycloak';

/** The events of the whole way, in order, with the type of the actor. */
const EVENTS = [
  ['identity_provider.created', 'api'],
  ['scim_connection.created', 'api'],
  ['scim_token.created', 'api'],
  ['user.created', 'scim'],
  // The first sign-in links the identity and confirms the email address.
  ['user.updated', 'user'],
  ['user.login', 'user'],
  ['security.session_revoked', 'scim'],
  ['user.suspended', 'scim'],
  ['user.login_failed', 'api'],
];

describe('Keycloak as the identity provider of a customer', () => {
  const app = testSite();
  let keycloak: KeycloakServer;
  let receiver: Receiver;
  let organization: TestBody;
  let webhook: TestBody;

  beforeAll(async () => {
    [keycloak, receiver] = await Promise.all([KeycloakServer.start(), startReceiver()]);
    organization = await newOrganization(app, { name: 'Northwind' });
    webhook = await made(app, `/v1/organizations/${organization.id}/webhooks`, { url: receiver.url, events: ['*'] });
  }, KEYCLOAK_TIMEOUT_MS);
  afterAll(() => Promise.all([receiver?.stop(), keycloak?.stop()]));

  it(
    'signs in a user of SCIM, who loses the session when SCIM suspends the user',
    async () => {
      await keycloak.createRealm(REALM);
      const keycloakUserId = await keycloak.createUser(REALM, JANE, PASSWORD);
      await connectProvider();
      const scim = await connectScim(app, organization.id);
      const user = await provision(scim);
      const page = await openPage(app);
      await signInWithoutVerifiedEmail(page);
      await keycloak.verifyEmail(REALM, keycloakUserId, JANE);
      await signIn(page, user.id);
      await scim.patch(`/Users/${user.id}`, setActive(false)).expect(200);
      await seeEndOfSession(page);
      await signInWhileSuspended(page);
      await expectDeliveries();
    },
    KEYCLOAK_TIMEOUT_MS,
  );

  /** Connects Keycloak as the provider. Follows the steps of the setup page in the admin console of Keycloak. */
  async function connectProvider(): Promise<void> {
    const context = await (await sharedBrowser()).newContext();
    const page = await context.newPage();
    await page.goto(`${keycloak.url}/admin/master/console/#/${REALM}/clients`);
    await page.getByLabel('Username or email').fill(ADMIN.username);
    await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByRole('link', { name: 'Create client' }).click();
    await page.getByRole('textbox', { name: 'Client ID' }).fill('identity-service');
    await page.locator('form').getByText('OpenID Connect', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Client authentication', { exact: true }).first().waitFor();
    // The visible switch covers the checkbox.
    await page.getByTestId('authentication').check({ force: true });
    await page.getByRole('checkbox', { name: 'Standard flow' }).check();
    await page.getByRole('button', { name: 'Next' }).click();
    const redirectUri = redirectUriOf(app.config.baseUrl, keycloak.issuerOf(REALM));
    await page.getByRole('textbox', { name: 'Valid redirect URIs' }).fill(redirectUri);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('tab', { name: 'Credentials' }).click();
    const clientSecret = await page.getByRole('textbox', { name: 'Client Secret' }).inputValue();
    await context.close();
    const client = { name: 'Keycloak', clientId: 'identity-service', clientSecret, trustedDomains: [DOMAIN] };
    await identityProvider(app, organization.id, keycloak.issuerOf(REALM), client);
  }

  async function provision(scim: ScimClient): Promise<TestBody> {
    const name = { givenName: JANE.firstName, familyName: JANE.lastName };
    const emails = [{ value: JANE.email, type: 'work', primary: true }];
    return (await scim.post('/Users', { userName: JANE.email, name, emails, active: true }).expect(201)).body;
  }

  /** Finds the provider by the email address, and selects it. */
  async function openKeycloak(page: Page): Promise<void> {
    await page.goto('/account/sign-in');
    await page.getByLabel('Email address').fill(JANE.email);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Keycloak' }).click();
  }

  /** Keycloak reports the address of a new user as not verified. */
  async function signInWithoutVerifiedEmail(page: Page): Promise<void> {
    await openKeycloak(page);
    await page.waitForURL(`${keycloak.issuerOf(REALM)}/**`);
    await page.getByLabel('Username or email').fill(JANE.username);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByText('is not linked to an account in this organization').waitFor();
  }

  async function signIn(page: Page, userId: string): Promise<void> {
    await openKeycloak(page);
    await page.waitForURL(({ origin, pathname }) => origin === app.config.baseUrl && pathname !== '/account/sign-in');
    const me = await page.request.get('/v1/auth/me');
    expect(await me.json()).toMatchObject({ data: { id: userId } });
  }

  async function seeEndOfSession(page: Page): Promise<void> {
    expect((await page.request.get('/v1/auth/me')).status()).toBe(401);
    await page.reload();
    await page.waitForURL('**/account/sign-in**');
  }

  /** The session at Keycloak goes on, but the user can't sign in. */
  async function signInWhileSuspended(page: Page): Promise<void> {
    await openKeycloak(page);
    await page.getByRole('alert').waitFor();
  }

  /** Expects the events of the whole way at the webhook: each once, signed and in order. */
  async function expectDeliveries(): Promise<void> {
    await receiver.waitFor(EVENTS.length, DELIVERIES_TIMEOUT_MS);
    const requests = receiver.requests.toSorted((a, b) => sequenceOf(a) - sequenceOf(b));
    expect(requests.map(sequenceOf)).toEqual(EVENTS.map((_, index) => index + 1));
    const events = requests.map((request) => verified(request, webhook.secret));
    expect(events.map(({ type, actor }) => [type, actor.type])).toEqual(EVENTS);
    expect(() => verified(requests[0]!, ANOTHER_SECRET)).toThrow('No matching signature');
  }
});

/** Returns the event of a delivery. @throws Error if the signature is wrong */
const verified = ({ headers, body }: ReceivedRequest, secret: string): TestBody =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

const sequenceOf = ({ headers }: ReceivedRequest): number => Number(headers['webhook-sequence']);
