// Processor time: Chromium loads and renders each page of the area, and axe checks it.
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { newOrganization, read } from '../support/organizations.js';
import { addAdaAndGrace, elementsOf, newTeam, roleOfMember } from '../support/pages.js';
import { openSession, signedIn } from '../support/signed-in.js';
import { enterSession, expectAccessible, expectStateAccessible, picture, testPage, testSite } from '../support/web.js';

const app = testSite();
const page = testPage(app);

let parentId: string;
let childId: string;

const { button, dialog, heading } = elementsOf(() => page);

beforeAll(async () => {
  parentId = (await newOrganization(app, { name: 'Acme', slug: 'acme' })).id;
  childId = (await newOrganization(app, { name: 'Acme Europe', slug: 'acme-europe', parentId })).id;
  await addAdaAndGrace(app, parentId);
});

describe('the users page', () => {
  let userId: string;

  const statusOf = async (id: string): Promise<string> => (await read(app, `/v1/organizations/${parentId}/users/${id}`)).status;
  async function clickMenuItem(name: string): Promise<void> {
    await button('More actions').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  }
  const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
  const waitForNotice = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();

  beforeEach(async () => enterSession(page, app, await signedIn(app, parentId, { roles: ['admin'] })));

  it('lets an administrator invite, suspend and delete a user', async () => {
    await inviteUser();

    await button('Resend invitation').click();
    await confirm('Resend invitation');
    await waitForNotice('Invitation sent');
    expect(await mailsTo(app, 'barbara@example.com')).toHaveLength(2);
    await suspendAndActivateUser();

    await clickMenuItem('Reset password');
    await confirm('Reset password');
    await waitForNotice('Password reset email sent');
    expect((await mailsTo(app, 'barbara@example.com')).map(({ template }) => template)).toContain('password_reset');

    await clickMenuItem('Delete user');
    await dialog().getByText('you can restore the user').waitFor();
    await confirm('Delete user');
    await page.getByText(/^This user is deleted/).waitFor();
    expect(await statusOf(userId)).toBe('deleted');
    await expectAccessible(page);

    await button('Restore user').click();
    await confirm('Restore user');
    await button('Suspend user').waitFor();
    expect(await statusOf(userId)).toBe('active');

    // Permanently deletes the user. The page requires the email address.
    await clickMenuItem('Permanently delete user');
    const purge = dialog().getByRole('button', { name: 'Permanently delete user', exact: true });
    expect(await purge.isDisabled()).toBe(true);
    await dialog().getByLabel(/^Type/).fill('barbara@example.com');
    await purge.click();
    await heading('People').waitFor();
    await app.api.platform.get(`/v1/organizations/${parentId}/users/${userId}`).expect(404);
    await page.goto(`/dashboard/organizations/${parentId}/users/${userId}`);
    await page.getByRole('alert').waitFor();
  });

  async function inviteUser(): Promise<void> {
    await page.goto(`/dashboard/organizations/${parentId}/users`);
    await heading('People').waitFor();
    await expectAccessible(page);
    await button('Add people').press('Enter');
    await page.getByRole('menuitem', { name: 'Add user' }).press('Enter');
    await dialog().waitFor();
    await page.keyboard.insertText('not an address');
    await page.keyboard.press('Enter');
    // The form ignores a second submission until the first has ended.
    await dialog().getByText('must be an email address').waitFor();
    await dialog().getByLabel('Email address').fill('barbara@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.insertText('Barbara');
    await page.keyboard.press('Tab');
    await page.keyboard.insertText('Liskov');
    await page.keyboard.press('Enter');

    await heading('Barbara Liskov').waitFor();
    userId = new URL(page.url()).pathname.split('/').at(-1)!;
    expect(await mailsTo(app, 'barbara@example.com')).toMatchObject([{ template: 'invitation' }]);
    expect(await statusOf(userId)).toBe('pending');
  }

  async function suspendAndActivateUser(): Promise<void> {
    const user = { id: userId, email: 'barbara@example.com', tenantId: parentId };
    const session = await openSession(app, user, { at: parentId });
    await clickMenuItem('Suspend user');
    await dialog().getByLabel('Reason').fill('Left the company');
    await dialog().getByLabel('End open sessions permanently').check();
    await confirm('Suspend user');
    await page.getByText('Reason: Left the company').waitFor();
    expect(await statusOf(userId)).toBe('suspended');

    await button('Activate user').click();
    await confirm('Activate user');
    await button('Suspend user').waitFor();
    expect(await statusOf(userId)).toBe('active');
    await session.client.get('/v1/auth/me').expect(401);
  }
});

describe('the people page', () => {
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const menuItem = (name: string) => page.getByRole('menuitem', { name, exact: true });

  beforeEach(async () => enterSession(page, app, await signedIn(app, parentId, { roles: ['owner'] })));

  it('lets an owner add, change and remove a member', async () => {
    await addMember();

    await button('Actions for Ada Lovelace').press('Enter');
    await menuItem('Change role').press('Enter');
    await dialog().getByRole('combobox', { name: 'Role' }).fill('adm');
    await page.getByRole('option', { name: /^admin/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Change role' }).press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(await roleOfMember(app, childId, 'ada@example.com')).toBe('admin');
    await row('Ada Lovelace').filter({ hasText: 'admin' }).waitFor();
    await removeMember();
  });

  async function addMember(): Promise<void> {
    // The previous address of the list of members.
    await page.goto(`/dashboard/organizations/${childId}/members`);
    await page.getByRole('heading', { name: 'No people yet' }).waitFor();
    await expectStateAccessible(page);
    await button('Add people').first().click();
    await menuItem('Add member from another organization').click();
    await dialog().getByRole('button', { name: 'Add member' }).click();
    await dialog().getByText('Select a user.').waitFor();
    // By default, the dialog searches in the parent organization.
    await waitForValue(dialog().getByRole('combobox', { name: 'Search in' }), 'Acme');
    await dialog().getByRole('combobox', { name: 'User' }).fill('lovel');
    await page.getByRole('option', { name: /Ada Lovelace/ }).click();
    await dialog().getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: /viewer/ }).click();
    await dialog().getByRole('button', { name: 'Add member' }).click();
    await row('Ada Lovelace').waitFor();
    expect(await roleOfMember(app, childId, 'ada@example.com')).toBe('viewer');
    await expectAccessible(page);
  }

  async function removeMember(): Promise<void> {
    await button('Actions for Ada Lovelace').click();
    await menuItem('Remove from organization').click();
    await dialog().getByText('The account and the memberships in other organizations remain').waitFor();
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { name: 'No people yet' }).waitFor();
    expect(await roleOfMember(app, childId, 'ada@example.com')).toBeUndefined();
    expect(await roleOfMember(app, parentId, 'ada@example.com')).toBe('member');
  }

  it('lets an administrator change several people at once, also of child organizations', async () => {
    const users = (org: string, status: string) =>
      read(app, `/v1/organizations/${org}/users?status=${status}`).then((all: TestBody[]) => all.map(({ email }) => email));
    const joan = { email: 'joan@example.com', firstName: 'Joan', lastName: 'Clarke' };
    await app.api.platform.post(`/v1/organizations/${childId}/users`, joan).expect(201);
    const owner = await signedIn(app, parentId, { roles: ['owner'] });
    await enterSession(page, app, await signedIn(app, parentId, { roles: ['admin'] }));
    await page.goto(`/dashboard/organizations/${parentId}/users`);
    await page.getByRole('switch', { name: 'Include child organizations' }).check();
    await row('Joan Clarke').getByRole('link', { name: 'Acme Europe' }).waitFor();
    await button('User').click();
    await page.waitForURL(/descendants=true.*sort=email/);
    await page.getByRole('columnheader', { name: 'User' }).and(page.locator('[aria-sort=ascending]')).waitFor();

    for (const name of ['Joan Clarke', 'Ada Lovelace', owner.email])
      await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    await page.getByText('3 people selected').waitFor();
    await expectStateAccessible(page);
    await picture(page, 'users');
    await button('Suspend').click();
    await dialog().getByLabel('Reason').fill('Left the company');
    await dialog().getByRole('button', { name: 'Suspend' }).click();
    await dialog().getByText('Done for 2 people, failed for 1 person.').waitFor();
    await dialog()
      .getByRole('row')
      .filter({ hasText: 'Failed' })
      .getByText(/permissions/)
      .waitFor();
    await expectAccessible(page);
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    expect([...(await users(parentId, 'suspended')), ...(await users(childId, 'suspended'))]).toEqual([
      'ada@example.com',
      joan.email,
    ]);
    // Those who failed stay selected.
    await page.getByText('1 person selected').waitFor();

    await button('Add people').click();
    await menuItem('Invite several people').click();
    await dialog().getByLabel('Email addresses').fill('Alan <alan@example.com>; no address\njoan.new@example.com');
    await dialog().getByRole('button', { name: 'Send 3 invitations' }).click();
    await dialog().getByText('Done for 2 people, failed for 1 person.').waitFor();
    expect(await mailsTo(app, 'alan@example.com')).toMatchObject([{ template: 'invitation' }]);
  });
});

async function waitForValue(field: Locator, value: string): Promise<void> {
  await page.waitForFunction('([input, value]) => input.value === value', [await field.elementHandle(), value]);
}

describe('the pages of groups', () => {
  let organization: TestBody;
  let ada: TestBody;
  let groupId: string;

  const at = (path: string): string => `/v1/organizations/${organization.id}${path}`;
  const notice = (text: string) => page.getByRole('alert').filter({ hasText: text }).first();
  const canReadWebhooks = async (): Promise<boolean> => {
    const check = { userId: ada.id, permission: 'webhooks:read' };
    return (await app.api.platform.post(at('/permissions/check'), check).expect(200)).body.data.allowed;
  };

  beforeAll(async () => {
    ({ organization, ada } = await newTeam(app));
  });
  beforeEach(async () => enterSession(page, app, await signedIn(app, organization.id, { roles: ['admin'] })));

  it('let an administrator create a group, give it a role and members, and delete it', async () => {
    await page.goto(`/dashboard/organizations/${organization.id}/groups`);
    await heading('Groups').waitFor();
    await page.getByText('No groups yet').waitFor();
    await expectAccessible(page);
    await button('Create group').first().press('Enter');
    await dialog().getByLabel('Name').fill('Support team');
    await dialog().getByLabel('Description').fill('Helps people on the phone');
    await dialog().getByLabel('External ID').fill('dep-204');
    await page.keyboard.press('Enter');
    await heading('Support team').waitFor();
    groupId = new URL(page.url()).pathname.split('/').at(-1)!;
    expect((await read(app, at(`/groups/${groupId}`))).externalId).toBe('dep-204');

    await page.getByText('The group has no roles.').waitFor();
    await button('Assign role').click();
    await dialog().getByRole('combobox', { name: 'Role' }).click();
    expect(await page.getByRole('option', { name: /^owner/ }).count()).toBe(0);
    await page.getByRole('option', { name: /^viewer/ }).click();
    await dialog().getByRole('button', { name: 'Assign role' }).click();
    await notice('Role viewer assigned to the group').waitFor();
    await page.getByRole('table', { name: 'Roles' }).getByRole('link', { name: 'viewer' }).waitFor();
    await addMember();

    await page.goto(`/dashboard/organizations/${organization.id}/permissions?user=${ada.id}&permission=webhooks:read`);
    await page.getByText('Role of the group Support team').waitFor();

    await page.goto(`/dashboard/organizations/${organization.id}/users/${ada.id}?tab=roles`);
    await page.getByRole('table', { name: 'Groups in this organization' }).getByRole('link', { name: 'Support team' }).click();
    await heading('Support team').waitFor();

    await app.api.platform.post(at('/groups'), { name: 'Sales' }).expect(201);
    await button('Edit group').click();
    await dialog().getByLabel('Name').fill('Sales');
    await page.keyboard.press('Enter');
    await dialog().getByText('already has a group named "Sales"').waitFor();
    await dialog().getByLabel('Name').fill('Service team');
    await page.keyboard.press('Enter');
    await heading('Service team').waitFor();
    await removeMember();

    await button('Delete group').click();
    await dialog().getByText('The group has no members').waitFor();
    await dialog().getByRole('button', { name: 'Delete group' }).click();
    await heading('Groups').waitFor();
    await page.getByRole('link', { name: 'Sales' }).waitFor();
    await app.api.platform.get(at(`/groups/${groupId}`)).expect(404);
    await page.getByLabel('Search groups').fill('nothing');
    await page.getByText('No groups match').waitFor();
  });

  async function addMember(): Promise<void> {
    expect(await canReadWebhooks()).toBe(false);
    await button('Add members').click();
    await dialog().getByRole('button', { name: 'Add members' }).press('Enter');
    await dialog().getByText('Select a user.').waitFor();
    await dialog().getByRole('combobox', { name: 'Users' }).fill('ada');
    await page.getByRole('option', { name: /ada/i }).first().click();
    await dialog().getByRole('button', { name: 'Add members' }).click();
    await notice('1 person was added to the group').waitFor();
    await page.getByRole('table', { name: 'Members' }).getByText(ada.email).waitFor();
    await page.getByText('1 member', { exact: true }).waitFor();
    expect(await canReadWebhooks()).toBe(true);
    await expectAccessible(page);
    await picture(page, 'group');
  }

  async function removeMember(): Promise<void> {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await button('Remove from group').click();
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog().getByText('Done for 1 person.').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('No members yet').waitFor();
    expect(await canReadWebhooks()).toBe(false);
  }
});
