import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { newId } from '#platform/common';
import { enterAsOperator } from '../support/dashboard.js';
import { numberedEvents } from '../support/event-log.js';
import { made, newOrganization } from '../support/organizations.js';
import { createLoggedUser, organizationWithEvents } from '../support/pages.js';
import { activeUser, login, sessionToken } from '../support/sign-in.js';
import { expectAccessible, expectStateAccessible, openPage, testPage, testSite } from '../support/web.js';

describe('the event log page', () => {
  const app = testSite();
  let page: Page;
  let log: string;
  let create: (email: string) => Promise<void>;

  beforeAll(async () => {
    const { organizationId, administrator } = await organizationWithEvents(app);
    log = `/dashboard/organizations/${organizationId}/events`;
    create = (email) => createLoggedUser(app, organizationId, email);
    page = await openPage(app, administrator);
  });

  it('keeps the filters in the URL', async () => {
    await page.goto(`${log}?type=organization.created`);
    await page.getByRole('button', { name: 'Organization created', exact: true }).waitFor();
    expect(await page.getByRole('table').getByRole('row').count()).toBe(2);
    await page.getByRole('textbox', { name: 'Search' }).fill('nobody@example.com');
    await page.getByText('No events found').waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('nobody@example.com');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('user60@example.com').first().waitFor();

    // People and resources are chosen by name, also after a reload.
    await page.getByRole('combobox', { name: 'Actor' }).fill('signed-in');
    await page.getByRole('option', { name: /signed-in/ }).click();
    await page.getByRole('combobox', { name: 'Target' }).fill('viewer');
    await page.getByRole('option', { name: 'viewer', exact: true }).click();
    await page.getByRole('combobox', { name: 'Event types' }).fill('role.assigned');
    await page.getByRole('option', { name: 'Role assigned' }).click();
    await page.reload();
    await page.getByText('No events found').waitFor();
    expect(await page.getByRole('combobox', { name: 'Actor' }).inputValue()).toMatch(/^signed-in/);
    expect(await page.getByRole('combobox', { name: 'Target' }).inputValue()).toBe('viewer');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      type: 'role.assigned',
      actorId: expect.stringMatching(/^usr_/),
      targetId: 'role_viewer',
    });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: 'Export' })
        .click()
        .then(() => page.getByRole('menuitem', { name: /CSV/ }).click()),
    ]);
    expect(download.suggestedFilename()).toBe('events-acme.csv');
  });

  it('names who caused an event and what it is about, with links', async () => {
    const org = log.split('/').at(-2)!;
    const { key, id } = await made(app, `/v1/organizations/${org}/api-keys`, { name: 'crm', scopes: ['roles:write'] });
    const role = await made(app.api.as(key), `/v1/organizations/${org}/roles`, { name: 'billing', permissions: [] });
    const ada = await activeUser(app, org, { email: 'ada@example.com' });
    await login(app, org, ada.email, 'not the password').expect(401);
    await sessionToken(app, org, ada.email);
    await numberedEvents(app);
    await page.goto(log);
    const row = (event: string) => page.getByRole('row').filter({ has: page.getByRole('button', { name: event, exact: true }) });
    const [failed, signedIn, created, ofKey] = ['Sign-in failed', 'Signed in', 'Role created', 'API key created'].map(row);
    await failed!.first().getByText('Not signed in · 127.0.0.1').waitFor();
    const user = `/dashboard/organizations/${org}/users/${ada.id}`;
    for (const event of [failed!, signedIn!])
      expect(await event.first().getByRole('link', { name: ada.email }).first().getAttribute('href')).toBe(user);
    await created!.getByText(`API key · crm …${key.slice(-4)}`).waitFor();
    expect(await created!.getByRole('link', { name: 'billing' }).getAttribute('href')).toMatch(`/roles/${role.id}`);
    await ofKey!.getByText('Platform key').waitFor();
    expect(await page.getByRole('table').innerText()).not.toContain(id);
    await expectStateAccessible(page);
  });

  it('applies a time filter while the user types', async () => {
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
    await page.goto(log);
    await page.getByLabel('Live').check();
    await page.getByText('Live: no new events yet').waitFor();
    await create('live1@example.com');
    await page.getByText('live1@example.com').first().waitFor();
    await page.context().setOffline(true);
    await create('live2@example.com');
    await page.context().setOffline(false);
    await create('live3@example.com');
    await page.getByText('live3@example.com').first().waitFor();
    const cells = await page.getByRole('cell', { name: /^live\d@example\.com$/ }).allInnerTexts();
    expect(cells).toEqual(['live3@example.com', 'live2@example.com', 'live1@example.com']);
  });
});

describe('the event subscribers page', () => {
  const app = testSite(() => ({ role: 'api' }));
  const page = testPage(app);
  let tenantId: string;
  beforeAll(async () => {
    await enterAsOperator(app, page);
    tenantId = (await newOrganization(app)).id;
  });

  const stopSubscriber = () =>
    app.database.query(
      `INSERT INTO event_subscriber_cursors (tenant_id, subscriber, position, head, attempts, failed_event_id, failed_position, last_error, stopped_at)
       VALUES ($1, 'crm-sync', 3, 5, 10, $2, 4, 'The CRM answered with status 503.', now())
       ON CONFLICT (tenant_id, subscriber) DO UPDATE SET position = 3, attempts = 10, failed_event_id = $2, failed_position = 4,
         last_error = EXCLUDED.last_error, due_at = NULL, stopped_at = now()`,
      [tenantId, newId('event')],
    );
  const position = async () =>
    (await app.database.query<{ position: string }>('SELECT position FROM event_subscriber_cursors'))[0]!.position;

  it('shows a message if no event subscriber exists', async () => {
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Event subscribers' }).click();
    await page.getByRole('heading', { name: 'No event subscribers' }).waitFor();
    await expectAccessible(page);
  });

  it('retries or skips the failed event of a stopped subscriber', async () => {
    await stopSubscriber();
    await page.goto('/dashboard/event-subscribers');
    const row = page.getByRole('row', { name: /The CRM answered with status 503/ });
    await row.waitFor();
    await page.getByText('Stopped for 1 organization').waitFor();
    await expectAccessible(page);
    await row.getByRole('button', { name: 'Retry' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await position()).toBe('3');

    await stopSubscriber();
    await page.reload();
    await row.getByRole('button', { name: 'Skip event' }).click();
    const dialog = page.getByRole('dialog', { name: 'Skip this event?' });
    await dialog.getByText('crm-sync continues with the next event').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Skip event' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await position()).toBe('4');
  });
});
