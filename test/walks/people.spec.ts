import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { mailsTo } from '../support/mailbox.js';
import { newOrganization } from '../support/organizations.js';
import { addAdaAndGrace, roleOfMember } from '../support/pages.js';
import { openSession, signedIn } from '../support/signed-in.js';
import { closeWindows, enterSession, expectAccessibleOnce, openWindow, startSite, type Window } from '../support/web.js';

const JOURNEY_TIMEOUT_MS = 120_000;

let app: TestApp;
let window: Window;
let page: Page;
let parentId: string;
let childId: string;

const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');

beforeAll(async () => {
  app = await startSite();
  parentId = (await newOrganization(app, { name: 'Acme', slug: 'acme' })).id;
  childId = (await newOrganization(app, { name: 'Acme Europe', slug: 'acme-europe', parentId })).id;
  await addAdaAndGrace(app, parentId);
  window = await openWindow(app.config.baseUrl);
  page = window.page;
});
afterAll(() => expect(window.faults).toEqual([]));
afterAll(async () => {
  await closeWindows();
  await app?.close();
});

describe('the users page', () => {
  let userPath: string;
  let userId: string;

  const statusOf = async (id: string): Promise<string> =>
    (await app.api.platform.get(`/v1/organizations/${parentId}/users/${id}`).expect(200)).body.data.status;
  async function clickMenuItem(name: string): Promise<void> {
    await button('More actions').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  }
  const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
  const waitForNotice = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor();

  beforeAll(async () => enterSession(window, app, (await signedIn(app, parentId, { roles: ['admin'] })).token));

  it(
    'lets an administrator invite, suspend and delete a user',
    async () => {
      await inviteUser();
      await resendInvitation();
      await suspendAndActivateUser();
      await startPasswordReset();
      await deleteUser();
      await restoreUser();
      await purgeUser();
    },
    JOURNEY_TIMEOUT_MS,
  );

  async function inviteUser(): Promise<void> {
    await page.goto(`/dashboard/organizations/${parentId}/users`);
    await heading('Users').waitFor();
    await expectAccessibleOnce(page);
    await button('Add user').press('Enter');
    await dialog().waitFor();
    await page.keyboard.type('not an address');
    await page.keyboard.press('Enter');
    // The form ignores a second submission until the first has ended.
    await dialog()
      .getByText(/must be an email address/)
      .waitFor();
    await dialog().getByLabel('Email address').fill('barbara@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Barbara');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Liskov');
    await page.keyboard.press('Enter');

    await heading('Barbara Liskov').waitFor();
    userPath = new URL(page.url()).pathname;
    userId = userPath.split('/').at(-1)!;
    expect(await mailsTo(app, 'barbara@example.com')).toMatchObject([{ template: 'invitation' }]);
    expect(await statusOf(userId)).toBe('pending');
  }

  async function resendInvitation(): Promise<void> {
    await button('Resend invitation').click();
    await confirm('Resend invitation');
    await waitForNotice('Invitation sent');
    expect(await mailsTo(app, 'barbara@example.com')).toHaveLength(2);
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

  async function startPasswordReset(): Promise<void> {
    await clickMenuItem('Reset password');
    await confirm('Reset password');
    await waitForNotice('Password reset email sent');
    expect((await mailsTo(app, 'barbara@example.com')).map(({ template }) => template)).toContain('password_reset');
  }

  async function deleteUser(): Promise<void> {
    await clickMenuItem('Delete user');
    await dialog()
      .getByText(/you can restore the user/)
      .waitFor();
    await confirm('Delete user');
    await page.getByText(/^This user is deleted/).waitFor();
    expect(await statusOf(userId)).toBe('deleted');
    await expectAccessibleOnce(page);
  }

  async function restoreUser(): Promise<void> {
    await button('Restore user').click();
    await confirm('Restore user');
    await button('Suspend user').waitFor();
    expect(await statusOf(userId)).toBe('active');
  }

  /** Permanently deletes the user. The page requires the email address. */
  async function purgeUser(): Promise<void> {
    await clickMenuItem('Permanently delete user');
    const purge = dialog().getByRole('button', { name: 'Permanently delete user', exact: true });
    expect(await purge.isDisabled()).toBe(true);
    await dialog().getByLabel(/^Type/).fill('barbara@example.com');
    await purge.click();
    await heading('Users').waitFor();
    await app.api.platform.get(`/v1/organizations/${parentId}/users/${userId}`).expect(404);
    await page.goto(userPath);
    await page.getByRole('alert').waitFor();
  }
});

describe('the members page', () => {
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  beforeAll(async () => enterSession(window, app, (await signedIn(app, parentId, { roles: ['owner'] })).token));

  it(
    'lets an owner add, change and remove a member',
    async () => {
      await addMember();
      await changeRole();
      await removeMember();
    },
    JOURNEY_TIMEOUT_MS,
  );

  async function addMember(): Promise<void> {
    await page.goto(`/dashboard/organizations/${childId}/members`);
    await page.getByRole('heading', { name: 'No members yet' }).waitFor();
    await page.getByRole('button', { name: 'Add member' }).first().click();
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
    await expectAccessibleOnce(page);
  }

  async function changeRole(): Promise<void> {
    await button('Change role of Ada Lovelace').press('Enter');
    await dialog().getByRole('combobox', { name: 'Role' }).fill('adm');
    await page.getByRole('option', { name: /^admin/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Change role' }).press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(await roleOfMember(app, childId, 'ada@example.com')).toBe('admin');
    await row('Ada Lovelace').filter({ hasText: 'admin' }).waitFor();
  }

  async function removeMember(): Promise<void> {
    await button('Remove Ada Lovelace').click();
    await dialog()
      .getByText(/The account and the memberships in other organizations remain/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { name: 'No members yet' }).waitFor();
    expect(await roleOfMember(app, childId, 'ada@example.com')).toBeUndefined();
    expect(await roleOfMember(app, parentId, 'ada@example.com')).toBe('member');
  }
});

async function waitForValue(field: Locator, value: string): Promise<void> {
  await page.waitForFunction('([input, value]) => input.value === value', [await field.elementHandle(), value]);
}
