import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/delivery-app.js';
import type { TestBody } from '../support/http-client.js';
import { read } from '../support/organizations.js';
import { testReceiver } from '../support/receiver.js';
import { testApp } from '../support/test-app.js';
import { WebhookDeliveries } from '../support/webhook-deliveries.js';

const app = testApp({ webhookRetryScheduleMs: [50] });
let status: number;
const receiver = testReceiver(() => ({ status }));
const deliveries = new WebhookDeliveries(app, receiver);
let webhook: string;

const patch = (body: object) => app.api.platform.patch(webhook, body);

beforeEach(async () => {
  status = 200;
  if (webhook) await app.api.platform.delete(webhook).expect(204);
  webhook = deliveries.webhook = await deliveries.createWebhook({ rateLimit: 1 });
  receiver.requests.length = 0;
});

describe('rate limit of a webhook', () => {
  it('is created, updated and removed through the API', async () => {
    expect((await read(app, webhook)).rateLimit).toBe(1);
    expect((await patch({ rateLimit: 1_000 }).expect(200)).body.data.rateLimit).toBe(1_000);
    expect((await patch({ name: 'Renamed' }).expect(200)).body.data.rateLimit).toBe(1_000);
    expect((await patch({ rateLimit: null }).expect(200)).body.data).not.toHaveProperty('rateLimit');
    expect(await read(app, webhook)).not.toHaveProperty('rateLimit');
  });

  it('keeps deliveries pending until their time without counting an attempt', async () => {
    await deliveries.createRoles(5);
    await receiver.waitFor(1, 5_000);
    const hasTime = ({ nextAttemptAt, status }: TestBody) => status === 'succeeded' || (status === 'pending' && nextAttemptAt);
    await eventually(async () => (await deliveries.list()).filter(hasTime).length === 5, 5_000, 'each delivery has a time');
    const waiting = (await deliveries.list()).filter((delivery: TestBody) => delivery.status === 'pending');
    expect(waiting.length).toBeGreaterThanOrEqual(2);
    for (const { attemptCount, nextAttemptAt } of waiting) {
      expect(attemptCount).toBe(0);
      expect(Date.parse(nextAttemptAt)).toBeGreaterThan(Date.now() - 1_000);
    }
    await receiver.waitFor(5, 15_000);
    await eventually(
      async () => (await deliveries.list()).every((delivery: TestBody) => delivery.attemptCount === 1),
      5_000,
      'one attempt each',
    );
  });

  it('applies to each attempt, including retries', async () => {
    status = 500;
    await deliveries.createRoles(1);
    const [first, second] = await receiver.waitFor(2, 5_000);
    expect(second!.receivedAt - first!.receivedAt).toBeGreaterThan(400);
    await eventually(async () => (await deliveries.list())[0].status === 'failed', 5_000, 'no attempt beyond the schedule');
    expect(receiver.requests).toHaveLength(2);
  });

  it('delays no deliveries after the limit is removed', async () => {
    await deliveries.createRoles(25);
    await receiver.waitFor(1, 5_000);
    await patch({ rateLimit: null }).expect(200);
    await receiver.waitFor(25, 20_000);
  });

  it('does not apply to test deliveries', async () => {
    await deliveries.createRoles(2);
    for (const _ of [1, 2, 3])
      expect((await app.api.platform.post(`${webhook}/test`, { eventType: 'role.created' }).expect(200)).body.success).toBe(true);
  });
});
