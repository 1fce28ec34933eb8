import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { momentOf } from '../support/history.js';
import type { TestBody } from '../support/http-client.js';
import { made } from '../support/organizations.js';
import { newTeam, openArea } from '../support/pages.js';
import { signedIn } from '../support/signed-in.js';
import { closeWindows, expectAccessibleOnce, openWindowOf, picture, startSite, type Window } from '../support/web.js';

const JOURNEY_TIMEOUT_MS = 120_000;

describe('the pages as of a past moment', () => {
  let app: TestApp;
  let window: Window;
  let page: Page;
  let organization: TestBody;
  let ada: TestBody;
  /** A moment before the changes. */
  let past: string;

  const pageAt = (path: string, query: Record<string, string> = {}): string =>
    `/dashboard/organizations/${organization.id}${path}?${new URLSearchParams(query)}`;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const banner = () => page.getByRole('region', { name: 'Past moment' });
  const compare = () => page.getByRole('switch', { name: 'Compare with now' });
  const differences = () => page.getByRole('table', { name: 'Changes since this moment' });

  beforeAll(async () => {
    app = await startSite();
    ({ organization, ada } = await newTeam(app));
    window = await openWindowOf(app, (await signedIn(app, organization.id, { roles: ['owner'] })).token);
    page = window.page;
    past = await momentOf(app.database);
    const path = `/v1/organizations/${organization.id}`;
    await app.api.platform.patch(`${path}/users/${ada.id}`, { displayName: 'Countess Lovelace' }).expect(200);
    await made(app, `${path}/users/${ada.id}/roles`, { roleId: 'admin' });
    await app.api.platform.patch(path, { settings: { sessionTimeout: 3_600 } }).expect(200);
  });
  afterAll(() => expect(window.faults).toEqual([]));
  afterAll(async () => {
    await closeWindows();
    await app?.close();
  });

  it(
    'let an auditor compare a past moment with now',
    async () => {
      await openUser();
      await compareUser();
      await checkPermission();
      await compareSettings();
    },
    JOURNEY_TIMEOUT_MS,
  );

  async function openUser(): Promise<void> {
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
  }

  async function compareUser(): Promise<void> {
    await compare().press('Space');
    await differences().waitFor();
    expect(await rowsOf(differences())).toEqual([
      ['Display name', 'Ada Lovelace', 'Countess Lovelace'],
      ['Roles in this organization', 'member', 'admin\nmember'],
    ]);
    await expectAccessibleOnce(page);
    await picture(page, 'as-of');
    await button('Show now').click();
    await page.getByRole('heading', { level: 1, name: 'Countess Lovelace' }).waitFor();
    await button('Suspend user').waitFor();
    expect(new URL(page.url()).search).toBe('?tab=roles');
  }

  async function checkPermission(): Promise<void> {
    await page.goto(pageAt('/permissions', { asOf: past, compare: 'true', user: ada.id, permission: 'users:write' }));
    await page.getByRole('heading', { name: 'No, Ada Lovelace does not have users:write' }).waitFor();
    await page.getByRole('heading', { name: 'Yes, Countess Lovelace has users:write' }).waitFor();
    await page.getByRole('row', { name: /^Explain users:write.* No Yes Changed admin in Northwind Europe$/ }).waitFor();
    await expectAccessibleOnce(page);
  }

  async function compareSettings(): Promise<void> {
    await openArea(page, 'Settings');
    await openMoment(past);
    await compare().press('Space');
    await differences().waitFor();
    expect(await rowsOf(differences())).toEqual([['Idle timeout', '24 hours\nDefault', '1 hour\nSet here']]);
    expect(await page.getByRole('switch', { name: 'Lock “Require MFA” for child organizations' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^Override/ }).count()).toBe(0);
    await expectAccessibleOnce(page);
  }

  /** Replaces the moment in the URL. The dialog has no seconds. */
  async function openMoment(asOf: string): Promise<void> {
    await page.goto(pageAt('/settings', { asOf }));
    await banner().waitFor();
  }

  it(
    'reject moments in the future and offer the earliest moment',
    async () => {
      await page.goto(pageAt(`/users/${ada.id}`));
      await button('View as of…').press('Enter');
      const dialog = page.getByRole('dialog', { name: 'View a past moment' });
      await dialog.getByLabel('Date and time').fill('2999-01-01T10:00');
      await dialog.getByRole('button', { name: 'Show state' }).click();
      await dialog.getByText('The moment is in the future. Select a past moment.').waitFor();
      await expectAccessibleOnce(page);
      await dialog.getByLabel('Date and time').fill('2020-03-03T10:00');
      await page.keyboard.press('Enter');
      await banner()
        .getByText(/^As of March 3, 2020 at 10:00 AM/)
        .waitFor();
      await page.getByText(/^The history begins on /).waitFor();
      await expectAccessibleOnce(page);

      // The history is older than the user.
      await button('Show earliest moment').click();
      await page.getByText('Not found at this moment').waitFor();
      await button('Show now').click();
      await page.getByRole('heading', { level: 1, name: 'Countess Lovelace' }).waitFor();
    },
    JOURNEY_TIMEOUT_MS,
  );
});

/** Returns the texts of the cells of each row without the header. */
async function rowsOf(table: Locator): Promise<string[][]> {
  const rows = await table.locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}
