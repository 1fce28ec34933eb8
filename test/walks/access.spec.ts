import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { made } from '../support/organizations.js';
import { askForEmergencyAccess, newTeam, openArea } from '../support/pages.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { closeWindows, enterSession, expectAccessibleOnce, openWindow, picture, startSite, type Window } from '../support/web.js';

let app: TestApp;
let owner: Window;
let admin: Window;
let administrator: SignedIn;
let organization: TestBody;
let ada: TestBody;

const at = (path: string): string => `/v1/organizations/${organization.id}${path}`;
const pageAt = (path: string): string => `/dashboard/organizations/${organization.id}${path}`;
async function windowOf({ token }: SignedIn): Promise<Window> {
  const window = await openWindow(app.config.baseUrl);
  await enterSession(window, app, token);
  return window;
}

beforeAll(async () => {
  app = await startSite();
  const team = await newTeam(app);
  ({ organization, ada } = team);
  administrator = await signedIn(app, organization.id, { roles: ['admin'] });
  owner = await windowOf(await signedIn(app, team.parent.id, { roles: ['owner'] }));
  admin = await windowOf(administrator);
});
afterAll(async () => {
  await closeWindows();
  await app?.close();
});

describe('the pages about roles and permissions', () => {
  let page: Page;
  beforeAll(() => void ({ page } = owner));

  it('create a role from the matrix by keyboard', async () => {
    await page.goto(pageAt('/roles'));
    await page.getByRole('link', { name: 'Create a role' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Create a role' }).waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('support');
    await page.getByLabel('What it is for').fill('Helps people on the phone');
    await page.getByRole('checkbox', { name: 'Users: Read' }).press('Space');
    await page.getByRole('checkbox', { name: 'All of Sessions' }).press('Space');
    expect(await page.getByRole('checkbox', { name: /^Sessions: Write/ }).isChecked()).toBe(true);
    const own = page.getByPlaceholder('invoices:read, then Enter');
    await own.fill('Tickets');
    await own.press('Enter');
    await page.getByRole('button', { name: 'Create a role' }).press('Enter');
    await page.getByText('Not of the form resource:action in lower case: Tickets').waitFor();
    await own.press('Backspace');
    await own.fill('tickets:*');
    await own.press('Enter');
    await expectAccessibleOnce(page);
    await page.getByRole('button', { name: 'Create a role' }).press('Enter');

    await page.getByRole('heading', { level: 1, name: 'support' }).waitFor();
    await page.getByText('tickets:*').waitFor();
    const { data } = (await app.api.platform.get(at('/roles/support')).expect(200)).body;
    expect(data.permissions.toSorted()).toEqual(['sessions:*', 'tickets:*', 'users:read']);
  });

  it('explain why a user has a permission', async () => {
    await made(app, at(`/users/${ada.id}/roles`), { roleId: 'support' });
    await openArea(page, 'Who may do what');
    await page.getByText('Whom do you want to know about?').waitFor();
    const user = page.getByPlaceholder('Search by name or e-mail address');
    await user.pressSequentially('lovel');
    await page.getByRole('option', { name: /Ada Lovelace/ }).waitFor();
    await page.getByRole('option').nth(1).waitFor({ state: 'detached' });
    await user.press('ArrowDown');
    await user.press('Enter');
    await page.getByRole('heading', { name: 'All that Ada Lovelace may do here' }).waitFor();
    await page.getByRole('row', { name: /sessions:write.*Yes.*support in Northwind Europe/ }).waitFor();

    await page.getByPlaceholder('users:read or one of your own').fill('tickets:close');
    await page.getByRole('heading', { name: 'Yes, Ada Lovelace may do tickets:close' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('status').getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^The user\s+Ada Lovelace\s+ada@northwind.example$/),
      expect.stringMatching(/^has the role\s+support\s+given here$/),
      expect.stringMatching(/^which holds\s+tickets:\*\s+and so covers tickets:close$/),
    ]);
    await expectAccessibleOnce(page);
    await picture(page, 'why');
  });
});

describe('the pages about API keys', () => {
  let page: Page;
  const keys: string[] = [];
  const statuses = (): Promise<number[]> =>
    Promise.all(keys.map(async (key) => (await app.api.as(key).get(at('/users'))).status));

  beforeAll(() => void ({ page } = admin));

  /** Reads the key that the dialog shows and closes the dialog. */
  async function copyShownKey(): Promise<string> {
    const dialog = page.getByRole('dialog', { name: 'Copy the key now' });
    await dialog.getByText('Try it').waitFor();
    const [key = '', curl = ''] = await dialog.locator('code').allInnerTexts();
    expect(curl).toBe(`curl -H 'Authorization: Bearer ${key}' ${app.config.baseUrl}${at('/users')}`);
    // Escape does not close this dialog.
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(key);
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(key);
    return key;
  }

  it('create a key by keyboard and show it once', async () => {
    await page.goto(pageAt('/api-keys'));
    await page.getByText('No API key yet').waitFor();
    await page.getByRole('link', { name: 'Create a key' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name', exact: true }).pressSequentially('Billing sync');
    await page.keyboard.press('Enter');
    await page.getByText('Choose at least one scope.').waitFor();
    expect(await page.getByRole('checkbox', { name: /^Organizations: Delete\. You do not have/ }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Users: Read' }).press('Space');
    await expectAccessibleOnce(page);
    await page.getByRole('button', { name: 'Create a key' }).press('Enter');
    keys.push(await copyShownKey());
    expect(await statuses()).toEqual([200]);
  });

  it('rotate the key so that both keys work for an hour', async () => {
    await page.getByRole('button', { name: 'Actions for Billing sync' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page.getByRole('radio', { name: 'for an hour' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    keys.push(await copyShownKey());
    await page.getByText('Took over from an older key').waitFor();
    await page.getByRole('row', { name: /in 1 hour|in 60 minutes/ }).waitFor();
    expect(await statuses()).toEqual([200, 200]);
    await expectAccessibleOnce(page);
  });

  it('revoke the new key once its name is typed', async () => {
    const newer = page.getByRole('row', { name: /Took over/ });
    await newer.getByRole('button', { name: 'Actions for Billing sync' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke “Billing sync”?' });
    const revoke = dialog.getByRole('button', { name: 'Revoke' });
    expect(await revoke.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Billing sync');
    await revoke.click();
    await newer.waitFor({ state: 'detached' });
    expect(await statuses()).toEqual([200, 401]);
  });
});

describe('the page about break glass', () => {
  const newest = async (): Promise<TestBody> => (await app.api.platform.get(at('/break-glass')).expect(200)).body.data[0];

  it('takes a request by keyboard that the requester can not approve', async () => {
    const { page } = admin;
    await openArea(page, 'Break glass');
    await page.getByText('No emergency so far').waitFor();
    await askForEmergencyAccess(page, 'Production is down');
    const row = page.getByRole('row', { name: /Production is down/ });
    await row.getByRole('button', { name: 'Approve. This is your own request: another person has to decide.' }).press('Enter');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await newest()).toMatchObject({ status: 'pending', requesterId: administrator.id, durationSeconds: 3_600 });
    await askForEmergencyAccess(page, 'A second one');
    await page.getByText('You have a request here already').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });

  it('lets another person approve the request', async () => {
    const { page } = owner;
    await openArea(page, 'Break glass');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${administrator.email} may do everything here`).waitFor();
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('row', { name: /Running.*Approved by/ }).waitFor();
    await expectAccessibleOnce(page);
    await picture(page, 'break-glass');
  });

  it('shows the requester the time that is left and gives the permissions of an owner', async () => {
    const { page } = admin;
    await page.goto(pageAt('/roles/new'));
    await page.getByText('You have emergency access as an owner here.').waitFor();
    const left = page.getByRole('timer').first();
    const first = await left.innerText();
    expect(first).toMatch(/^(59:\d\d|1:00:00)$/);
    await left.filter({ hasNotText: first }).waitFor();
    expect(await page.getByRole('checkbox', { name: /^Everything/ }).isEnabled()).toBe(true);
  });

  it('lets the requester end the access', async () => {
    const { page } = admin;
    await page.getByRole('button', { name: 'End it now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText('You have emergency access').waitFor({ state: 'detached' });
    expect(await newest()).toMatchObject({ status: 'ended', endedReason: 'returned' });
    await page.goto(pageAt('/break-glass?status=ended'));
    await page.getByRole('row', { name: /given back/ }).waitFor();
  });
});

it('causes no error in the browser', () => {
  expect([...owner.faults, ...admin.faults]).toEqual([]);
});
