import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { newTeam, openArea } from '../support/pages.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { closeWindows, expectAccessibleOnce, openWindowOf, picture, startSite, type Window } from '../support/web.js';

const JOURNEY_TIMEOUT_MS = 120_000;

describe('the pages of groups', () => {
  let app: TestApp;
  let window: Window;
  let page: Page;
  let organization: TestBody;
  let ada: TestBody;
  let admin: SignedIn;
  let groupId: string;

  const at = (path: string): string => `/v1/organizations/${organization.id}${path}`;
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const notice = (text: string) => page.getByRole('alert').filter({ hasText: text }).first();
  const canReadWebhooks = async (): Promise<boolean> => {
    const check = { userId: ada.id, permission: 'webhooks:read' };
    return (await app.api.platform.post(at('/permissions/check'), check).expect(200)).body.data.allowed;
  };

  beforeAll(async () => {
    app = await startSite();
    ({ organization, ada } = await newTeam(app));
    admin = await signedIn(app, organization.id, { roles: ['admin'] });
    window = await openWindowOf(app, admin.token);
    page = window.page;
  });
  afterAll(() => expect(window.faults).toEqual([]));
  afterAll(async () => {
    await closeWindows();
    await app?.close();
  });

  it(
    'let an administrator create a group, give it a role and members, and delete it',
    async () => {
      await createGroup();
      await assignRole();
      await addMember();
      await seeGroupOfUser();
      await seePermission();
      await editGroup();
      await removeMember();
      await deleteGroup();
    },
    JOURNEY_TIMEOUT_MS,
  );

  async function createGroup(): Promise<void> {
    await page.goto(`/dashboard/organizations/${organization.id}`);
    await openArea(page, 'Groups');
    await heading('Groups').waitFor();
    await page.getByText('No groups yet').waitFor();
    await expectAccessibleOnce(page);
    await button('Create group').first().press('Enter');
    await dialog().getByLabel('Name').fill('Support team');
    await dialog().getByLabel('Description').fill('Helps people on the phone');
    await dialog().getByLabel('External ID').fill('dep-204');
    await page.keyboard.press('Enter');
    await heading('Support team').waitFor();
    groupId = new URL(page.url()).pathname.split('/').at(-1)!;
    expect((await app.api.platform.get(at(`/groups/${groupId}`)).expect(200)).body.data.externalId).toBe('dep-204');
  }

  async function assignRole(): Promise<void> {
    await page.getByText('The group has no roles.').waitFor();
    await button('Assign role').click();
    await dialog().getByRole('combobox', { name: 'Role' }).click();
    expect(await page.getByRole('option', { name: /^owner/ }).count()).toBe(0);
    await page.getByRole('option', { name: /^viewer/ }).click();
    await dialog().getByRole('button', { name: 'Assign role' }).click();
    await notice('Role viewer assigned to the group').waitFor();
    await page.getByRole('table', { name: 'Roles' }).getByRole('link', { name: 'viewer' }).waitFor();
  }

  async function addMember(): Promise<void> {
    expect(await canReadWebhooks()).toBe(false);
    await button('Add member').click();
    await dialog().getByRole('button', { name: 'Add member' }).press('Enter');
    await dialog().getByText('Select a user.').waitFor();
    await dialog().getByRole('combobox', { name: 'User' }).fill('ada');
    await page.getByRole('option', { name: /ada/i }).first().click();
    await dialog().getByRole('button', { name: 'Add member' }).click();
    await notice('was added to the group').waitFor();
    await page.getByRole('table', { name: 'Members' }).getByText(ada.email).waitFor();
    await page.getByText('1 member', { exact: true }).waitFor();
    expect(await canReadWebhooks()).toBe(true);
    await expectAccessibleOnce(page);
    await page.reload();
    await page.getByRole('table', { name: 'Members' }).getByText(ada.email).waitFor();
    await picture(page, 'group');
  }

  async function seeGroupOfUser(): Promise<void> {
    await page.goto(`/dashboard/organizations/${organization.id}/users/${ada.id}?tab=roles`);
    await page.getByRole('table', { name: 'Groups in this organization' }).getByRole('link', { name: 'Support team' }).click();
    await heading('Support team').waitFor();
  }

  async function seePermission(): Promise<void> {
    await page.goto(`/dashboard/organizations/${organization.id}/permissions?user=${ada.id}&permission=webhooks:read`);
    await page.getByText('Role of the group Support team').waitFor();
    await page.goto(`/dashboard/organizations/${organization.id}/groups/${groupId}`);
  }

  async function editGroup(): Promise<void> {
    await app.api.platform.post(at('/groups'), { name: 'Sales' }).expect(201);
    await button('Edit group').click();
    await dialog().getByLabel('Name').fill('Sales');
    await page.keyboard.press('Enter');
    await dialog()
      .getByText(/already has a group named "Sales"/)
      .waitFor();
    await dialog().getByLabel('Name').fill('Service team');
    await page.keyboard.press('Enter');
    await heading('Service team').waitFor();
  }

  async function removeMember(): Promise<void> {
    await button(`Remove ${ada.displayName ?? ada.email}`)
      .or(page.getByRole('table', { name: 'Members' }).getByRole('button', { name: /^Remove/ }))
      .first()
      .click();
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No members yet').waitFor();
    expect(await canReadWebhooks()).toBe(false);
  }

  async function deleteGroup(): Promise<void> {
    await button('Delete group').click();
    await dialog()
      .getByText(/The group has no members/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Delete group' }).click();
    await heading('Groups').waitFor();
    await page.getByRole('link', { name: 'Sales' }).waitFor();
    await app.api.platform.get(at(`/groups/${groupId}`)).expect(404);
    await page.getByLabel('Search groups').fill('nothing');
    await page.getByText('No groups match').waitFor();
  }
});
