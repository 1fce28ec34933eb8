import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ApiKeyOwnerCheckService } from '#identity/auth';
import { FlaggedWebhooks } from '#webhooks/webhooks';
import { momentOf } from '../support/history.js';
import type { TestBody } from '../support/http-client.js';
import { identityProvider } from '../support/oidc.js';
import { made, newOrganization, read } from '../support/organizations.js';
import { newTeam, requestBreakGlassAccess } from '../support/pages.js';
import { connectScim } from '../support/scim.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { enterSession, expectAccessible, openPage, picture, testSite } from '../support/web.js';

const DAY_MS = 24 * 3_600_000;

const app = testSite();

describe('the API keys page', () => {
  let page: Page;
  let org: TestBody;
  let owner: SignedIn;
  const keysOf = (): string => `/v1/organizations/${org.id}/api-keys`;
  const pageAt = (rest: string): string => `/dashboard/organizations/${org.id}${rest}`;

  beforeAll(async () => {
    org = await newOrganization(app);
    owner = await signedIn(app, org.id, { roles: ['owner'] });
    page = await openPage(app, owner);
  });

  it('lists a key with scopes, unused scopes, expiration and creator', async () => {
    const expiresAt = new Date(Date.now() + 90 * DAY_MS).toISOString();
    const { body } = await owner.client.post(keysOf(), { name: 'Billing sync', scopes: ['users:*'], expiresAt }).expect(201);
    await app.api.as(body.data.key).get(`/v1/organizations/${org.id}/users`).expect(200);
    await page.goto(pageAt('/api-keys'));
    const row = page.getByRole('row', { name: /Billing sync/ });
    for (const text of ['users:*', 'in 3 months', owner.email, 'Not used yet: users:write, users:delete'])
      await row.getByText(text).waitFor();
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

  it('flags and disables a key whose owner is suspended', async () => {
    const colleague = await signedIn(app, org.id, { roles: ['admin'] });
    await colleague.client.post(keysOf(), { name: 'Of a colleague', scopes: ['users:read'] }).expect(201);
    await app.api.platform.post(`/v1/organizations/${org.id}/users/${colleague.id}/suspend`, { reason: 'x' }).expect(200);
    await app.app.get(ApiKeyOwnerCheckService).run();
    const row = page.getByRole('row', { name: /Of a colleague/ });
    await page.goto(pageAt('/api-keys'));
    await row.getByText('Flagged').waitFor();
    await expectAccessible(page);

    await app.api.platform.patch(`/v1/organizations/${org.id}`, { settings: { disableFlaggedApiKeys: true } }).expect(200);
    await app.app.get(ApiKeyOwnerCheckService).run();
    await page.reload();
    await row.getByText('Disabled').waitFor();
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
    await page.getByRole('button', { name: 'Deny', exact: true }).press('Enter');
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

describe('a flagged webhook', () => {
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

describe('the identity providers page', () => {
  let page: Page;
  let org: TestBody;
  const pageAt = (rest: string): string => `/dashboard/organizations/${org.id}/identity-providers${rest}`;
  const providers = (): Promise<TestBody[]> => read(app, `/v1/organizations/${org.id}/identity-providers`);

  beforeAll(async () => {
    org = await newOrganization(app);
    page = await openPage(app, await signedIn(app, org.id, { roles: ['owner'] }));
  });

  it('keeps the secret if the secret field is empty', async () => {
    const { id } = await identityProvider(app, org.id, 'https://login.northwind.example', {
      trustedDomains: ['northwind.example'],
    });
    await page.goto(pageAt(`/${id}`));
    await page.getByRole('switch', { name: 'Enabled' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enable the provider first').waitFor();
    expect((await providers())[0]).toMatchObject({ enabled: false, hasClientSecret: true });
    await page.goto(pageAt(''));
    await page.getByRole('row', { name: /Company login.*Disabled.*northwind\.example/ }).waitFor();
    await expectAccessible(page);
  });

  it('removes a provider after the user types the name', async () => {
    await page.getByRole('link', { name: 'Company login' }).click();
    await page.getByRole('button', { name: 'Remove provider', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Users can no longer sign in with this provider').waitFor();
    await dialog.getByRole('textbox').fill('Company login');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Remove provider' }).click();
    await page.getByText('No identity providers yet').waitFor();
    expect(await providers()).toEqual([]);
  });

  it('adds GitHub with the redirect URI of the server', async () => {
    await page.goto(pageAt('/new'));
    await page.getByText('GitHub', { exact: true }).click();
    await page.getByRole('heading', { name: 'Steps at GitHub' }).waitFor();
    const redirectUri = `${app.config.baseUrl}/v1/auth/oidc/callback/`;
    await page.getByText(`${redirectUri}github.com`, { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Server address').fill('https://github.northwind.example');
    await page.getByText(`${redirectUri}github.northwind.example`, { exact: true }).waitFor();
    await page.getByLabel('Client ID').fill('Ov23li');
    await page.locator('input[type=password]').fill('secret');
    await page.getByRole('button', { name: 'Add identity provider' }).click();
    await page.getByRole('heading', { level: 1, name: 'GitHub' }).waitFor();
    await page.getByText('Enter exactly this URI as the authorization callback URL').waitFor();
    expect(await providers()).toMatchObject([
      { type: 'github', issuer: 'https://github.northwind.example', hasClientSecret: true },
    ]);
  });

  it('allows trusted domains only if the user has all permissions', async () => {
    await enterSession(page, app, await signedIn(app, org.id, { roles: ['admin'] }));
    await page.goto(pageAt('/new'));
    await page.getByText('Only users with all permissions in this organization (owners) can add domains.').waitFor();
    expect(await page.getByPlaceholder('example.com, then press Enter').isDisabled()).toBe(true);
  });
});

describe('the pages as of a past moment', () => {
  let page: Page;
  let owner: SignedIn;
  let parent: TestBody;
  let organization: TestBody;
  let ada: TestBody;
  let guest: TestBody;
  /** A moment before the changes. */
  let past: string;

  const at = (path: string): string => `/v1/organizations/${organization.id}${path}`;
  const open = (path: string, query: Record<string, string>) =>
    page.goto(`/dashboard/organizations/${organization.id}${path}?${new URLSearchParams(query)}`);
  const differences = () => page.getByRole('table', { name: 'Changes since this moment' });

  beforeAll(async () => {
    ({ parent, organization, ada } = await newTeam(app));
    await app.api.platform.patch(`/v1/organizations/${parent.id}`, { settings: { sessionTimeout: 7_200 } }).expect(200);
    const partner = await newOrganization(app, { name: 'Partner' });
    guest = await made(app, `/v1/organizations/${partner.id}/users`, { email: 'guest@partner.example', displayName: 'Guest' });
    await made(app, at('/members'), { userId: guest.id, role: 'viewer' });
    const role = await made(app, at('/roles'), { name: 'support', permissions: ['users:read'] });
    await made(app, at(`/users/${ada.id}/roles`), { roleId: role.id });
    owner = await signedIn(app, organization.id, { roles: ['owner'] });
    page = await openPage(app, owner);
    past = await momentOf(app.database);
    await app.api.platform.post(at(`/users/${ada.id}/suspend`), { reason: 'On leave' }).expect(200);
    await app.api.platform.patch(at(`/roles/${role.id}`), { permissions: ['users:write'] }).expect(200);
    await app.api.platform.delete(at(`/members/${guest.id}`)).expect(204);
    const settings = {
      settings: { disableFlaggedApiKeys: true },
      lockedSettings: ['disableFlaggedApiKeys'],
      branding: { primaryColor: '#2b8a3e' },
    };
    await app.api.platform.patch(at(''), settings).expect(200);
  });

  it('show the status and the permissions of roles then and now', async () => {
    await open(`/users/${ada.id}`, { asOf: past, compare: 'true' });
    await differences().getByRole('row', { name: 'Status Active Suspended' }).waitFor();
    await differences().getByRole('row', { name: 'Reason for suspension none On leave' }).waitFor();
    await differences().getByRole('row', { name: 'Permissions of the role support users:read users:write' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Sessions' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Security' }).click();
    await page.getByText('No MFA factors').waitFor();
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByRole('button', { name: 'User created' }).waitFor();
    expect(await page.getByRole('button', { name: 'User suspended' }).count()).toBe(0);
  });

  it('show a user who has left the organization', async () => {
    await open(`/users/${guest.id}`, { asOf: past, compare: 'true' });
    await page.getByRole('heading', { level: 1, name: 'Guest' }).waitFor();
    await page.getByText('The user or the organization does not exist now, or you don’t have access.').waitFor();
    await open('/permissions', { asOf: past, compare: 'true', user: guest.id, permission: 'users:read' });
    await page.getByRole('heading', { name: 'Yes, Guest has users:read' }).waitFor();
    await page.getByText('The user or the organization does not exist now, or you don’t have access.').first().waitFor();
    await expectAccessible(page);
  });

  it('show the settings, locks and branding then and now', async () => {
    await open('/settings', { asOf: past, compare: 'true', tab: 'branding' });
    await differences().getByRole('row', { name: 'Disable flagged API keys Off Default On Set here' }).waitFor();
    await differences()
      .getByRole('row', { name: /^Lock “Disable flagged API keys” .* Child organizations can override Locked for / })
      .waitFor();
    await differences().getByRole('row', { name: 'Primary color none #2b8a3e' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Policies' }).click();
    // The settings of the parent organization are as of the same moment.
    const link = await page.getByText('Inherited from').getByRole('link', { name: 'Northwind' }).getAttribute('href');
    const target = new URL(link!, page.url());
    expect(target.pathname).toBe(`/dashboard/organizations/${parent.id}/settings`);
    expect(target.searchParams.get('asOf')).toBe(past);
  });
});

describe('a user who can only read', () => {
  /** Paths with the names of resources in braces, texts or buttons of the page, and what the page hides. */
  const PAGES: [string, string[], RegExp, string?][] = [
    ['', ['Northwind Europe'], /^(Edit|More actions)$/],
    ['/users', ['ada@northwind.example'], /^(Add user|Import users)$/],
    ['/users/{ada}', ['You can view this profile but not change it.'], /^(Save|Suspend user|Resend invitation)$/],
    ['/users/{ada}?tab=roles', ['Membership role'], /^(Add|Remove) role/],
    ['/users/{managed}', ['Managed by the SCIM connection'], /^Save$/],
    ['/members', ['Ada Lovelace'], /Add member|Remove|Change role/],
    ['/members', ['Ada Lovelace'], /^Download access report$/, 'member'],
    ['/settings', ['You can view these settings but not change them.'], /^Override:|Save/, 'member'],
    [
      '/api-keys',
      ['Billing', 'Create API key. You can view API keys, but creating them requires the permission api_keys:write.'],
      /^Actions for/,
    ],
    ['/webhooks/{webhook}', ['Invoices'], /Send|Replay/],
    ['/webhooks/{webhook}/settings', ['You can view the webhooks of this organization but not change them.'], /Save|Delete/],
    [
      '/scim/{scim}',
      ['creating and changing them requires all permissions'],
      /^(Save|Create token|Start a preview|Delete connection)$/,
    ],
    ['/move?parent={parent}', ['Moving this organization requires the permission organizations:write.'], /^Move organization$/],
  ];
  let page: Page;
  let organization: TestBody;
  const ids: Record<string, string> = {};
  const sessions: Record<string, SignedIn> = {};

  beforeAll(async () => {
    const team = await newTeam(app);
    organization = team.organization;
    const at = `/v1/organizations/${organization.id}`;
    await made(app, `${at}/api-keys`, { name: 'Billing', scopes: ['users:read'] });
    const webhook = await made(app, `${at}/webhooks`, { name: 'Invoices', url: 'https://example.com/hooks', events: ['user.*'] });
    const scim = await connectScim(app, organization.id);
    const managed = (await scim.post('/Users', { userName: 'bob@northwind.example' }).expect(201)).body;
    Object.assign(ids, {
      ada: team.ada.id,
      parent: team.parent.id,
      webhook: webhook.id,
      scim: scim.connectionId,
      managed: managed.id,
    });
    for (const role of ['viewer', 'member']) sessions[role] = await signedIn(app, organization.id, { roles: [role] });
    page = await openPage(app);
  });

  it.each(PAGES)('sees no actions at %s', async (path, shown, hidden, role = 'viewer') => {
    await enterSession(page, app, sessions[role]!);
    await page.goto(`/dashboard/organizations/${organization.id}${path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name]!)}`);
    for (const name of shown) await page.getByText(name).or(page.getByRole('button', { name })).first().waitFor();
    expect(
      await page
        .getByRole('button', { name: hidden })
        .or(page.getByRole('link', { name: hidden }))
        .count(),
    ).toBe(0);
    await expectAccessible(page);
  });
});
