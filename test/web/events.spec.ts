import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { createLoggedUser, organizationWithEvents } from '../support/pages.js';
import { closeWindows, enterSession, expectAccessible, openWindow, startSite, type Window } from '../support/web.js';

describe('the event log page', () => {
  let app: TestApp;
  let window: Window;
  let organization: string;
  let log: string;

  const create = (email: string): Promise<void> => createLoggedUser(app, organization, email);

  beforeAll(async () => {
    app = await startSite();
    const { organizationId, administrator } = await organizationWithEvents(app);
    organization = organizationId;
    log = `/dashboard/organizations/${organization}/events`;
    window = await openWindow(app.config.baseUrl);
    await enterSession(window, app, administrator.token);
  });
  afterAll(async () => {
    await closeWindows();
    await app.close();
  });

  it('is accessible in light and dark mode', async () => {
    const { page } = window;
    await page.goto(log);
    await page.getByText('user60@example.com').first().waitFor();
    await page.getByRole('button', { name: 'Load older events' }).click();
    await page.getByText('user1@example.com').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'User created', exact: true }).first().click();
    await page.getByRole('dialog').getByText('"user60@example.com"').waitFor();
    await expectAccessible(page);
    await page.goto(`${log}/verification`);
    await page.getByRole('button', { name: 'Verify log' }).click();
    await page.getByText('The event log is intact').waitFor();
    await expectAccessible(page);
  });

  it('keeps the filters in the URL', async () => {
    const { page } = window;
    await page.goto(`${log}?type=organization.created`);
    await page.getByRole('button', { name: 'Organization created', exact: true }).waitFor();
    expect(await page.getByRole('table').getByRole('row').count()).toBe(2);
    await page.getByLabel('Actor').fill('usr_nobody');
    await page.getByText('No events found').waitFor();
    expect(new URL(page.url()).searchParams.get('actorId')).toBe('usr_nobody');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('user60@example.com').first().waitFor();
  });

  it('applies a time filter while the user types', async () => {
    const { page } = window;
    await page.goto(`${log}?since=2025-03-04T05:06:00.000Z`);
    const since = page.getByLabel('From');
    await since.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('2024', { delay: 100 });
    await page.waitForURL((url) => url.searchParams.get('since')?.startsWith('2024-03-04') === true);
    expect(await since.inputValue()).toMatch(/^2024-03-04T/);
    await page.goto(`${log}?since=never`);
    await page.getByRole('heading', { name: 'Event log' }).waitFor();
  });

  it('shows new events without a reload', async () => {
    const { page, context } = window;
    await page.goto(log);
    await page.getByLabel('Live').check();
    await page.getByText('Live: no new events yet').waitFor();
    await create('live1@example.com');
    await page.getByText('live1@example.com').first().waitFor();
    await context.setOffline(true);
    await create('live2@example.com');
    await context.setOffline(false);
    await create('live3@example.com');
    await page.getByText('live3@example.com').first().waitFor();
    const cells = await page.getByRole('cell', { name: /^live\d@example\.com$/ }).allInnerTexts();
    expect(cells).toEqual(['live3@example.com', 'live2@example.com', 'live1@example.com']);
  });

  it('logs no errors', () => {
    expect(window.faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  });
});
