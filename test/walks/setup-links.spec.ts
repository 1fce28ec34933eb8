import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { type DnsServer, startDnsServer } from '../support/dns-server.js';
import type { TestBody } from '../support/http-client.js';
import { type IdentityProviderServer, startIdentityProvider } from '../support/identity-provider.js';
import { newOrganization } from '../support/organizations.js';
import { openArea } from '../support/pages.js';
import { CLIENT_ID, CLIENT_SECRET } from '../support/scripted-identity-provider.js';
import { signedIn } from '../support/signed-in.js';
import {
  closeWindows,
  expectAccessible,
  expectAccessibleOnce,
  openWindow,
  openWindowOf,
  picture,
  startSite,
  type Window,
} from '../support/web.js';

const JOURNEY_TIMEOUT_MS = 120_000;
const SUPPORT_EMAIL = 'jane@northwind.example';

describe('the pages of domains and setup links', () => {
  let app: TestApp;
  let dns: DnsServer;
  let provider: IdentityProviderServer;
  let organization: TestBody;
  let owner: Window;
  let customer: Window;

  const at = (path: string): string => `/v1/organizations/${organization.id}${path}`;
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  beforeAll(async () => {
    dns = await startDnsServer();
    app = await startSite({ dnsServers: [dns.address] });
    provider = await startIdentityProvider(`${app.config.baseUrl}/v1/auth/oidc/callback`, {});
    organization = await newOrganization(app, { name: 'Northwind' });
    owner = await openWindowOf(app, (await signedIn(app, organization.id, { roles: ['owner'] })).token);
    customer = await openWindow(app.config.baseUrl);
  });
  afterAll(() => expect([owner.faults, customer.faults]).toEqual([[], []]));
  afterAll(async () => {
    await closeWindows();
    await provider?.stop();
    await app?.close();
    await dns?.close();
  });

  it(
    'let a person without an account verify a domain, connect a provider and add a webhook',
    async () => {
      const url = await createLink(owner.page);
      await openLink(customer.page, url);
      await verifyDomain(customer.page);
      await connectProvider(customer.page);
      await addWebhook(customer.page);
      await seeDomain(owner.page);
      await revokeLink(owner.page);
      await useRevokedLink(customer.page);
      await signInByDomain();
    },
    JOURNEY_TIMEOUT_MS,
  );

  it('shows that a link is incomplete', async () => {
    const { page, context } = await openWindow(app.config.baseUrl);
    await page.goto('/setup');
    await page.getByText('This page needs the complete link').waitFor();
    await expectAccessibleOnce(page);
    await context.close();
  });

  async function createLink(page: Page): Promise<string> {
    await page.goto(`/dashboard/organizations/${organization.id}`);
    await openArea(page, 'Setup links');
    await page.getByText('No setup links yet').waitFor();
    await expectAccessibleOnce(page);
    await page.getByRole('button', { name: 'Create setup link' }).first().press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Single sign-on').check();
    await dialog.getByLabel('Webhook').check();
    await expectAccessibleOnce(page);
    await dialog.getByRole('button', { name: 'Create setup link' }).press('Enter');
    await heading(page, 'Setup link created').waitFor();
    await expectAccessibleOnce(page);
    const url = await page.getByRole('dialog').getByText(`${app.config.baseUrl}/setup#token=setup.`).innerText();
    await page.getByRole('button', { name: 'I have copied the link' }).click();
    await page.getByRole('cell', { name: 'Domain, Single sign-on, Webhook' }).waitFor();
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
    await expectAccessible(page);
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
    await step.getByText(`${app.config.baseUrl}/v1/auth/oidc/callback`).waitFor();
    await step.getByLabel('Issuer').fill(provider.issuer);
    await step.getByLabel('Client ID').fill(CLIENT_ID);
    await step.locator('input[type=password]').fill(CLIENT_SECRET);
    await step.getByLabel('Trust this provider for northwind.example').waitFor();
    await expectAccessible(page);
    await step.getByRole('button', { name: 'Connect', exact: true }).click();
    const card = region(page, 'Keycloak');
    await card.getByText('Trusted for northwind.example').waitFor();
    await card.getByRole('button', { name: 'Check connection' }).click();
    await card.getByText('The provider is reachable and its discovery document is valid').waitFor();
    await card.getByRole('link', { name: 'Test sign-in' }).waitFor();
  }

  async function addWebhook(page: Page): Promise<void> {
    const step = region(page, '3. Add a webhook');
    await step.getByRole('textbox', { name: 'URL' }).fill('ftp://example.com');
    await step.getByRole('button', { name: 'Add webhook' }).click();
    await step.getByText('Deliveries require https. Use an https URL.').waitFor();
    await step.getByRole('textbox', { name: 'URL' }).fill('https://hooks.northwind.example/identity');
    await step.getByRole('button', { name: 'Add webhook' }).click();
    await step.getByText('Save the signing secret now').waitFor();
    await region(page, 'https://hooks.northwind.example/identity').waitFor();
    await expectAccessible(page);
    const { data } = (await app.api.platform.get(at('/webhooks')).expect(200)).body;
    expect(data).toMatchObject([{ url: 'https://hooks.northwind.example/identity', events: ['user.*'] }]);
  }

  async function seeDomain(page: Page): Promise<void> {
    await openArea(page, 'Domains');
    await region(page, 'northwind.example').getByText('Verified', { exact: true }).first().waitFor();
    await expectAccessible(page);
    await openArea(page, 'Event log');
    await page.getByText('Setup link opened').waitFor();
  }

  async function revokeLink(page: Page): Promise<void> {
    await openArea(page, 'Setup links');
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No setup links yet').waitFor();
  }

  async function useRevokedLink(page: Page): Promise<void> {
    await page.reload();
    await page.getByText('This link doesn’t work').waitFor();
    await expectAccessible(page);
  }

  /** Finds the organization and its provider by the domain of an address. */
  async function signInByDomain(): Promise<void> {
    const { page } = await openWindow(app.config.baseUrl);
    await page.goto('/account/sign-in');
    await page.getByLabel('Organization or work email').fill('jane@unknown.example');
    await page.keyboard.press('Enter');
    await page.getByText('No organization uses this email domain for sign-in.').waitFor();
    await expectAccessibleOnce(page);
    await page.getByLabel('Organization or work email').fill(SUPPORT_EMAIL);
    await page.keyboard.press('Enter');
    await page.getByText('Northwind').first().waitFor();
    await page.getByText('Keycloak').waitFor();
  }
});
