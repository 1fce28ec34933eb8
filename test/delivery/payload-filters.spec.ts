import { expect, it } from '@jest/globals';
import { eventually } from '../support/delivery-app.js';
import type { TestBody } from '../support/http-client.js';
import { read } from '../support/organizations.js';
import { testReceiver } from '../support/receiver.js';
import { testApp } from '../support/test-app.js';
import { WebhookDeliveries } from '../support/webhook-deliveries.js';

const FILTER = { name: { $in: ['billing', 'support'] } };

const app = testApp();
const receiver = testReceiver();
const deliveries = new WebhookDeliveries(app, receiver);

const createRole = (name: string) => deliveries.createRoles(1, { name });
const sequences = async (webhook: string): Promise<number[]> =>
  (await read(app, `${webhook}/deliveries`)).map(({ sequence }: TestBody) => sequence);
const reconciliation = (webhook: string) => read(app, `${webhook}/reconciliation?since=2020-01-01T00:00:00Z`);

it('a webhook with a filter receives only matching events, with sequence numbers without gaps', async () => {
  const filtered = await deliveries.createWebhook({ filter: FILTER });
  const everything = await deliveries.createWebhook({});
  expect((await read(app, filtered)).filter).toEqual(FILTER);
  expect(await read(app, everything)).not.toHaveProperty('filter');
  for (const name of ['billing', 'sales', 'legal', 'support', 'press']) await createRole(name);
  await eventually(async () => (await sequences(everything)).length === 5, 10_000, 'all relayed');
  expect(await sequences(filtered)).toEqual([2, 1]);
  expect(await sequences(everything)).toEqual([5, 4, 3, 2, 1]);
  await eventually(async () => (await reconciliation(filtered)).complete, 10_000, 'all delivered');
  expect(await reconciliation(filtered)).toMatchObject({ matched: 2, delivered: 2, missing: 0 });

  await app.api.platform.patch(filtered, { filter: { name: { $ne: 'board' } } }).expect(200);
  for (const name of ['board', 'staff']) await createRole(name);
  await app.api.platform.patch(filtered, { filter: null }).expect(200);
  await eventually(async () => (await sequences(everything)).length === 7, 10_000, 'all relayed');
  await createRole('guests');
  await eventually(async () => (await sequences(filtered)).includes(4), 10_000, 'the last is relayed');
  expect(await read(app, filtered)).not.toHaveProperty('filter');
  await eventually(async () => (await reconciliation(filtered)).complete, 10_000, 'all delivered');
});

it('rejects an invalid filter in the creation and the update of a webhook', async () => {
  const filter = { name: { $regex: '(a+)+$' } };
  const webhook = await deliveries.createWebhook({ events: ['role.deleted'] });
  for (const refused of [
    await app.api.platform.post(`${deliveries.at}/webhooks`, { url: receiver.url, events: ['*'], filter }).expect(400),
    await app.api.platform.patch(webhook, { filter }).expect(400),
  ])
    expect(refused.body.errors).toMatchObject([{ pointer: '/filter/name/$regex', code: 'invalid_operator' }]);
});
