import { beforeEach, describe, expect, it } from '@jest/globals';
import { verifySignature } from '../../libs/webhooks/delivery/src/signing/index.js';
import type { TestBody } from '../support/http-client.js';
import { type ReceivedRequest, testReceiver } from '../support/receiver.js';
import { eventually } from '../support/delivery-app.js';
import { keyClient, read } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';
import { WebhookDeliveries } from '../support/webhook-deliveries.js';

const HOUR_MS = 3_600_000;
const SECRET = 'a secret that signs deliveries';
const OWN_HEADERS = { Authorization: 'Bearer of-the-destination', 'X-Tier': 'gold' };

const app = testApp({ webhookRetryScheduleMs: [50, HOUR_MS, 2 * HOUR_MS] });
let status: number;
const receiver = testReceiver(() => ({ status }));
const deliveries = new WebhookDeliveries(app, receiver);
let webhook: string;
let eventId: string;
let deliveryId: string;

const shown = (id = deliveryId) => read(app, `${webhook}/deliveries/${id}`);

/** Publishes an event, waits until its delivery has the expected state, and returns the delivery. */
async function deliver(expected: { status: string; attemptCount: number }): Promise<TestBody> {
  await deliveries.createRoles();
  let first: TestBody;
  const isInState = async () => {
    [first] = await deliveries.list();
    return first?.status === expected.status && first.attemptCount === expected.attemptCount;
  };
  await eventually(isInState, 10_000, `a delivery ${JSON.stringify(expected)}`);
  ({ id: deliveryId, eventId } = first);
  return shown();
}

/** Returns the received headers as the API shows them: secrets are masked, and headers of the connection are removed. */
function masked({ headers }: ReceivedRequest): object {
  const { host: _, connection: __, 'content-length': ___, 'accept-encoding': ____, ...rest } = headers;
  return { ...rest, authorization: '********', 'x-tier': '********' };
}

beforeEach(async () => {
  status = 200;
  if (webhook) await app.api.platform.delete(webhook).expect(204);
  webhook = await deliveries.createWebhook({ url: `${receiver.url}hooks?a=1`, secret: SECRET, headers: OWN_HEADERS });
  deliveries.webhook = webhook;
  receiver.requests.length = 0;
});

describe('delivery details', () => {
  it('contain the URL and headers of each attempt', async () => {
    status = 500;
    await deliver({ status: 'pending', attemptCount: 2 });
    await app.api.platform.patch(webhook, { url: `${receiver.url}moved`, headers: {} }).expect(200);
    await app.api.platform.post(`${webhook}/rotate-secret`, { activateInSeconds: 3_600 }).expect(200);
    status = 200;
    await app.api.platform.post(`${webhook}/deliveries/${deliveryId}/retry`).expect(200);
    const [first, second, third] = await receiver.waitFor(3, 10_000);
    await eventually(async () => (await shown()).status === 'succeeded', 10_000, 'the retry succeeded');

    const { attempts, payload } = await shown();
    expect(attempts.map(({ request }: TestBody) => request.url)).toEqual([
      `${receiver.url}hooks?a=1`,
      `${receiver.url}hooks?a=1`,
      `${receiver.url}moved`,
    ]);
    expect(attempts[0].request.headers).toEqual(masked(first!));
    expect(attempts[1].request.headers).toEqual(masked(second!));
    const { authorization: _, 'x-tier': __, ...rest } = masked(third!) as Record<string, string>;
    expect(attempts[2].request.headers).toEqual(rest);
    expect(attempts[2].request.headers['webhook-signature'].split(' ')).toHaveLength(2);
    expect(JSON.stringify(attempts)).not.toContain('of-the-destination');

    const header = attempts[0].request.headers['service-signature'];
    const check = { header, body: payload.body, secret: SECRET, nowSeconds: Date.now() / 1_000 };
    expect(verifySignature(check)).toBe(true);
    expect(payload).toEqual({ state: 'original', body: first!.body.toString() });
  });

  it('contain the schedule of the remaining attempts', async () => {
    status = 500;
    const failing = await deliver({ status: 'pending', attemptCount: 2 });
    expect(failing.schedule).toEqual([
      { number: 3, at: failing.nextAttemptAt, afterSeconds: null },
      { number: 4, at: null, afterSeconds: 7_200 },
    ]);
    expect(Date.parse(failing.nextAttemptAt) - Date.parse(failing.attempts[1].startedAt)).toBeGreaterThanOrEqual(HOUR_MS);
    status = 200;
    await app.api.platform.post(`${webhook}/deliveries/${deliveryId}/retry`).expect(200);
    await eventually(async () => (await shown()).schedule.length === 0, 10_000, 'nothing is to come');
  });

  it('contain the attempt of a test delivery', async () => {
    const test = (await app.api.platform.post(`${webhook}/test`, { eventType: 'user.created' }).expect(200)).body;
    const { attempts, payload, schedule } = await shown(test.deliveryId);
    expect(attempts[0].request).toEqual({ url: `${receiver.url}hooks?a=1`, headers: masked(receiver.requests[0]!) });
    expect(payload).toEqual({ state: 'original', body: receiver.requests[0]!.body.toString() });
    expect(schedule).toEqual([]);
  });

  it('contain the payload only for callers with events:read', async () => {
    await deliver({ status: 'succeeded', attemptCount: 1 });
    const payloadFor = async (scopes: string[]) =>
      (await (await keyClient(app, 'acme', scopes)).get(`${webhook}/deliveries/${deliveryId}`).expect(200)).body.data.payload;
    expect(await payloadFor(['webhooks:read'])).toEqual({ state: 'withheld', body: null });
    expect(await payloadFor(['webhooks:read', 'events:read'])).toMatchObject({ state: 'original' });
  });

  it('contain whether the payload was redacted or removed', async () => {
    await deliver({ status: 'succeeded', attemptCount: 1 });
    await app.database.query(`UPDATE events SET payload = '{}', redacted_at = now() WHERE id = $1`, [eventId]);
    expect((await shown()).payload).toEqual({ state: 'redacted', body: '{}' });
    await app.database.query('DELETE FROM events WHERE id = $1', [eventId]);
    expect((await shown()).payload).toEqual({ state: 'removed', body: null });
  });
});
