import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { made } from '../support/organizations.js';
import { newTeam } from '../support/pages.js';
import { signedIn } from '../support/signed-in.js';
import { closeWindows, enterSession, expectAccessible, openWindow, startSite, type Window } from '../support/web.js';

describe('the roles page', () => {
  let app: TestApp;
  let owner: Window;
  let admin: Window;
  let page: Page;
  let team: TestBody;
  let ada: TestBody;
  const at = (rest = ''): string => `/v1/organizations/${team.id}${rest}`;
  const pageAt = (rest: string): string => `/dashboard/organizations/${team.id}${rest}`;

  const enter = async (token: string): Promise<Window> => {
    const window = await openWindow(app.config.baseUrl);
    await enterSession(window, app, token);
    return window;
  };
  beforeAll(async () => {
    app = await startSite();
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
    owner = await enter((await signedIn(app, parent.id, { roles: ['owner'] })).token);
    admin = await enter((await signedIn(app, team.id, { roles: ['admin'] })).token);
    page = owner.page;
  });
  afterAll(async () => {
    await closeWindows();
    await app.close();
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

  it('is accessible in light and dark mode', async () => {
    await page.goto(pageAt('/roles/new'));
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('sales');
    await page.getByRole('checkbox', { name: 'Sessions: all' }).press('Space');
    const own = page.getByPlaceholder('invoices:read, then press Enter');
    await own.fill('tickets:*');
    await own.press('Enter');
    await expectAccessible(page);
    await page.goto(pageAt('/roles'));
    await page.getByRole('link', { name: 'support', exact: true }).click();
    await page.getByRole('link', { name: 'View users' }).waitFor();
    await expectAccessible(page);
    await page.goto(pageAt(`/permissions?user=${ada.id}&permission=tickets:close`));
    await page.getByRole('heading', { name: 'Yes, Ada Lovelace has tickets:close' }).waitFor();
    await page.getByRole('row', { name: /sessions:write.*Yes.*support in Northwind Europe/ }).waitFor();
    await expectAccessible(page);
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

  it('shows that a suspended user has no permissions', async () => {
    await app.api.platform.post(at(`/users/${ada.id}/suspend`), { reason: 'Away' }).expect(200);
    await page.goto(pageAt(`/permissions?user=${ada.id}&permission=users:read`));
    await page.getByText('A suspended user has no permissions, regardless of roles.').waitFor();
    await app.api.platform.post(at(`/users/${ada.id}/activate`)).expect(200);
  });

  it('disables permissions that the user can’t grant', async () => {
    const { page } = admin;
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

  it('logs no errors', () => {
    expect([...owner.faults, ...admin.faults]).toEqual([]);
  });
});
