// Processor time: Chromium loads and renders each page of the area, and axe checks it.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { momentOf } from '../support/history.js';
import type { TestBody } from '../support/http-client.js';
import { made, newAddress, read } from '../support/organizations.js';
import { elementsOf, newTeam, openArea, requestBreakGlassAccess } from '../support/pages.js';
import { activeUser, becomeStale, PASSWORD, sessionToken } from '../support/sign-in.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';
import { enterSession, expectAccessible, expectStateAccessible, openPage, picture, testPage, testSite } from '../support/web.js';

const app = testSite();
const page = testPage(app);

let parent: TestBody;
let organization: TestBody;
let ada: TestBody;

const at = (path: string): string => `/v1/organizations/${organization.id}${path}`;
const pageAt = (path: string): string => `/dashboard/organizations/${organization.id}${path}`;
const signInAdmin = (): Promise<SignedIn> => signedIn(app, organization.id, { roles: ['admin'] });
const signInParentOwner = (): Promise<SignedIn> => signedIn(app, parent.id, { roles: ['owner'] });

beforeAll(async () => {
  ({ parent, organization, ada } = await newTeam(app));
});

describe('the roles page', () => {
  it('lets an owner create a role and check a permission', async () => {
    await enterSession(page, app, await signInParentOwner());
    await page.goto(pageAt('/roles'));
    await page.getByRole('link', { name: 'Create role' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Create role' }).waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('support');
    await page.getByLabel('Description').fill('Helps people on the phone');
    await page.getByRole('checkbox', { name: 'Users: Read' }).press('Space');
    await page.getByRole('checkbox', { name: 'Sessions: all' }).press('Space');
    expect(await page.getByRole('checkbox', { name: /^Sessions: Write/ }).isChecked()).toBe(true);
    const own = page.getByPlaceholder('invoices:read, then press Enter');
    await own.fill('Tickets');
    await own.press('Enter');
    await page.getByRole('button', { name: 'Create role' }).press('Enter');
    await page.getByText('Not in the format resource:action in lowercase: Tickets').waitFor();
    await own.press('Backspace');
    await own.fill('tickets:*');
    await own.press('Enter');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create role' }).press('Enter');

    await page.getByRole('heading', { level: 1, name: 'support' }).waitFor();
    await page.getByText('tickets:*').waitFor();
    await expectStateAccessible(page);
    const { data } = (await app.api.platform.get(at('/roles/support')).expect(200)).body;
    expect(data.permissions.toSorted()).toEqual(['sessions:*', 'tickets:*', 'users:read']);
    await checkPermission();
  });

  /** Assigns the role to Ada and checks why Ada has the permissions of the role. */
  async function checkPermission(): Promise<void> {
    await made(app, at(`/users/${ada.id}/roles`), { roleId: 'support' });
    await made(app, at('/roles'), { name: 'accounting', permissions: ['invoices:read'] });
    await openArea(page, 'Permission check');
    await page.getByText('No user selected').waitFor();
    const user = page.getByPlaceholder('Search by name or email address');
    await user.pressSequentially('lovel');
    await page.getByRole('option', { name: /Ada Lovelace/ }).waitFor();
    await page.getByRole('option').nth(1).waitFor({ state: 'detached' });
    await user.press('ArrowDown');
    await user.press('Enter');
    await page.getByRole('heading', { name: 'Permissions of Ada Lovelace in this organization' }).waitFor();
    await page.getByRole('row', { name: /sessions:write.*Yes.*support in Northwind Europe/ }).waitFor();

    await page.getByRole('rowheader', { name: 'invoices' }).waitFor();
    await page.getByRole('row', { name: /invoices:read.*No/ }).waitFor();
    await page.getByRole('row', { name: /tickets:\* .*Yes.*support in Northwind Europe/ }).waitFor();
    // Suggestions would cover the answer: there is none until what is typed is complete or confirmed.
    const permission = page.getByPlaceholder('users:read or an application permission');
    const answer = (text: string) => page.getByRole('heading', { name: text, exact: true });
    await permission.fill('users:read');
    await answer('Yes, Ada Lovelace has users:read').waitFor();
    await permission.fill('users:rea');
    await page.getByRole('option', { name: 'users:read' }).waitFor();
    await answer('Yes, Ada Lovelace has users:read').waitFor({ state: 'detached' });
    await permission.press('Enter');
    await answer('No, Ada Lovelace does not have users:rea').waitFor();
    expect(await page.getByRole('option').count()).toBe(0);
    await permission.fill('tickets:*');
    await answer('Yes, Ada Lovelace has tickets:*').waitFor();
    expect(await page.getByRole('option').count()).toBe(0);
    await permission.fill('tickets:close');
    await page.getByRole('heading', { name: 'Yes, Ada Lovelace has tickets:close' }).waitFor();
    expect(await page.getByRole('status').getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^User\s+Ada Lovelace\s+ada@northwind.example$/),
      expect.stringMatching(/^Role\s+support\s+assigned in this organization$/),
      expect.stringMatching(/^Permission\s+tickets:\*\s+includes tickets:close$/),
    ]);
    await expectAccessible(page);
    await picture(page, 'permission-check');
  }
});

describe('the API keys page', () => {
  const keys: string[] = [];
  let session: { token: string };
  const statuses = (): Promise<number[]> =>
    Promise.all(keys.map(async (key) => (await app.api.as(key).get(at('/users'))).status));

  beforeAll(async () => {
    const email = newAddress();
    await activeUser(app, organization.id, { email, roles: ['admin'] });
    session = { token: await sessionToken(app, organization.id, email) };
  });

  it('lets an administrator create, rotate and revoke an API key', async () => {
    // Creates a key by keyboard. The page shows the key once.
    await enterSession(page, app, session);
    await page.goto(pageAt('/api-keys'));
    await page.getByText('No API keys yet').waitFor();
    await expectStateAccessible(page);
    await page.getByRole('link', { name: 'Create API key' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Billing sync');
    await page.keyboard.press('Enter');
    await page.getByText('Select at least one scope.').waitFor();
    expect(await page.getByRole('checkbox', { name: /^Organizations: Delete\. You don’t have/ }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Users: Read' }).press('Space');
    await expectAccessible(page);
    await becomeStale(app);
    await page.getByRole('button', { name: 'Create API key' }).press('Enter');
    await page.getByRole('dialog', { name: 'Confirm your identity' }).getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    keys.push(await copyShownKey());
    expect(await statuses()).toEqual([200]);

    // Rotates the key. The previous key works for one more hour.
    await page.getByRole('button', { name: 'Actions for Billing sync' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Rotate key' }).click();
    await page.getByRole('radio', { name: 'In 1 hour' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
    keys.push(await copyShownKey());
    await page.getByText('Replaces a previous key').waitFor();
    await page.getByRole('row', { name: /in 1 hour|in 60 minutes/ }).waitFor();
    expect(await statuses()).toEqual([200, 200]);
    await expectAccessible(page);

    // Revokes the new key. The page requires the name of the key.
    const newKeyRow = page.getByRole('row', { name: /Replaces a previous key/ });
    await newKeyRow.getByRole('button', { name: 'Actions for Billing sync' }).click();
    await page.getByRole('menuitem', { name: 'Revoke key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke “Billing sync”?' });
    const revoke = dialog.getByRole('button', { name: 'Revoke key' });
    expect(await revoke.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Billing sync');
    await expectStateAccessible(page);
    await revoke.click();
    await newKeyRow.waitFor({ state: 'detached' });
    expect(await statuses()).toEqual([200, 401]);
  });

  /** Returns the key in the dialog and closes the dialog. */
  async function copyShownKey(): Promise<string> {
    const dialog = page.getByRole('dialog', { name: 'Copy the API key' });
    await dialog.getByText('Test the key').waitFor();
    await expectStateAccessible(page);
    const [key = '', curl = ''] = await dialog.locator('code').allInnerTexts();
    expect(curl).toBe(`curl -H 'Authorization: Bearer ${key}' ${app.config.baseUrl}${at('/users')}`);
    // The Escape key does not close this dialog.
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I’ve copied the key' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(key);
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(key);
    return key;
  }
});

describe('break-glass access', () => {
  let requester: SignedIn;
  let approverPage: Page;

  const newestRequest = async (): Promise<TestBody> => (await read(app, at('/break-glass')))[0];

  beforeAll(async () => {
    requester = await signInAdmin();
    approverPage = await openPage(app, await signInParentOwner());
  });

  it('requires the approval of another person', async () => {
    // Requests access by keyboard. The requester can't approve the request or create a second request.
    await enterSession(page, app, requester);
    await page.goto(pageAt('/break-glass'));
    await page.getByText('No break-glass requests yet').waitFor();
    await expectStateAccessible(page);
    await requestBreakGlassAccess(page, 'Production is down');
    const row = page.getByRole('row', { name: /Production is down/ });
    const { x, width } = (await row.getByRole('button', { name: 'End', exact: true }).boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(page.viewportSize()!.width);
    await row
      .getByRole('button', { name: 'Approve. This is your own request. Another person must approve or deny it.' })
      .press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await newestRequest()).toMatchObject({ status: 'pending', requesterId: requester.id, durationSeconds: 3_600 });
    await requestBreakGlassAccess(page, 'A second one');
    await page.getByText('You already have a pending or active request in this organization').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await approveRequest(approverPage);

    // Checks that the requester sees the remaining time and has the permissions of an owner.
    await page.getByText('You are temporarily an owner of this organization through break-glass access.').waitFor();
    const left = page.getByRole('timer').first();
    const first = await left.innerText();
    expect(first).toMatch(/^(59:\d\d|1:00:00)$/);
    await left.filter({ hasNotText: first }).waitFor();
    await expectStateAccessible(page);
    await openArea(page, 'Roles');
    await page.getByRole('link', { name: 'Create role' }).click();
    expect(await page.getByRole('checkbox', { name: /^All current and future permissions/ }).isEnabled()).toBe(true);

    await page.getByRole('button', { name: 'End access' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('You are temporarily an owner').waitFor({ state: 'detached' });
    expect(await newestRequest()).toMatchObject({ status: 'ended', endedReason: 'returned' });
    await openArea(page, 'Break-glass access');
    await page.getByRole('row', { name: /Ended by the requester/ }).waitFor();
    await page.getByRole('link', { name: 'View events' }).click();
    await page.getByRole('heading', { level: 1, name: 'Event log' }).waitFor();
    expect(new URL(page.url()).searchParams.get('actorId')).toBe(requester.id);
  });

  async function approveRequest(page: Page): Promise<void> {
    await page.goto(pageAt('/break-glass'));
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${requester.email} becomes an owner of this organization`).waitFor();
    await expectStateAccessible(page);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('row', { name: /Active.*Approved by/ }).waitFor();
    await expectAccessible(page);
    await picture(page, 'break-glass');
  }
});

describe('an impersonation', () => {
  it('starts on the page of the user, is shown on every page, and can be ended by both', async () => {
    const signInAs = async (): Promise<void> => {
      await page.goto(pageAt(`/users/${ada.id}`));
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Sign in as Ada Lovelace' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('Ticket 4711');
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('You are signed in as Ada Lovelace for support.').waitFor();
    };
    await enterSession(page, app, await signInParentOwner());
    await signInAs();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('You are signed in as Ada Lovelace for support.').waitFor({ state: 'detached' });

    await signInAs();
    const own = await openPage(
      app,
      await openSession(app, { ...(ada as SignedIn), tenantId: parent.id }, { at: organization.id }),
    );
    await own.goto('/account/acting-for-you');
    await own.getByText('Signed in', { exact: true }).waitFor();
    await expectAccessible(own);
    await own.getByRole('button', { name: /^End: signed-in/ }).click();
    await own.getByText('Signed in', { exact: true }).waitFor({ state: 'detached' });

    await page.goto(pageAt('/impersonations'));
    await page
      .getByRole('row', { name: /Ended.*ada@northwind.example.*Ticket 4711/ })
      .first()
      .waitFor();
    await expectAccessible(page);
  });
});

describe('the pages as of a past moment', () => {
  let organization: TestBody;
  let ada: TestBody;
  /** A moment before the changes. */
  let past: string;

  const pageAt = (path: string, query: Record<string, string> = {}): string =>
    `/dashboard/organizations/${organization.id}${path}?${new URLSearchParams(query)}`;
  const { button } = elementsOf(() => page);
  const banner = () => page.getByRole('region', { name: 'Past moment' });
  const compare = () => page.getByRole('switch', { name: 'Compare with now' });
  const differences = () => page.getByRole('table', { name: 'Changes since this moment' });

  beforeAll(async () => {
    ({ organization, ada } = await newTeam(app));
    past = await momentOf(app.database);
    const path = `/v1/organizations/${organization.id}`;
    await app.api.platform.patch(`${path}/users/${ada.id}`, { displayName: 'Countess Lovelace' }).expect(200);
    await made(app, `${path}/users/${ada.id}/roles`, { roleId: 'admin' });
    await app.api.platform.patch(path, { settings: { sessionTimeout: 3_600 } }).expect(200);
  });

  it('let an auditor compare a past moment with now', async () => {
    await enterSession(page, app, await signedIn(app, organization.id, { roles: ['owner'] }));
    await page.goto(pageAt(`/users/${ada.id}`, { asOf: past }));
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    await banner()
      .getByText(/^As of .* \(.+\)$/)
      .waitFor();
    expect(await page.getByRole('textbox', { name: 'Display name' }).isEditable()).toBe(false);
    for (const action of ['Save', 'Suspend user', 'View as of…']) expect(await button(action).count()).toBe(0);
    await page.getByRole('tab', { name: 'Roles' }).click();
    await page.getByRole('row', { name: /member/ }).waitFor();
    expect(await page.getByRole('row', { name: /admin/ }).count()).toBe(0);

    await compare().press('Space');
    await differences().waitFor();
    expect(await rowsOf(differences())).toEqual([
      ['Display name', 'Ada Lovelace', 'Countess Lovelace'],
      ['Roles in this organization', 'member', 'admin\nmember'],
    ]);
    await expectAccessible(page);
    await picture(page, 'as-of');
    await button('Show now').click();
    await page.getByRole('heading', { level: 1, name: 'Countess Lovelace' }).waitFor();
    await button('Suspend user').waitFor();
    expect(new URL(page.url()).search).toBe('?tab=roles');
    await selectImpossibleMoments();
    await checkPermission();

    await page.goto(pageAt('/settings', { asOf: past, compare: 'true' }));
    await differences().waitFor();
    expect(await rowsOf(differences())).toEqual([['Idle timeout', '24 hours\nDefault', '1 hour\nSet here']]);
    expect(await page.getByRole('switch', { name: 'Lock for child organizations: Require MFA' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^Override/ }).count()).toBe(0);
    await expectStateAccessible(page);
  });

  async function checkPermission(): Promise<void> {
    await page.goto(pageAt('/permissions', { asOf: past, compare: 'true', user: ada.id, permission: 'users:write' }));
    await page.getByRole('heading', { name: 'No, Ada Lovelace does not have users:write' }).waitFor();
    await page.getByRole('heading', { name: 'Yes, Countess Lovelace has users:write' }).waitFor();
    await page.getByRole('row', { name: /^Explain users:write.* No Yes Changed admin in Northwind Europe$/ }).waitFor();
    await expectStateAccessible(page);
  }

  /** The future, and a moment before the history. */
  async function selectImpossibleMoments(): Promise<void> {
    await button('View as of…').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'View a past moment' });
    await dialog.getByLabel('Date and time').fill('2999-01-01T10:00');
    await dialog.getByRole('button', { name: 'Show state' }).click();
    await dialog.getByText('The moment is in the future. Select a past moment.').waitFor();
    await expectStateAccessible(page);
    await dialog.getByLabel('Date and time').fill('2020-03-03T10:00');
    await page.keyboard.press('Enter');
    await banner()
      .getByText(/^As of March 3, 2020 at 10:00 AM/)
      .waitFor();
    await page.getByText(/^The history begins on /).waitFor();
    await expectStateAccessible(page);

    // The history is older than the user.
    await button('Show earliest moment').click();
    await page.getByText('Not found at this moment').waitFor();
    await button('Show now').click();
    await page.getByRole('heading', { level: 1, name: 'Countess Lovelace' }).waitFor();
  }
});

/** Returns the texts of the cells of each row without the header. */
async function rowsOf(table: Locator): Promise<string[][]> {
  const rows = await table.locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}
