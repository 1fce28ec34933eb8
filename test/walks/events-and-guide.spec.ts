import { beforeAll, describe, expect, it } from '@jest/globals';
import { organizationWithEvents } from '../support/pages.js';
import { enterSession, expectAccessible, picture, testPage, testSite } from '../support/web.js';

const app = testSite();
const page = testPage(app);

describe('the event log', () => {
  let log: string;

  beforeAll(async () => {
    const { organizationId, administrator } = await organizationWithEvents(app);
    log = `/dashboard/organizations/${organizationId}/events`;
    await enterSession(page, app, administrator);
  });

  it('detects an event that was changed in the database', async () => {
    await page.goto(log);
    const rows = page.getByRole('table').getByRole('row');
    await page.getByText('user60@example.com').first().waitFor();
    expect(await rows.count()).toBe(51);
    await page.getByRole('button', { name: 'Load older events' }).click();
    await page.getByText('user1@example.com').first().waitFor();
    await page.getByRole('heading', { name: 'Event log' }).scrollIntoViewIfNeeded();
    await picture(page, 'events');

    // Opens an event and checks that the page shows HTML in the event data as text.
    await page.getByRole('button', { name: 'User created', exact: true }).first().click();
    await page.getByRole('dialog').getByText('"user60@example.com"').waitFor();
    expect(await page.getByRole('dialog').getByLabel('Data').innerText()).toContain('<b>Ada</b>');
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Verify event log' }).click();
    await page.getByRole('button', { name: 'Verify log' }).click();
    await page.getByText('The event log is intact').waitFor();
    await expectAccessible(page);

    await app.database.query(`UPDATE events SET payload = replace(payload, 'user7@', 'user8@') WHERE payload LIKE '%"user7@%'`);
    await page.getByRole('button', { name: 'Verify log' }).click();
    await page.getByText('The event log was tampered with').waitFor();
    await page.getByText(/First invalid event: position \d+/).waitFor();
  });
});

describe('the API reference', () => {
  it('lets a developer find an operation, and shows samples in their language', async () => {
    await page.goto('/docs');
    await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('searchbox').fill('invite');
    await page.getByRole('link', { name: 'Invite a pending user' }).click();
    await page.getByRole('heading', { level: 1, name: 'Invite a pending user' }).waitFor();
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByText('identity.invite_user(').waitFor();
    await page.getByText('Fields').first().click();
    await expectAccessible(page);
  });
});

describe('the guide', () => {
  it('lets a reader find a page with the search', async () => {
    await page.goto('/docs/guide/');
    await page.getByRole('link', { name: 'Concepts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Concepts' }).waitFor();
    await page.getByRole('img', { name: 'A request writes the change and the event in one transaction' }).waitFor();

    await page.keyboard.press('Control+k');
    await page.locator('#localsearch-input').fill('external identifier cursor_gone');
    await page.locator('.VPLocalSearchBox .result', { hasText: 'Cursor no longer valid' }).first().click();
    await page.waitForURL(/\/docs\/guide\/errors\/cursor_gone/);
    await expectAccessible(page);
    expect((await page.request.get('/docs/guide/no-such-page')).status()).toBe(404);
  });
});
