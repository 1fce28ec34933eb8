import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestBody } from '../support/http-client.js';
import { testReceiver } from '../support/receiver.js';
import { eventually } from '../support/delivery-app.js';
import { testApp } from '../support/test-app.js';

const AT = '/v1/organizations/acme';

const app = testApp({ webhookRetryScheduleMs: [50] });
let status: number;
const receiver = testReceiver(() => ({ status }));
let webhook: string;
let roles = 0;

const get = async (path: string): Promise<TestBody> => (await app.api.platform.get(path).expect(200)).body.data;
const patch = (body: object) => app.api.platform.patch(webhook, body);
const deliveries = (): Promise<TestBody[]> => get(`${webhook}/deliveries?limit=100`);
const createRole = () => app.api.platform.post(`${AT}/roles`, { name: `role-${++roles}`, permissions: [] }).expect(201);
const createRoles = (count: number) => Promise.all(Array.from({ length: count }, createRole));

beforeAll(async () => {
  await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
});
beforeEach(async () => {
  status = 200;
  if (webhook) await app.api.platform.delete(webhook).expect(204);
  const body = { url: receiver.url, events: ['role.created'], rateLimit: 1 };
  webhook = `${AT}/webhooks/${(await app.api.platform.post(`${AT}/webhooks`, body).expect(201)).body.data.id}`;
  receiver.requests.length = 0;
});

describe('rate limit of a webhook', () => {
  it('is created, updated and removed through the API', async () => {
    expect((await get(webhook)).rateLimit).toBe(1);
    expect((await patch({ rateLimit: 1_000 }).expect(200)).body.data.rateLimit).toBe(1_000);
    expect((await patch({ name: 'Renamed' }).expect(200)).body.data.rateLimit).toBe(1_000);
    expect((await patch({ rateLimit: null }).expect(200)).body.data).not.toHaveProperty('rateLimit');
    expect(await get(webhook)).not.toHaveProperty('rateLimit');
  });

  it('keeps deliveries pending until their time without counting an attempt', async () => {
    await createRoles(5);
    await receiver.waitFor(1, 5_000);
    const hasTime = ({ nextAttemptAt, status }: TestBody) => status === 'succeeded' || (status === 'pending' && nextAttemptAt);
    await eventually(async () => (await deliveries()).filter(hasTime).length === 5, 5_000, 'each delivery has a time');
    const waiting = (await deliveries()).filter((delivery) => delivery.status === 'pending');
    expect(waiting.length).toBeGreaterThanOrEqual(2);
    for (const { attemptCount, nextAttemptAt } of waiting) {
      expect(attemptCount).toBe(0);
      expect(Date.parse(nextAttemptAt)).toBeGreaterThan(Date.now() - 1_000);
    }
    await receiver.waitFor(5, 15_000);
    await eventually(
      async () => (await deliveries()).every((delivery) => delivery.attemptCount === 1),
      5_000,
      'one attempt each',
    );
  });

  it('applies to each attempt, including retries', async () => {
    status = 500;
    await createRoles(1);
    const [first, second] = await receiver.waitFor(2, 5_000);
    expect(second!.receivedAt - first!.receivedAt).toBeGreaterThan(400);
    await eventually(async () => (await deliveries())[0].status === 'failed', 5_000, 'no attempt beyond the schedule');
    expect(receiver.requests).toHaveLength(2);
  });

  it('delays no deliveries after the limit is removed', async () => {
    await createRoles(25);
    await receiver.waitFor(1, 5_000);
    await patch({ rateLimit: null }).expect(200);
    await receiver.waitFor(25, 20_000);
  });

  it('does not apply to test deliveries', async () => {
    await createRoles(2);
    for (const _ of [1, 2, 3])
      expect((await app.api.platform.post(`${webhook}/test`, { eventType: 'role.created' }).expect(200)).body.success).toBe(true);
  });
});
