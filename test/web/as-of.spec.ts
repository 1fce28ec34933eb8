import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { momentOf } from '../support/history.js';
import type { TestBody } from '../support/http-client.js';
import { made, newOrganization } from '../support/organizations.js';
import { newTeam } from '../support/pages.js';
import { signedIn, type SignedIn } from '../support/signed-in.js';
import { expectAccessible, openPage, testSite } from '../support/web.js';

const app = testSite();

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
