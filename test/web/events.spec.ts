import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { startChromium } from '../support/chromium.js';
import { numberedEvents } from '../support/event-log.js';
import { signedIn } from '../support/signed-in.js';
import { enterSession, expectAccessible, openWindow, picture, startSite, type Window } from '../support/web.js';

/** The event log of the dashboard. */
describe('event log pages', () => {
  let app: TestApp;
  let browser: Browser;
  let window: Window;
  let organization: string;
  let log: string;

  const create = (email: string) =>
    app.api.platform.post(`/v1/organizations/${organization}/users`, { email, firstName: '<b>Ada</b>' }).expect(201);

  beforeAll(async () => {
    app = await startSite();
    browser = await startChromium();
    organization = (await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201)).body.data.id;
    log = `/dashboard/organizations/${organization}/events`;
    const admin = await signedIn(app, organization, { roles: ['admin'] });
    for (let number = 1; number <= 60; number += 1) await create(`user${number}@example.com`);
    await numberedEvents(app);
    window = await openWindow(browser, app.config.baseUrl);
    await enterSession(window, app, admin.token);
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });

  it('shows what happened, newest first, goes back in time, and has all of an event', async () => {
    const { page } = window;
    await page.goto(log);
    const rows = page.getByRole('table').getByRole('row');
    await page.getByText('user60@example.com').first().waitFor();
    expect(await rows.count()).toBe(51);
    await page.getByRole('button', { name: 'Older events' }).click();
    await page.getByText('user1@example.com').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('heading', { name: 'Event log' }).scrollIntoViewIfNeeded();
    await picture(page, 'events');

    await page.getByRole('button', { name: 'A user was created' }).first().click();
    await page.getByRole('dialog').getByText('"user60@example.com"').waitFor();
    expect(await page.getByRole('dialog').getByLabel('Data').innerText()).toContain('<b>Ada</b>');
    await expectAccessible(page);
    await picture(page, 'event');
    await page.keyboard.press('Escape');
  });

  it('filters, with the filters in the address', async () => {
    const { page } = window;
    await page.goto(`${log}?type=organization.created`);
    await page.getByRole('button', { name: 'An organization was created' }).waitFor();
    expect(await page.getByRole('table').getByRole('row').count()).toBe(2);
    await page.getByLabel('Caused by').fill('usr_nobody');
    await page.getByText('No such event').waitFor();
    expect(new URL(page.url()).searchParams.get('actorId')).toBe('usr_nobody');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('user60@example.com').first().waitFor();
  });

  it('filters by a time as it is typed, digit by digit', async () => {
    const { page } = window;
    await page.goto(`${log}?since=2025-03-04T05:06:00.000Z`);
    const since = page.getByLabel('Since');
    await since.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('2024', { delay: 100 });
    await page.waitForURL((url) => url.searchParams.get('since')?.startsWith('2024-03-04') === true);
    expect(await since.inputValue()).toMatch(/^2024-03-04T/);
    await page.goto(`${log}?since=never`);
    await page.getByRole('heading', { name: 'Event log' }).waitFor();
  });

  it('shows events as they happen, and none twice or never when the connection breaks off', async () => {
    const { page, context } = window;
    await page.goto(log);
    await page.getByLabel('Live').check();
    await page.getByText('Live: waiting for the next event').waitFor();
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

  it('verifies the chain, and finds what was changed behind the service’s back', async () => {
    const { page } = window;
    await page.goto(`${log}/verification`);
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('The log is untouched').waitFor();
    await expectAccessible(page);
    await picture(page, 'event-verification');
    await app.database.query(`UPDATE events SET payload = replace(payload, 'user7@', 'user8@') WHERE payload LIKE '%"user7@%'`);
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('The log was tampered with').waitFor();
    await page.getByText(/The first event that is not as it was written: number \d+/).waitFor();
    expect(window.faults.filter((fault) => !fault.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  });
});
