import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { organizationWithEvents } from '../support/pages.js';
import { closeWindows, enterSession, expectAccessibleOnce, openWindow, picture, startSite, type Window } from '../support/web.js';

let app: TestApp;
let window: Window;
let page: Page;

beforeAll(async () => {
  app = await startSite();
  window = await openWindow(app.config.baseUrl);
  page = window.page;
});
afterAll(async () => {
  await closeWindows();
  await app?.close();
});

describe('the event log', () => {
  let log: string;

  beforeAll(async () => {
    const { organizationId, administrator } = await organizationWithEvents(app);
    log = `/dashboard/organizations/${organizationId}/events`;
    await enterSession(window, app, administrator.token);
  });

  it('lists the newest events first, loads older ones, and shows all data of an event', async () => {
    await page.goto(log);
    const rows = page.getByRole('table').getByRole('row');
    await page.getByText('user60@example.com').first().waitFor();
    expect(await rows.count()).toBe(51);
    await page.getByRole('button', { name: 'Older events' }).click();
    await page.getByText('user1@example.com').first().waitFor();
    await page.getByRole('heading', { name: 'Event log' }).scrollIntoViewIfNeeded();
    await picture(page, 'events');

    await page.getByRole('button', { name: 'A user was created' }).first().click();
    await page.getByRole('dialog').getByText('"user60@example.com"').waitFor();
    expect(await page.getByRole('dialog').getByLabel('Data').innerText()).toContain('<b>Ada</b>');
    await expectAccessibleOnce(page);
    await picture(page, 'event');
    await page.keyboard.press('Escape');
  });

  it('verifies that no event was changed and finds one that was changed in the database', async () => {
    await page.getByRole('link', { name: 'Verify the log' }).click();
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('The log is untouched').waitFor();
    await expectAccessibleOnce(page);
    await picture(page, 'event-verification');
    await app.database.query(`UPDATE events SET payload = replace(payload, 'user7@', 'user8@') WHERE payload LIKE '%"user7@%'`);
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('The log was tampered with').waitFor();
    await page.getByText(/The first event that is not as it was written: number \d+/).waitFor();
  });
});

describe('the guide', () => {
  it('opens a page by its link and finds another one by its words', async () => {
    await page.goto('/docs/guide/');
    await page.getByRole('link', { name: 'Concepts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Concepts' }).waitFor();
    await page.getByRole('img', { name: 'From the request through one transaction' }).waitFor();

    await page.keyboard.press('Control+k');
    await page.locator('#localsearch-input').fill('external identifier cursor_gone');
    await page.locator('.VPLocalSearchBox .result', { hasText: 'Cursor gone' }).first().click();
    await page.waitForURL(/\/docs\/guide\/errors\/cursor_gone/);
    await expectAccessibleOnce(page);
  });
});

it('causes no error in the browser', () => {
  expect(window.faults).toEqual([]);
});
