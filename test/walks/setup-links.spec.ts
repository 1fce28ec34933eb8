// Processor time: Chromium loads and renders each page of the area, and axe checks it.
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startDnsServer } from '../support/dns-server.js';
import type { TestBody } from '../support/http-client.js';
import { redirectUriOf } from '../../libs/identity/federation/src/provider/redirect-uris.js';
import { startIdentityProvider } from '../support/identity-provider.js';
import { ownDomains } from '../support/oidc.js';
import { newOrganization, read } from '../support/organizations.js';
import { openArea } from '../support/pages.js';
import { ScimClient } from '../support/scim.js';
import { CLIENT_ID, CLIENT_SECRET } from '../support/scripted-identity-provider.js';
import { signedIn } from '../support/signed-in.js';
import { testServer } from '../support/test-server.js';
import { enterSession, expectAccessible, expectStateAccessible, picture, testPage, testSite } from '../support/web.js';

const SUPPORT_EMAIL = 'jane@northwind.example';

const dns = testServer(startDnsServer);
const app = testSite(() => ({ dnsServers: [dns.address] }));

const provider = testServer(() => startIdentityProvider(app.config.baseUrl, {}));
const page = testPage(app);

describe('the pages of domains and setup links', () => {
  let organization: TestBody;
  const customer = testPage(app);

  const at = (path: string): string => `/v1/organizations/${organization.id}${path}`;
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  beforeAll(async () => {
    organization = await newOrganization(app, { name: 'Northwind', branding: { primaryColor: '#0f766e' } });
  });

  it('let a person without an account verify a domain, connect a provider and a directory, and add a webhook', async () => {
    await enterSession(page, app, await signedIn(app, organization.id, { roles: ['owner'] }));
    const url = await createLink();
    await openLink(customer, url);
    await verifyDomain(customer);
    await connectProvider(customer);
    await connectDirectory(customer);
    await addWebhook(customer);
    await customer.getByRole('button', { name: 'Finish' }).click();
    await heading(customer, 'Northwind is set up').waitFor();
    expect(await customer.getByText('Done', { exact: true }).filter({ visible: true }).count()).toBe(4);
    await expectStateAccessible(customer);
    await customer.getByRole('button', { name: 'Back to the steps' }).click();

    await openArea(page, 'Domains');
    await region(page, 'northwind.example').getByText('Verified', { exact: true }).first().waitFor();
    await expectAccessible(page);
    await openArea(page, 'SCIM connections');
    await page.getByRole('row', { name: /Keycloak of Northwind.*Active/ }).waitFor();
    await openArea(page, 'People');
    await page.getByText('ann@northwind.example').waitFor();
    await openArea(page, 'Event log');
    await page.getByRole('button', { name: 'Setup link opened' }).waitFor();

    await openArea(page, 'Setup links');
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No setup links yet').waitFor();
    await useRevokedLink(customer);
    await signInByDomain(customer);
  });

  async function createLink(): Promise<string> {
    await page.goto(`/dashboard/organizations/${organization.id}/setup-links`);
    await page.getByText('No setup links yet').waitFor();
    await expectStateAccessible(page);
    await page.getByRole('button', { name: 'Create setup link' }).first().press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Single sign-on').check();
    await dialog.getByLabel('SCIM connection').check();
    await dialog.getByLabel('Webhook').check();
    await expectStateAccessible(page);
    await dialog.getByRole('button', { name: 'Create setup link' }).press('Enter');
    await heading(page, 'Setup link created').waitFor();
    await expectAccessible(page);
    const url = await page.getByRole('dialog').getByText(`${app.config.baseUrl}/setup#token=setup.`).innerText();
    await page.getByRole('button', { name: 'I have copied the link' }).click();
    await page.getByRole('cell', { name: 'Domain, Single sign-on, SCIM connection, Webhook' }).waitFor();
    return url;
  }

  /** Opens the link. The token leaves the address bar and survives a reload. */
  async function openLink(page: Page, url: string): Promise<void> {
    await page.goto(url);
    await heading(page, 'Set up Northwind').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await page.reload();
    await heading(page, 'Set up Northwind').waitFor();
    await page.getByText('No domains yet.').waitFor();
    await expectStateAccessible(page);
  }

  async function verifyDomain(page: Page): Promise<void> {
    const step = region(page, '1. Verify your domain');
    await step.getByRole('textbox', { name: 'Domain' }).fill('not a domain');
    await step.getByRole('button', { name: 'Add domain' }).click();
    await step.getByRole('alert').waitFor();
    await step.getByRole('textbox', { name: 'Domain' }).fill('northwind.example');
    await page.keyboard.press('Enter');
    const card = region(page, 'northwind.example');
    await card.getByRole('button', { name: 'Verify northwind.example' }).click();
    await card.getByText('The last check did not find the record.').waitFor();
    await picture(page, 'setup-link');
    const { data } = (await app.api.platform.get(at('/domains')).expect(200)).body;
    await card.getByText(data[0].record.value).waitFor();
    dns.set(data[0].record.name, [data[0].record.value]);
    await card.getByRole('button', { name: 'Verify northwind.example' }).click();
    await card.getByText('The domain belongs to this organization.').waitFor();
  }

  async function connectProvider(page: Page): Promise<void> {
    const step = region(page, '2. Connect your identity provider');
    await heading(page, 'Steps at Okta').waitFor();
    await step.getByText('Keycloak', { exact: true }).click();
    await heading(page, 'Steps at Keycloak').waitFor();
    await step.getByText('Enter the issuer first.').waitFor();
    await step.getByLabel('Issuer').fill(provider.issuer);
    await step.getByText(redirectUriOf(app.config.baseUrl, provider.issuer)).waitFor();
    await step.getByLabel('Client ID').fill(CLIENT_ID);
    await step.locator('input[type=password]').fill(CLIENT_SECRET);
    await step.getByLabel('Trust this provider for northwind.example').waitFor();
    await expectStateAccessible(page);
    await step.getByRole('button', { name: 'Connect', exact: true }).click();
    const card = region(page, 'Keycloak');
    await card.getByText('Trusted for northwind.example').waitFor();
    await card.getByRole('button', { name: 'Check connection' }).click();
    await card.getByText('The provider is reachable and its discovery document is valid').waitFor();
    await card.getByRole('link', { name: 'Test sign-in' }).waitFor();
  }

  /** Connects a directory with the copied URL and token. */
  async function connectDirectory(page: Page): Promise<void> {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (label: string): Promise<string> => {
      const copy = page.getByRole('button', { name: `Copy: ${label}` });
      await copy.press('Enter');
      await copy.blur();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    const step = region(page, '3. Connect your directory');
    await step.getByLabel('Name').fill('Keycloak of Northwind');
    await page.keyboard.press('Enter');
    const token = await copied('Token');
    await page.getByRole('button', { name: 'I’ve copied the token' }).click();
    const card = region(page, 'Keycloak of Northwind');
    await card.getByText('Keycloak', { exact: true }).click();
    await card.getByRole('heading', { name: 'Steps at Keycloak' }).waitFor();
    const connectionId = (await copied('Base URL')).replace(`${app.config.baseUrl}/scim/v2/`, '');
    await card.getByRole('cell', { name: 'never' }).first().waitFor();
    await new ScimClient(app, connectionId, token).post('/Users', { userName: 'ann@northwind.example' }).expect(201);
    await card.getByRole('cell', { name: /second|now/ }).waitFor();
    await picture(page, 'setup-link-scim');
  }

  async function addWebhook(page: Page): Promise<void> {
    const step = region(page, '4. Add a webhook');
    await step.getByRole('textbox', { name: 'URL' }).fill('ftp://example.com');
    await step.getByRole('button', { name: 'Add webhook' }).click();
    await step.getByText('Deliveries require https. Use an https URL.').waitFor();
    await step.getByRole('textbox', { name: 'URL' }).fill('https://hooks.northwind.example/identity');
    await step.getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'Splunk' }).click();
    await step.getByLabel('Header name').fill('authorization');
    await step.getByLabel('Header value').fill('Splunk of-the-customer');
    await step.getByRole('button', { name: 'Add webhook' }).click();
    await step.getByText('Save the signing secret now').waitFor();
    await region(page, 'https://hooks.northwind.example/identity').waitFor();
    await expectAccessible(page);
    expect(await read(app, at('/webhooks'))).toMatchObject([
      {
        url: 'https://hooks.northwind.example/identity',
        events: ['user.*'],
        format: 'splunk_hec',
        headers: { authorization: '********' },
      },
    ]);
  }

  async function useRevokedLink(page: Page): Promise<void> {
    await page.reload();
    await page.getByText('This link doesn’t work').waitFor();
    await expectStateAccessible(page);
  }

  /** Finds the organization and its provider by the domain of an address. */
  async function signInByDomain(page: Page): Promise<void> {
    await page.goto('/account/sign-in');
    await page.getByLabel('Email address').fill('jane@unknown.example');
    await page.keyboard.press('Enter');
    await page.getByText('No organization uses the domain unknown.example for sign-in.').waitFor();
    await expectStateAccessible(page);
    await page.getByRole('button', { name: 'Use another address' }).click();
    await page.getByLabel('Email address').fill(SUPPORT_EMAIL);
    await page.keyboard.press('Enter');
    await page.getByText('Northwind').first().waitFor();
    await page.getByText('Keycloak').waitFor();
  }
});

describe('the identity providers page', () => {
  let organization: TestBody;
  beforeEach(async () => {
    organization = await newOrganization(app, { name: 'Fabrikam' });
    await enterSession(page, app, await signedIn(app, organization.id, { roles: ['owner'] }));
  });

  it('lets an owner add and test an identity provider', async () => {
    // Adds a provider by keyboard. The page shows the redirect URI for the provider.
    await page.goto(`/dashboard/organizations/${organization.id}/identity-providers`);
    await page.getByText('No identity providers yet').waitFor();
    await page.getByRole('link', { name: 'Add identity provider' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Company login');
    await page.getByRole('textbox', { name: 'Issuer' }).fill('https://10.0.0.1');
    await page.getByText(redirectUriOf(app.config.baseUrl, 'https://10.0.0.1')).waitFor();
    await page.getByLabel('Client ID').fill(CLIENT_ID);
    await page.locator('input[type=password]').fill(CLIENT_SECRET);
    const domains = page.getByPlaceholder('example.com, then press Enter');
    await domains.fill('fabrikam.example');
    await domains.press('Enter');
    await page.getByRole('button', { name: 'Add identity provider' }).press('Enter');
    await page.getByText('The issuer has an address that the service is not allowed to connect to').waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Issuer' }).fill(`${provider.issuer}/`);
    await page.getByRole('button', { name: 'Add identity provider' }).press('Enter');
    await page.getByText('The domain "fabrikam.example" is not verified').waitFor();
    await ownDomains(app, organization.id, ['fabrikam.example']);
    await page.getByRole('button', { name: 'Add identity provider' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Company login' }).waitFor();
    expect(await read(app, `/v1/organizations/${organization.id}/identity-providers`)).toMatchObject([
      { hasClientSecret: true, trustedDomains: ['fabrikam.example'], enabled: true },
    ]);
    expect(await page.locator('input[type=password]').inputValue()).toBe('');

    // Checks the connection, corrects the issuer, and repeats the check.
    await page.getByRole('button', { name: 'Check connection' }).click();
    await page.getByText(`The provider reports the issuer "${provider.issuer}". Enter the issuer exactly like this.`).waitFor();
    await page.getByRole('textbox', { name: 'Issuer' }).fill(provider.issuer);
    await page.getByText('Save your changes first.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('“Company login” was saved').waitFor();
    await page.getByRole('button', { name: 'Check connection' }).click();
    await page.getByText('The provider is reachable and its discovery document is valid').waitFor();
    await expectAccessible(page);
    await picture(page, 'identity-provider');

    const href = (await page.getByRole('link', { name: 'Test sign-in' }).getAttribute('href')) ?? '';
    expect(href.startsWith(`${app.config.baseUrl}/v1/auth/oidc/start?`)).toBe(true);
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Test sign-in' }).click(),
    ]);
    await tab.waitForURL(`${provider.issuer}/**`);
    expect([new URL(tab.url()).origin, await tab.innerText('body')]).toEqual([
      provider.issuer,
      expect.stringContaining('Sign-in'),
    ]);
  });
});
