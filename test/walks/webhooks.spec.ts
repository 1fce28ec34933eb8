// Processor time: Chromium loads and renders each page of the area, and axe checks it.
import { expect, it } from '@jest/globals';
import { EVENT_TYPES } from '#platform/events';
import { made, read } from '../support/organizations.js';
import { openArea } from '../support/pages.js';
import type { ReceivedRequest, ReceiverResponse } from '../support/receiver.js';
import { expectAccessible, expectStateAccessible, picture } from '../support/web.js';
import { webhookPages } from '../support/webhook-pages.js';

const API = '/v1/organizations/acme/webhooks';

function respond({ path }: ReceivedRequest): ReceiverResponse {
  if (path === '/hooks' || path === '/orders') return { status: 200, body: '{"taken":true}' };
  return { status: 404, body: `Cannot POST ${path}` };
}

// The third retry is due after three hours. A failed delivery has the status "Retrying" until the end of the test.
const site = webhookPages(respond, { webhookRetryScheduleMs: [50, 50, 3 * 3_600_000] });
const { app, button, dialog, page, receiver } = site;

it('lets an owner create and test a webhook, and resend a failed delivery', async () => {
  // Opens the form on the empty list and submits the form with errors.
  await page.goto(site.base);
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  await page.getByRole('link', { name: 'Create webhook' }).click();
  await page.getByRole('textbox', { name: 'Endpoint URL' }).fill('example');
  await page.getByLabel('Filter', { exact: true }).fill('{"status": {"$regex": "a"}}');
  await button('Create webhook').click();
  for (const fieldError of ['Enter a complete URL', 'Select at least one event type', '$regex is not an operator'])
    await page.getByText(fieldError).waitFor();
  await expectAccessible(page);
  await fillInForm();
  const secret = await createWebhook();
  await expectWebhook(secret);

  await button('Send test event').click();
  await dialog().getByRole('button', { name: 'Send test event', exact: true }).click();
  await dialog().getByText('The receiver accepted the event').waitFor();
  await dialog().getByText('Responded with 200 after').waitFor();
  await dialog().getByText('{"taken":true}').waitFor();
  await dialog().getByRole('link', { name: 'View delivery' }).click();
  await page.getByRole('heading', { name: 'user.created', level: 1 }).waitFor();

  await openFailedDelivery();
  await readAttempts();

  // Copies the request as a curl command with masked headers, then copies the payload. Both contain the body as it was sent.
  await button('Copy as curl').click();
  const { body } = receiver.requests.find(({ path }) => path === '/ordres')!;
  const command = String(await page.evaluate('navigator.clipboard.readText()'));
  expect(command).toContain(`curl -X POST '${receiver.url}ordres'`);
  expect(command).toContain("-H 'x-key: ********'");
  expect(command).toContain(`--data-raw '${body.toString().replaceAll("'", String.raw`'\''`)}'`);
  await button('Copy raw payload: Payload as JSON').click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(body.toString());

  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('navigation', { name: 'Webhook pages' }).getByRole('link', { name: 'Reconciliation' }).click();
  await page.getByText('The URL was not found (status 404)').waitFor();
  await page.getByText(/^Since .*, all 3 attempts have failed\.$/).waitFor();
  await expectStateAccessible(page);
  await page.getByRole('navigation', { name: 'Webhook pages' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('textbox', { name: 'Endpoint URL' }).fill(`${receiver.url}orders`);
  await button('Save').click();
  await page.getByText('Webhook saved. Changes apply from the next delivery.').waitFor();
  await button('Send the waiting event now').click();
  await dialog().getByText('All events were delivered.').waitFor();
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await button('Send the waiting event now').waitFor({ state: 'detached' });

  await page.getByRole('navigation', { name: 'Webhook pages' }).getByRole('link', { name: 'Deliveries' }).click();
  await page.getByRole('link', { name: 'user.created' }).click();
  await button('Resend').click();
  await dialog().getByText('with a new signature').waitFor();
  await dialog().getByRole('button', { name: 'Resend' }).click();
  await page.getByText('Delivered', { exact: true }).waitFor();
  await page.getByText('None. The event was delivered.').waitFor();
  await page.getByRole('heading', { name: 'Attempt 5' }).waitFor();
  expect(receiver.requests.at(-1)).toMatchObject({ path: '/orders' });
  await picture(page, 'delivery');
});

async function fillInForm(): Promise<void> {
  await page.getByRole('textbox', { name: 'Endpoint URL' }).fill(`${receiver.url}hooks`);
  await page.getByLabel('Name', { exact: true }).fill('Billing');
  await page.getByLabel('Search event types').fill('suspended');
  await page.getByRole('checkbox', { name: 'user.suspended' }).waitFor();
  expect(await page.getByRole('checkbox', { name: 'role.created' }).count()).toBe(0);
  await page.getByLabel('Search event types').fill('');
  await page.getByRole('checkbox', { name: 'All events', exact: true }).press('Space');
  const withoutWebhooks = EVENT_TYPES.filter((type) => !type.startsWith('webhook.'));
  await page.getByText(`${withoutWebhooks.length} of ${EVENT_TYPES.length} event types selected`).waitFor();
  expect(await page.getByRole('checkbox', { name: 'All webhook.* events' }).isChecked()).toBe(false);
  await page.getByRole('checkbox', { name: 'All events', exact: true }).press('Space');
  await page.getByRole('checkbox', { name: 'All user.* events' }).press('Space');
  const ofUsers = EVENT_TYPES.filter((type) => type.startsWith('user.'));
  await page.getByText(`${ofUsers.length} of ${EVENT_TYPES.length} event types selected`).waitFor();
  await button('Field has a value').click();
  await page.getByText('The filter is valid.').waitFor();
  await page.getByLabel('Filter', { exact: true }).fill('{"status": {"$ne": "deleted"}}');
}

/** Creates the webhook by keyboard and copies its secret. */
async function createWebhook(): Promise<string> {
  await button('Add header').click();
  await page.getByLabel('Header name').fill('content-type');
  await page.getByLabel('Header value').fill('Bearer abc');
  await button('Create webhook').press('Enter');
  // The form shows a validation error of the service at the invalid field.
  await page.getByText('is set by the service for each delivery').first().waitFor();
  await page.getByLabel('Header name').fill('authorization');
  await button('Create webhook').press('Enter');

  await dialog().getByText('Webhook created').waitFor();
  const secret = (await dialog().locator('code').textContent())!;
  expect(secret).toMatch(/^whsec_/);
  await dialog().getByRole('button', { name: 'Copy: Signing secret' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
  await button('I’ve stored it securely').click();
  return secret;
}

/** Checks that the webhook has the values of the form and that the page hides the secret. */
async function expectWebhook(secret: string): Promise<void> {
  await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
  expect(await read(app, `${API}/${page.url().split('/').at(-1)!}`)).toMatchObject({
    name: 'Billing',
    events: ['user.*'],
    headers: { authorization: '********' },
    filter: { status: { $ne: 'deleted' } },
  });
  await page.getByRole('heading', { name: 'Webhook details' }).waitFor();
  expect(await page.content()).not.toContain(secret);
  await expectAccessible(page);
}

/** Waits for a failed delivery in the list and opens the delivery by keyboard. */
async function openFailedDelivery(): Promise<void> {
  const headers = { 'x-key': "it's secret" };
  const webhook = { name: 'Orders', url: `${receiver.url}ordres`, events: ['user.created'], headers };
  await made(app, API, webhook);
  await openArea(page, 'Webhooks');
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('navigation', { name: 'Webhook pages' }).getByRole('link', { name: 'Deliveries' }).click();
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor();
  await made(app, '/v1/organizations/acme/users', { email: 'ada@example.com' });
  const row = page.getByRole('row', { name: /user.created/ });
  await row.getByText('Retrying').waitFor();
  await row.getByText('404').waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'user.created' }).press('Enter');
  await page.getByRole('heading', { name: 'user.created', level: 1 }).waitFor();
}

async function readAttempts(): Promise<void> {
  await page.getByRole('heading', { name: 'Attempt 3' }).waitFor();
  await page.getByText('The URL was not found').first().waitFor();
  await page.getByText('Cannot POST /ordres').first().waitFor();
  await page.getByRole('region', { name: 'Next attempts' }).getByText('Attempt 4: in 3 hours').waitFor();
  await button('Request').first().click();
  await page.getByText(`POST ${receiver.url}ordres`).first().waitFor();
  await page.getByRole('row', { name: /service-signature t=\d+,v1=[0-9a-f]{64}/ }).waitFor();
  await page.getByRole('row', { name: /x-key \*{8}/ }).waitFor();
  await expectAccessible(page);
}
