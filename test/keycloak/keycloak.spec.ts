import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import type { TestApp } from '../support/app.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import type { TestBody } from '../support/http-client.js';
import { made, newOrganization } from '../support/organizations.js';
import { type Receiver, type ReceivedRequest, startReceiver } from '../support/receiver.js';
import { ScimClient } from '../support/scim.js';
import { closeWindows, openWindow, startSite } from '../support/web.js';
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
  ['setup_link.created', 'api'],
  ['setup_link.opened', 'setup_link'],
  ['domain.created', 'setup_link'],
  ['domain.verified', 'setup_link'],
  ['identity_provider.created', 'setup_link'],
  ['scim_connection.created', 'setup_link'],
  ['scim_token.created', 'setup_link'],
  ['user.created', 'scim'],
  // The first sign-in links the identity and confirms the email address.
  ['user.updated', 'user'],
  ['user.login', 'user'],
  ['security.session_revoked', 'scim'],
  ['user.suspended', 'scim'],
  ['user.login_failed', 'api'],
];

describe('Keycloak as the identity provider of a customer', () => {
  let dns: DnsServer;
  let keycloak: KeycloakServer;
  let app: TestApp;
  let receiver: Receiver;
  let organization: TestBody;
  let webhook: TestBody;

  const at = (path: string): string => `/v1/organizations/${organization.id}${path}`;
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  beforeAll(async () => {
    [dns, keycloak, receiver] = await Promise.all([startDnsServer(), KeycloakServer.start(), startReceiver()]);
    app = await startSite({ dnsServers: [dns.address] });
    organization = await newOrganization(app, { name: 'Northwind' });
    webhook = await made(app, at('/webhooks'), { url: receiver.url, events: ['*'] });
  }, KEYCLOAK_TIMEOUT_MS);
  afterAll(async () => {
    await closeWindows();
    await app?.close();
    await Promise.all([receiver?.stop(), keycloak?.stop(), dns?.close()]);
  });

  it(
    'is connected with a setup link, signs in a user of SCIM, and loses the session when SCIM suspends the user',
    async () => {
      await keycloak.createRealm(REALM);
      const keycloakUserId = await keycloak.createUser(REALM, JANE, PASSWORD);
      const scim = await followSetupLink();
      const user = await provision(scim);
      const { page, faults } = await openWindow(app.config.baseUrl);
      await signInWithoutVerifiedEmail(page);
      await keycloak.verifyEmail(REALM, keycloakUserId, JANE);
      await signIn(page, user.id);
      await scim.patch(`/Users/${user.id}`, suspension()).expect(200);
      await seeEndOfSession(page);
      await signInWhileSuspended(page);
      expect(faults).toEqual([]);
      await expectDeliveries();
    },
    KEYCLOAK_TIMEOUT_MS,
  );

  /** Sets up domain, provider and directory on the page of a setup link, without an account. */
  async function followSetupLink(): Promise<ScimClient> {
    const link = await made(app, at('/setup-links'), { steps: ['domain', 'sso', 'scim'] });
    const { page, context, faults } = await openWindow(app.config.baseUrl);
    await page.goto(link.url);
    await heading(page, 'Set up Northwind').waitFor();
    await verifyDomain(page);
    await connectProvider(page);
    const scim = await connectDirectory(page);
    expect(faults).toEqual([]);
    await context.close();
    return scim;
  }

  async function verifyDomain(page: Page): Promise<void> {
    const step = region(page, '1. Verify your domain');
    await step.getByRole('textbox', { name: 'Domain' }).fill(DOMAIN);
    await page.keyboard.press('Enter');
    const card = region(page, DOMAIN);
    await card.waitFor();
    const [{ record }] = (await app.api.platform.get(at('/domains')).expect(200)).body.data;
    dns.set(record.name, [record.value]);
    await card.getByRole('button', { name: `Verify ${DOMAIN}` }).click();
    await card.getByText('The domain belongs to this organization.').waitFor();
  }

  async function connectProvider(page: Page): Promise<void> {
    const step = region(page, '2. Connect your identity provider');
    await step.getByText('Keycloak', { exact: true }).click();
    await heading(page, 'Steps at Keycloak').waitFor();
    await step.getByText('turn on Email verified for each user').waitFor();
    const redirectUri = await step.getByText('/v1/auth/oidc/callback').innerText();
    const client = await createClient(redirectUri);
    await step.getByLabel('Issuer').fill(keycloak.issuerOf(REALM));
    await step.getByLabel('Client ID').fill(client.id);
    await step.locator('input[type=password]').fill(client.secret);
    await step.getByRole('button', { name: 'Connect', exact: true }).click();
    const card = region(page, 'Keycloak');
    await card.getByText(`Trusted for ${DOMAIN}`).waitFor();
    await card.getByRole('button', { name: 'Check connection' }).click();
    await card.getByText('The provider is reachable and its discovery document is valid').waitFor();
  }

  async function connectDirectory(page: Page): Promise<ScimClient> {
    const step = region(page, '3. Connect your directory');
    await step.getByRole('textbox', { name: 'Name' }).fill('Directory of Keycloak');
    await step.getByRole('button', { name: 'Connect', exact: true }).click();
    const token = await page
      .getByRole('dialog')
      .getByText(/^scim\./)
      .innerText();
    await page.getByRole('button', { name: 'I’ve copied the token' }).click();
    const card = region(page, 'Directory of Keycloak');
    await card.getByText('Keycloak', { exact: true }).click();
    await card.getByRole('heading', { name: 'Steps at Keycloak' }).waitFor();
    const baseUrl = await card.getByText(`${app.config.baseUrl}/scim/v2/`).innerText();
    return new ScimClient(app, baseUrl.split('/').at(-1)!, token);
  }

  /** Follows the steps of the setup page in the admin console of Keycloak. */
  async function createClient(redirectUri: string): Promise<{ id: string; secret: string }> {
    const { page, context } = await openWindow(keycloak.url);
    await page.goto(`/admin/master/console/#/${REALM}/clients`);
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
    await page.getByRole('textbox', { name: 'Valid redirect URIs' }).fill(redirectUri);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('tab', { name: 'Credentials' }).click();
    const secret = await page.getByRole('textbox', { name: 'Client Secret' }).inputValue();
    await context.close();
    return { id: 'identity-service', secret };
  }

  async function provision(scim: ScimClient): Promise<TestBody> {
    const name = { givenName: JANE.firstName, familyName: JANE.lastName };
    const emails = [{ value: JANE.email, type: 'work', primary: true }];
    return (await scim.post('/Users', { userName: JANE.email, name, emails, active: true }).expect(201)).body;
  }

  /** Finds the provider by the email address, and selects it. */
  async function openKeycloak(page: Page): Promise<void> {
    await page.goto('/account/sign-in');
    await page.getByLabel('Organization or work email').fill(JANE.email);
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

const suspension = (): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'active', value: false }],
});
