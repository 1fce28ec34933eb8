import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#platform/common';
import type { TestApp } from '../support/app.js';
import { enterAsOperator } from '../support/dashboard.js';
import { newOrganization } from '../support/organizations.js';
import { closeWindows, expectAccessible, openWindow, startSite, type Window } from '../support/web.js';

describe('the event subscribers page', () => {
  let app: TestApp;
  let window: Window;
  let tenantId: string;
  beforeAll(async () => {
    app = await startSite({ role: 'api' });
    window = await openWindow(app.config.baseUrl);
    await enterAsOperator(app, window.page);
    tenantId = (await newOrganization(app)).id;
  });
  afterAll(async () => {
    await closeWindows();
    await app.close();
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
    const { page } = window;
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Event subscribers' }).click();
    await page.getByRole('heading', { name: 'No event subscribers' }).waitFor();
    await expectAccessible(page);
  });

  it('retries or skips the failed event of a stopped subscriber', async () => {
    const { page } = window;
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
    await dialog.getByText(/crm-sync continues with the next event/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Skip event' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await position()).toBe('4');
    expect(window.faults).toEqual([]);
  });
});
