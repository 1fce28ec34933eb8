import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ReceivedRequest, Receiver, ReceiverResponse } from '../support/receiver.js';
import { seedDeliveries } from '../support/seeded-deliveries.js';
import { expectAccessible } from '../support/web.js';
import { webhookPages } from '../support/webhook-pages.js';

const API = '/v1/organizations/acme/webhooks';
const HTML =
  '<html><body onload="window.hostile = 1"><script>window.hostile = 1</script><img src=x onerror="window.hostile = 1"></body></html>';
const CONTROLS = 'before\u0000\u0007\u001b[31mred\u202egnihton\u2066 after';
const LONG = 'x'.repeat(100_000);

function respond({ path }: ReceivedRequest): ReceiverResponse {
  const responses: Record<string, ReceiverResponse> = {
    '/hooks': { status: 200, body: '{"taken":true}' },
    '/html': { status: 500, body: HTML, headers: { 'content-type': 'text/html' } },
    '/controls': { status: 500, body: CONTROLS },
    '/long': { status: 500, body: LONG },
  };
  return responses[path] ?? { status: 404, body: `Cannot POST ${path}` };
}

// The third retry is due after three hours. A failed delivery has the status "Retrying" until the end of the tests.
const site = webhookPages(respond, { webhookRetryScheduleMs: [50, 50, 3 * 3_600_000] });
const { app, button, dialog } = site;

const make = async (body: object): Promise<string> =>
  (await app.api.platform.post(API, { events: ['user.created'], ...body }).expect(201)).body.data.id;
const createUser = (name: string) =>
  app.api.platform.post('/v1/organizations/acme/users', { email: `${name}@example.com` }).expect(201);

let page: Page;
let receiver: Receiver;
let base: string;
beforeAll(() => {
  ({ page, receiver, base } = site);
});

describe('a response body', () => {
  it.each([
    ['html', HTML],
    ['controls', 'before\u2400\u2407\u241b[31mred‹U+202E›gnihton‹U+2066› after'],
    ['long', LONG.slice(0, 16_384)],
  ])('is shown as text (%s)', async (path, expectedText) => {
    const id = await make({ name: path, url: `${receiver.url}${path}`, events: ['organization.created'] });
    const { body } = await app.api.platform.post(`${API}/${id}/test`, { eventType: 'user.created' }).expect(200);
    await page.goto(`${base}/${id}/deliveries/${body.deliveryId}`);
    const region = page.getByRole('region', { name: 'Body: Attempt 1' });
    await region.waitFor();
    // The service replaces NUL before the storage of the body.
    expect((await region.textContent())?.replace('\ufffd', '\u2400')).toBe(expectedText);
    expect(await region.locator('*').count()).toBe(0);
    expect(await page.evaluate('window.hostile')).toBeUndefined();
    await expectAccessible(page);
    if (path === 'long') await page.getByText('Only the first 16 KB are stored.').waitFor();
    await page.goto(`${base}/${id}`);
    await button('Send test event').click();
    await dialog().getByRole('button', { name: 'Send test event', exact: true }).click();
    await dialog().getByText('The receiver did not accept the event').waitFor();
    expect(await page.evaluate('window.hostile')).toBeUndefined();
  });
});

it('a replay of deliveries sends nothing while the webhook is disabled', async () => {
  const id = await make({ name: 'Shop', url: `${receiver.url}hooks` });
  const before = receiver.requests.length;
  await createUser('bea');
  await receiver.waitFor(before + 1, 20_000);
  await app.api.platform.patch(`${API}/${id}`, { enabled: false }).expect(200);
  await page.goto(`${base}/${id}`);
  await page.getByText('Disabled manually').waitFor();
  await button('Replay deliveries').click();
  await dialog().getByLabel('All, including delivered').check();
  await button('Count events').click();
  await dialog().getByText('You can count events').waitFor();
  expect(await button('Replay 1 event').isDisabled()).toBe(true);
});

describe('a long delivery list', () => {
  it('keeps the filters and page in the URL', async () => {
    const id = await make({ name: 'Archive', url: `${receiver.url}hooks`, events: ['role.created'] });
    const { owner, organizationId } = site;
    const seeded = { tenantId: owner.tenantId, organizationId, webhookId: id, url: 'https://archive.acme.example/in' };
    await seedDeliveries(app, seeded, { count: 300, hours: 72, failing: 0.25, failed: 0.15, typicalMs: 70 });
    await page.goto(`${base}/${id}/deliveries`);
    await page.getByText('300 · Page 1 of 15').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.waitForURL(/status=failed/);
    await page.getByText(/^\d\d · Page 1 of [2-4]$/).waitFor();
    await page.getByRole('button', { name: '2', exact: true }).click();
    await page.waitForURL(/page=2/);
    await page.reload();
    await page.getByText(/Page 2 of [2-4]$/).waitFor();
    expect(await page.getByRole('switch', { name: 'Live updates' }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Event type' }).click();
    await page.getByRole('option', { name: 'user.login', exact: true }).click();
    await page.waitForURL(/eventType=user.login&?/);
    await expectAccessible(page);
    await page.getByLabel('From').fill('2020-01-01T00:00');
    await page.getByLabel('Until').fill('2020-01-02T00:00');
    await page.getByRole('heading', { name: 'No deliveries match' }).waitFor();
    await button('Clear filters').click();
    await page.getByText('300 · Page 1 of 15').waitFor();
  });
});

it('the delivery page shows an error for a nonexistent delivery', async () => {
  const id = await make({ name: 'Empty', url: `${receiver.url}hooks` });
  await page.goto(`${base}/${id}/deliveries/dlv_01kf2bgxk4e3s9w5t8p1c7m6zn`);
  await page.getByRole('alert').waitFor();
  await expectAccessible(page);
});
