import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ApiKeyOwnerCheckService } from '#identity/auth';
import { FlaggedWebhooks } from '#webhooks/webhooks';
import type { TestBody } from '../support/http-client.js';
import { made, newOrganization } from '../support/organizations.js';
import { newTeam, requestBreakGlassAccess } from '../support/pages.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { enterSession, expectAccessible, openPage, picture, testSite } from '../support/web.js';

const DAY_MS = 24 * 3_600_000;

const app = testSite();

describe('the API keys page', () => {
  let page: Page;
  let org: TestBody;
  let administrator: SignedIn;
  const pageAt = (rest: string): string => `/dashboard/organizations/${org.id}${rest}`;
  const makeKey = (name: string): Promise<unknown> => {
    const expiresAt = new Date(Date.now() + 90 * DAY_MS).toISOString();
    const key = { name, scopes: ['users:read'], expiresAt };
    return administrator.client.post(`/v1/organizations/${org.id}/api-keys`, key).expect(201);
  };

  beforeAll(async () => {
    org = await newOrganization(app);
    administrator = await signedIn(app, org.id, { roles: ['admin'] });
    page = await openPage(app, administrator);
  });

  it('lists a key with scopes, expiration and creator', async () => {
    await makeKey('Billing sync');
    await page.goto(pageAt('/api-keys'));
    const row = page.getByRole('row', { name: /Billing sync/ });
    await row.getByText('users:read').waitFor();
    await row.getByText('in 3 months').waitFor();
    await row.getByText(/@example\.com/).waitFor();
    await expectAccessible(page);
    await picture(page, 'api-keys');
  });

  it('rejects an expiration date in the past', async () => {
    await page.goto(pageAt('/api-keys/new'));
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Too late');
    await page.getByLabel('Expiration').first().click();
    await page.getByRole('option', { name: 'Custom date' }).click();
    await page.getByLabel('Valid through').fill('2020-01-01');
    await page.getByRole('checkbox', { name: 'Users: Read' }).check();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByText('Select a date in the future.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Too late');
  });

  it('hides key actions if the user can only read keys', async () => {
    await makeKey('Read only');
    await enterSession(page, app, await signedIn(app, org.id, { roles: ['viewer'] }));
    await page.goto(pageAt('/api-keys'));
    await page
      .getByRole('button', {
        name: 'Create API key. You can view API keys, but creating them requires the permission api_keys:write.',
      })
      .waitFor();
    await page.getByRole('row', { name: /Read only/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
  });
});

describe('the break-glass page', () => {
  it('shows the requester why a request was denied', async () => {
    const { id } = await newOrganization(app);
    const address = `/dashboard/organizations/${id}/break-glass`;
    const requesterPage = await openPage(app, await signedIn(app, id, { roles: ['admin'] }));
    await requesterPage.goto(address);
    await requestBreakGlassAccess(requesterPage, 'Just trying it out');
    await requesterPage.getByRole('row', { name: /Just trying it out.*to approve or deny/ }).waitFor();
    const page = await openPage(app, await signedIn(app, id, { roles: ['owner'] }));
    await page.goto(`${address}?status=pending`);
    await page.getByRole('button', { name: 'Deny' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason for denial').fill('That is no emergency');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('No requests with this status').waitFor();
    await requesterPage.goto(`${address}?status=denied`);
    await requesterPage.getByText('That is no emergency').waitFor();
  });
});

describe('the roles page', () => {
  let page: Page;
  let team: TestBody;
  let ada: TestBody;
  const at = (rest = ''): string => `/v1/organizations/${team.id}${rest}`;
  const pageAt = (rest: string): string => `/dashboard/organizations/${team.id}${rest}`;

  beforeAll(async () => {
    const { parent, organization, ada: member } = await newTeam(app);
    [team, ada] = [organization, member];
    const billing = {
      name: 'billing',
      description: 'Sees and pays invoices (Łódź)',
      permissions: ['invoices:read', 'invoices:write'],
    };
    await made(app, `/v1/organizations/${parent.id}/roles`, billing);
    const permissions = ['sessions:*', 'tickets:*', 'users:read'];
    await made(app, at('/roles'), { name: 'support', description: 'Helps people on the phone', permissions });
    await made(app, at(`/users/${ada.id}/roles`), { roleId: 'support' });
    page = await openPage(app, await signedIn(app, parent.id, { roles: ['owner'] }));
  });

  it('lists built-in, custom and inherited roles', async () => {
    await page.goto(pageAt('/roles'));
    await page.getByText('Inherited from Northwind', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'owner', exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Search roles').fill('invoices');
    await page.waitForURL('**/roles?search=invoices');
    await page.getByRole('link', { name: 'owner', exact: true }).waitFor({ state: 'detached' });
    await page.getByLabel('Search roles').fill('LODZ');
    await page.getByRole('link', { name: 'billing', exact: true }).waitFor();
    await page.getByLabel('Search roles').fill('nothing of the kind');
    await page.getByText('No roles match').waitFor();
  });

  it('explains why a user does not have a permission', async () => {
    await page.goto(pageAt(`/permissions?user=${ada.id}`));
    await page.getByRole('button', { name: 'Explain users:delete' }).click();
    await page.getByRole('heading', { name: 'No, Ada Lovelace does not have users:delete' }).waitFor();
    const result = page.getByRole('status').filter({ hasText: 'users:delete' });
    await result.getByRole('link', { name: 'owner' }).waitFor();
    expect(await result.getByRole('link').allInnerTexts()).toEqual(
      expect.arrayContaining(['member', 'support', 'owner', 'admin']),
    );
    await expectAccessible(page);
  });

  it('disables permissions that the user can’t grant', async () => {
    const page = await openPage(app, await signedIn(app, team.id, { roles: ['admin'] }));
    await page.goto(pageAt('/roles'));
    await page.getByRole('link', { name: 'support', exact: true }).click();
    await page.getByRole('link', { name: 'Edit role' }).click();
    const locked = page.getByRole('checkbox', {
      name: /^Break-glass access: Approve\. You don’t have this permission in this organization/,
    });
    await locked.waitFor();
    expect(await locked.isDisabled()).toBe(true);

    await page.getByRole('checkbox', { name: 'Event log: Read' }).check();
    await expectAccessible(page);

    await app.api.platform.patch(at('/roles/support'), { description: 'Changed meanwhile' }).expect(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Someone else changed this role').waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('Changed meanwhile').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('billing clerk');
    await page.getByRole('checkbox', { name: 'Event log: Read' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'billing clerk' }).waitFor();

    await page.goto(pageAt('/roles/new'));
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('viewer');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByText(/viewer.*(taken|exists|built)/i).waitFor();
    await page.goto(pageAt('/roles/role_viewer'));
    await page.getByRole('button', { name: 'Edit role. Built-in roles can’t be changed.' }).waitFor();
  });

  it('requires a replacement before an assigned role is deleted', async () => {
    await page.goto(pageAt('/roles'));
    await page.getByRole('link', { name: 'billing clerk' }).click();
    await page.getByRole('button', { name: 'Delete role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 user in this organization has this role.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete role' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.locator('input:not([type=hidden])').click();
    await page.getByRole('option', { name: 'viewer' }).click();
    await dialog.getByRole('button', { name: 'Delete role' }).click();
    await page.getByText('The role “billing clerk” was deleted').waitFor();
    const { data } = (await app.api.platform.get(at(`/users/${ada.id}`)).expect(200)).body;
    expect(data.roles.map(({ name }: { name: string }) => name).toSorted()).toEqual(['member', 'viewer']);
  });
});

describe('a flagged API key or webhook', () => {
  it('shows that a key is flagged because the owner is suspended', async () => {
    const { id } = await newOrganization(app, { name: 'Northwind Asia' });
    const keysOf = `/v1/organizations/${id}/api-keys`;
    const page = await openPage(app, await signedIn(app, id, { roles: ['admin'] }));
    const colleague = await signedIn(app, id, { roles: ['admin'] });
    await colleague.client.post(keysOf, { name: 'Of a colleague', scopes: ['users:read'] }).expect(201);
    await app.api.platform.post(`/v1/organizations/${id}/users/${colleague.id}/suspend`, { reason: 'x' }).expect(200);
    await app.app.get(ApiKeyOwnerCheckService).run();
    const row = page.getByRole('row', { name: /Of a colleague/ });
    await page.goto(`/dashboard/organizations/${id}/api-keys`);
    await row.getByText('Flagged').waitFor();
    await expectAccessible(page);

    await app.api.platform.patch(`/v1/organizations/${id}`, { settings: { disableFlaggedApiKeys: true } }).expect(200);
    await app.app.get(ApiKeyOwnerCheckService).run();
    await page.reload();
    await row.getByText('Disabled').waitFor();
  });

  it('shows the unused scopes of a key', async () => {
    const { id } = await newOrganization(app, { name: 'Northwind Africa' });
    const keysOf = `/v1/organizations/${id}/api-keys`;
    const admin = await signedIn(app, id, { roles: ['owner'] });
    const page = await openPage(app, admin);
    const { key } = (await admin.client.post(keysOf, { name: 'Reader', scopes: ['users:*'] }).expect(201)).body.data;
    await app.api.as(key).get(`/v1/organizations/${id}/users`).expect(200);
    await page.goto(`/dashboard/organizations/${id}/api-keys`);
    await page.getByText('Not used yet: users:write, users:delete').waitFor();

    await page.goto(`/dashboard/organizations/${id}/settings`);
    await page.getByRole('button', { name: 'Override: Allowed networks' }).click();
    const networks = page.getByRole('combobox', { name: 'Allowed networks' });
    const preview = async (network: string): Promise<void> => {
      await networks.fill(network);
      await networks.press('Enter');
      await page.getByRole('button', { name: 'Preview and save' }).click();
    };
    await preview('198.51.100.0/24');
    await page.getByText('or you would lock yourself out').first().waitFor();
    await page.keyboard.press('Escape');
    await preview('127.0.0.0/8');
    await page.getByRole('button', { name: 'Save changes', exact: true }).click();
    await page.getByText('198.51.100.0/24, 127.0.0.0/8').waitFor();
  });

  it('lets an administrator enable a webhook if the owner is suspended', async () => {
    const { id } = await newOrganization(app, { name: 'Northwind America' });
    const page = await openPage(app, await signedIn(app, id, { roles: ['admin'] }));
    const colleague = await signedIn(app, id, { roles: ['admin'] });
    const webhook = { name: 'Of a colleague', url: 'https://example.com/hooks', events: ['user.*'] };
    await colleague.client.post(`/v1/organizations/${id}/webhooks`, webhook).expect(201);
    await app.api.platform.post(`/v1/organizations/${id}/users/${colleague.id}/suspend`, { reason: 'x' }).expect(200);
    await app.app.get(FlaggedWebhooks).run();
    await page.goto(`/dashboard/organizations/${id}/webhooks`);
    await page.getByText('Flagged').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Of a colleague' }).click();
    await page.getByText('The owner is suspended.').waitFor();
    await expectAccessible(page);

    await app.api.platform.patch(`/v1/organizations/${id}`, { settings: { disableFlaggedWebhooks: true } }).expect(200);
    await app.app.get(FlaggedWebhooks).run();
    await page.reload();
    await page.getByText('Disabled because the owner lost access').waitFor();
    await page.getByRole('button', { name: 'Enable webhook' }).click();
    await page.getByText('Webhook enabled').waitFor();
  });
});
