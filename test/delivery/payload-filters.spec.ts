import { beforeAll, expect, it } from '@jest/globals';
import { testReceiver } from '../support/receiver.js';
import { eventually } from '../support/delivery-app.js';
import { testApp } from '../support/test-app.js';

const HOOKS = '/v1/organizations/acme/webhooks';
const FILTER = { name: { $in: ['billing', 'support'] } };

const app = testApp();
const receiver = testReceiver();

beforeAll(async () => {
  await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
});

const createWebhook = async (body: object): Promise<string> =>
  `${HOOKS}/${(await app.api.platform.post(HOOKS, { url: receiver.url, events: ['role.created'], ...body }).expect(201)).body.data.id}`;
const createRole = async (name: string): Promise<void> => {
  await app.api.platform.post('/v1/organizations/acme/roles', { name, permissions: [] }).expect(201);
};
const sequences = async (webhook: string): Promise<number[]> =>
  (await app.api.platform.get(`${webhook}/deliveries`).expect(200)).body.data.map(
    ({ sequence }: { sequence: number }) => sequence,
  );
const reconciliation = async (webhook: string) =>
  (await app.api.platform.get(`${webhook}/reconciliation?since=2020-01-01T00:00:00Z`).expect(200)).body.data;

it('a webhook with a filter receives only matching events, with sequence numbers without gaps', async () => {
  const filtered = await createWebhook({ filter: FILTER });
  const everything = await createWebhook({});
  expect((await app.api.platform.get(filtered).expect(200)).body.data.filter).toEqual(FILTER);
  expect((await app.api.platform.get(everything).expect(200)).body.data).not.toHaveProperty('filter');
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
  expect((await app.api.platform.get(filtered).expect(200)).body.data).not.toHaveProperty('filter');
  await eventually(async () => (await reconciliation(filtered)).complete, 10_000, 'all delivered');
});

it('rejects an invalid filter in the creation and the update of a webhook', async () => {
  const filter = { name: { $regex: '(a+)+$' } };
  const webhook = await createWebhook({ events: ['role.deleted'] });
  for (const refused of [
    await app.api.platform.post(HOOKS, { url: receiver.url, events: ['*'], filter }).expect(400),
    await app.api.platform.patch(webhook, { filter }).expect(400),
  ])
    expect(refused.body.errors).toMatchObject([{ pointer: '/filter/name/$regex', code: 'invalid_operator' }]);
});
