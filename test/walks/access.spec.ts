import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { made, newAddress } from '../support/organizations.js';
import { requestBreakGlassAccess, newTeam, openArea } from '../support/pages.js';
import { activeUser, becomeStale, PASSWORD, sessionToken } from '../support/sign-in.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { closeWindows, expectAccessibleOnce, openWindowOf, picture, startSite, type Window } from '../support/web.js';

const JOURNEY_TIMEOUT_MS = 120_000;

const windows: Window[] = [];
let app: TestApp;
let parent: TestBody;
let organization: TestBody;
let ada: TestBody;

const at = (path: string): string => `/v1/organizations/${organization.id}${path}`;
const pageAt = (path: string): string => `/dashboard/organizations/${organization.id}${path}`;
const signInAdmin = (): Promise<SignedIn> => signedIn(app, organization.id, { roles: ['admin'] });
const signInParentOwner = (): Promise<SignedIn> => signedIn(app, parent.id, { roles: ['owner'] });

async function openPageOf({ token }: Pick<SignedIn, 'token'>): Promise<Page> {
  const window = await openWindowOf(app, token);
  windows.push(window);
  return window.page;
}

beforeAll(async () => {
  app = await startSite();
  ({ parent, organization, ada } = await newTeam(app));
});
afterAll(() => expect(windows.flatMap(({ faults }) => faults)).toEqual([]));
afterAll(async () => {
  await closeWindows();
  await app?.close();
});

describe('the roles page', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openPageOf(await signInParentOwner());
  });

  it(
    'lets an owner create a role and check a permission',
    async () => {
      await createRole();
      await checkPermission();
    },
    JOURNEY_TIMEOUT_MS,
  );

  async function createRole(): Promise<void> {
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
    await expectAccessibleOnce(page);
    await page.getByRole('button', { name: 'Create role' }).press('Enter');

    await page.getByRole('heading', { level: 1, name: 'support' }).waitFor();
    await page.getByText('tickets:*').waitFor();
    const { data } = (await app.api.platform.get(at('/roles/support')).expect(200)).body;
    expect(data.permissions.toSorted()).toEqual(['sessions:*', 'tickets:*', 'users:read']);
  }

  /** Assigns the role to Ada and checks why Ada has the permissions of the role. */
  async function checkPermission(): Promise<void> {
    await made(app, at(`/users/${ada.id}/roles`), { roleId: 'support' });
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

    await page.getByPlaceholder('users:read or an application permission').fill('tickets:close');
    await page.getByRole('heading', { name: 'Yes, Ada Lovelace has tickets:close' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('status').getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^User\s+Ada Lovelace\s+ada@northwind.example$/),
      expect.stringMatching(/^Role\s+support\s+assigned in this organization$/),
      expect.stringMatching(/^Permission\s+tickets:\*\s+includes tickets:close$/),
    ]);
    await expectAccessibleOnce(page);
    await picture(page, 'permission-check');
  }
});

describe('the API keys page', () => {
  let page: Page;
  const keys: string[] = [];
  const statuses = (): Promise<number[]> =>
    Promise.all(keys.map(async (key) => (await app.api.as(key).get(at('/users'))).status));

  beforeAll(async () => {
    const email = newAddress();
    await activeUser(app, organization.id, { email, roles: ['admin'] });
    page = await openPageOf({ token: await sessionToken(app, organization.id, email) });
  });

  it(
    'lets an administrator create, rotate and revoke an API key',
    async () => {
      await createKey();
      await rotateKey();
      await revokeNewKey();
    },
    JOURNEY_TIMEOUT_MS,
  );

  /** Returns the key in the dialog and closes the dialog. */
  async function copyShownKey(): Promise<string> {
    const dialog = page.getByRole('dialog', { name: 'Copy the API key' });
    await dialog.getByText('Test the key').waitFor();
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

  /** Creates a key by keyboard. The page shows the key once. */
  async function createKey(): Promise<void> {
    await page.goto(pageAt('/api-keys'));
    await page.getByText('No API keys yet').waitFor();
    await page.getByRole('link', { name: 'Create API key' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name', exact: true }).pressSequentially('Billing sync');
    await page.keyboard.press('Enter');
    await page.getByText('Select at least one scope.').waitFor();
    expect(await page.getByRole('checkbox', { name: /^Organizations: Delete\. You don’t have/ }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Users: Read' }).press('Space');
    await expectAccessibleOnce(page);
    await becomeStale(app);
    await page.getByRole('button', { name: 'Create API key' }).press('Enter');
    await page.getByRole('dialog', { name: 'Confirm your identity' }).getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    keys.push(await copyShownKey());
    expect(await statuses()).toEqual([200]);
  }

  /** Rotates the key. The previous key works for one more hour. */
  async function rotateKey(): Promise<void> {
    await page.getByRole('button', { name: 'Actions for Billing sync' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Rotate key' }).click();
    await page.getByRole('radio', { name: 'In 1 hour' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
    keys.push(await copyShownKey());
    await page.getByText('Replaces a previous key').waitFor();
    await page.getByRole('row', { name: /in 1 hour|in 60 minutes/ }).waitFor();
    expect(await statuses()).toEqual([200, 200]);
    await expectAccessibleOnce(page);
  }

  /** Revokes the new key. The page requires the name of the key. */
  async function revokeNewKey(): Promise<void> {
    const newKeyRow = page.getByRole('row', { name: /Replaces a previous key/ });
    await newKeyRow.getByRole('button', { name: 'Actions for Billing sync' }).click();
    await page.getByRole('menuitem', { name: 'Revoke key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke “Billing sync”?' });
    const revoke = dialog.getByRole('button', { name: 'Revoke key' });
    expect(await revoke.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Billing sync');
    await revoke.click();
    await newKeyRow.waitFor({ state: 'detached' });
    expect(await statuses()).toEqual([200, 401]);
  }
});

describe('break-glass access', () => {
  let requester: SignedIn;
  let requesterPage: Page;
  let approverPage: Page;

  const newestRequest = async (): Promise<TestBody> => (await app.api.platform.get(at('/break-glass')).expect(200)).body.data[0];

  beforeAll(async () => {
    requester = await signInAdmin();
    requesterPage = await openPageOf(requester);
    approverPage = await openPageOf(await signInParentOwner());
  });

  it(
    'requires the approval of another person',
    async () => {
      await requestAccess(requesterPage);
      await approveRequest(approverPage);
      await useAccess(requesterPage);
      await endAccess(requesterPage);
    },
    JOURNEY_TIMEOUT_MS,
  );

  /** Requests access by keyboard. The requester can't approve the request or create a second request. */
  async function requestAccess(page: Page): Promise<void> {
    await page.goto(pageAt(''));
    await openArea(page, 'Break-glass access');
    await page.getByText('No break-glass requests yet').waitFor();
    await requestBreakGlassAccess(page, 'Production is down');
    const row = page.getByRole('row', { name: /Production is down/ });
    await row
      .getByRole('button', { name: 'Approve. This is your own request. Another person must approve or deny it.' })
      .press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await newestRequest()).toMatchObject({ status: 'pending', requesterId: requester.id, durationSeconds: 3_600 });
    await requestBreakGlassAccess(page, 'A second one');
    await page.getByText('You already have a pending or active request in this organization').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  }

  async function approveRequest(page: Page): Promise<void> {
    await page.goto(pageAt(''));
    await openArea(page, 'Break-glass access');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${requester.email} becomes an owner of this organization`).waitFor();
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('row', { name: /Active.*Approved by/ }).waitFor();
    await expectAccessibleOnce(page);
    await picture(page, 'break-glass');
  }

  /** Checks that the requester sees the remaining time and has the permissions of an owner. */
  async function useAccess(page: Page): Promise<void> {
    await page.goto(pageAt('/roles/new'));
    await page.getByText('You are temporarily an owner of this organization through break-glass access.').waitFor();
    const left = page.getByRole('timer').first();
    const first = await left.innerText();
    expect(first).toMatch(/^(59:\d\d|1:00:00)$/);
    await left.filter({ hasNotText: first }).waitFor();
    expect(await page.getByRole('checkbox', { name: /^All current and future permissions/ }).isEnabled()).toBe(true);
  }

  async function endAccess(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'End access' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('You are temporarily an owner').waitFor({ state: 'detached' });
    expect(await newestRequest()).toMatchObject({ status: 'ended', endedReason: 'returned' });
    await page.goto(pageAt('/break-glass?status=ended'));
    await page.getByRole('row', { name: /Ended by the requester/ }).waitFor();
    await page.getByRole('link', { name: 'View events' }).click();
    await page.getByRole('heading', { level: 1, name: 'Event log' }).waitFor();
    expect(new URL(page.url()).searchParams.get('actorId')).toBe(requester.id);
  }
});
