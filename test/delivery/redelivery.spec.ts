import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { numberedEvents } from '../support/event-log.js';
import type { TestBody } from '../support/http-client.js';
import { read } from '../support/organizations.js';
import { type ReceivedRequest, testReceiver } from '../support/receiver.js';
import { testApp } from '../support/test-app.js';
import { WebhookDeliveries } from '../support/webhook-deliveries.js';

const EARLIER = '2020-01-01T00:00:00Z';

const app = testApp({ webhookRetryScheduleMs: [50] });
let answer: (request: ReceivedRequest) => number;
const receiver = testReceiver((request) => ({ status: answer(request) }));
const deliveries = new WebhookDeliveries(app, receiver);
let webhook: string;

const post = (path: string, body: object = {}) => app.api.platform.post(path, body);
const reconciliation = (query = '') => read(app, `${webhook}/reconciliation?since=${EARLIER}${query}`);
/** Replays deliveries since `EARLIER`. Returns their number. */
const replayed = async (body: object = {}): Promise<number> =>
  (await post(`${webhook}/replay`, { since: EARLIER, ...body }).expect(200)).body.data.count;

beforeEach(async () => {
  answer = () => 200;
  receiver.requests.length = 0;
  webhook = deliveries.webhook = await deliveries.createWebhook();
});
afterEach(() => app.api.platform.delete(webhook));

describe('manual retry', () => {
  it('sends a failed delivery immediately and restarts its schedule', async () => {
    answer = () => 500;
    await deliveries.createRoles(1);
    await deliveries.waitForStatuses('failed');
    const [{ id, attemptCount }] = await deliveries.list();
    expect(attemptCount).toBe(2);

    const again = await post(`${webhook}/deliveries/${id}/retry`).expect(200);
    expect(again.body.data).toMatchObject({ id, status: 'pending', attemptCount: 2 });
    await receiver.waitFor(4, 5_000);
    await deliveries.waitForStatuses('failed');
    answer = () => 200;
    await post(`${webhook}/deliveries/${id}/retry`).expect(200);
    await deliveries.waitForStatuses('succeeded');

    const shown = await read(app, `${webhook}/deliveries/${id}`);
    const attempts = [500, 500, 500, 500, 200].map((responseCode, index) => ({ number: index + 1, responseCode }));
    expect(shown).toMatchObject({ attemptCount: 5, sequence: 1, attempts });
    const sent = receiver.requests.map(({ headers, body }) => `${headers['webhook-id']} ${headers['webhook-sequence']} ${body}`);
    expect(new Set(sent).size).toBe(1);
  });

  it('replaces the next scheduled attempt', async () => {
    await app.database.query(`UPDATE webhook_health SET failing_since = NULL`);
    answer = () => 500;
    await deliveries.createRoles(1);
    await deliveries.waitForStatuses('failed');
    const [{ id }] = await deliveries.list();
    await app.database.query(
      `UPDATE deliveries SET status = 'pending', next_attempt_at = now() + interval '1 hour' WHERE id = $1`,
      [id],
    );
    answer = () => 200;
    await post(`${webhook}/deliveries/${id}/retry`).expect(200);
    await deliveries.waitForStatuses('succeeded');
    expect(receiver.requests).toHaveLength(3);
  });

  it('returns 409 for a delivery in progress, a test delivery, a removed event and a disabled webhook', async () => {
    const test = (await post(`${webhook}/test`, { eventType: 'role.created' }).expect(200)).body.deliveryId;
    const rejectionCode = async (id: string) => (await post(`${webhook}/deliveries/${id}/retry`).expect(409)).body.code;
    expect(await rejectionCode(test)).toBe('delivery_not_repeatable');

    await deliveries.createRoles(1);
    await deliveries.waitForStatuses('succeeded', 'succeeded');
    const [{ id, eventId }] = await deliveries.list();
    await app.database.query(`UPDATE deliveries SET status = 'pending', lease_until = now() + interval '1 hour' WHERE id = $1`, [
      id,
    ]);
    expect(await rejectionCode(id)).toBe('delivery_under_way');
    await app.database.query(`UPDATE deliveries SET status = 'succeeded', lease_until = NULL WHERE id = $1`, [id]);
    await app.database.query('UPDATE events SET id = id || $2 WHERE id = $1', [eventId, 'x']);
    expect(await rejectionCode(id)).toBe('delivery_not_repeatable');
    await app.database.query('UPDATE events SET id = $1 WHERE id = $1 || $2', [eventId, 'x']);
    await app.api.platform.patch(webhook, { enabled: false }).expect(200);
    expect(await rejectionCode(id)).toBe('webhook_disabled');

    const other = await deliveries.createWebhook({ events: ['role.deleted'] });
    await post(`${other}/deliveries/${id}/retry`).expect(404);
    await app.api.platform.delete(other).expect(204);
  });
});

describe('replay', () => {
  it('sends all deliveries that were skipped while the webhook was disabled by hand', async () => {
    await deliveries.createRoles(1);
    await deliveries.waitForStatuses('succeeded');
    await app.api.platform.patch(webhook, { enabled: false }).expect(200);
    await deliveries.createRoles(3);
    await deliveries.waitForStatuses('succeeded', 'skipped', 'skipped', 'skipped');
    const counts = { matched: 4, delivered: 1, skipped: 3, pending: 0, failed: 0 };
    expect(await reconciliation()).toMatchObject({ ...counts, complete: false });

    expect(await replayed({ status: 'missed', dryRun: true })).toBe(3);
    const rejected = await post(`${webhook}/replay`, { since: EARLIER, status: 'missed' }).expect(409);
    expect(rejected.body.code).toBe('webhook_disabled');
    await app.api.platform.patch(webhook, { enabled: true }).expect(200);
    expect(await replayed({ status: 'missed' })).toBe(3);

    await deliveries.waitForStatuses('succeeded', 'succeeded', 'succeeded', 'succeeded');
    expect(await reconciliation()).toMatchObject({ matched: 4, delivered: 4, skipped: 0, complete: true, undelivered: [] });
    expect(receiver.requests.map(({ headers }) => headers['webhook-sequence']).sort()).toEqual(['1', '2', '3', '4']);
    expect(await replayed({ status: 'missed' })).toBe(0);
  });

  it('sends deliveries now that wait for a retry, and the webhook shows how its attempts fail', async () => {
    answer = () => 500;
    await deliveries.createRoles(2);
    await deliveries.waitForStatuses('failed', 'failed');
    await app.database.query(
      `UPDATE deliveries SET status = 'pending', completed_at = NULL, next_attempt_at = now() + interval '1 day' WHERE webhook_id = $1`,
      [webhook.split('/').at(-1)],
    );
    expect(await reconciliation()).toMatchObject({ pending: 2, retrying: 2 });
    const lastFailure = { errorKind: 'status', responseCode: 500 };
    expect((await read(app, webhook)).metadata).toMatchObject({ failureCount: 4, failingSince: expect.any(String), lastFailure });

    answer = () => 200;
    expect(await replayed({ status: 'pending', dryRun: true })).toBe(2);
    expect(await replayed({ status: 'pending' })).toBe(2);
    await deliveries.waitForStatuses('succeeded', 'succeeded');
    expect(await replayed({ status: 'pending' })).toBe(0);
    const { metadata } = await read(app, webhook);
    expect(metadata).toEqual({ failureCount: 0, lastDelivery: expect.any(String), successRate: 0.3333 });
  });

  it('selects failed or all deliveries by type and period', async () => {
    answer = ({ body }) => (body.toString().includes('role.created') ? 500 : 200);
    await app.api.platform.patch(webhook, { events: ['role.*'] }).expect(200);
    const roleId = await deliveries.createRoles(2);
    await app.api.platform.delete(`${deliveries.at}/roles/${roleId}`).expect(204);
    await deliveries.waitForStatuses('failed', 'failed', 'succeeded');
    const count = (body: object) => replayed({ dryRun: true, ...body });
    expect(await count({})).toBe(2);
    expect(await count({ status: 'all' })).toBe(3);
    expect(await count({ status: 'missed' })).toBe(0);
    expect(await count({ status: 'all', eventTypes: ['role.deleted'] })).toBe(1);
    expect(await count({ status: 'all', eventTypes: ['user.*'] })).toBe(0);
    expect(await count({ status: 'all', until: '2020-01-02T00:00:00Z' })).toBe(0);
    const [event] = await app.database.query<{ id: string; at: Date }>(
      `SELECT e.id, occurred_at AS at FROM events e JOIN deliveries d ON d.tenant_id = e.tenant_id AND d.event_id = e.id
       WHERE d.webhook_id = $1 ORDER BY seq DESC LIMIT 1`,
      [webhook.split('/').at(-1)],
    );
    expect(await count({ status: 'all', since: event!.at.toISOString() })).toBe(1);

    answer = () => 200;
    // The second request has the same key and sends nothing.
    const headers = { 'idempotency-key': 'once' };
    for (let time = 0; time < 2; time++)
      await app.api.platform.post(`${webhook}/replay`, { since: EARLIER, status: 'all' }, { headers }).expect(200);
    await deliveries.waitForStatuses('succeeded', 'succeeded', 'succeeded');
    expect(receiver.requests).toHaveLength(2 * 2 + 1 + 3);
    await post(`${webhook}/replay`, { since: '2100-01-01T00:00:00Z' }).expect(400);
  });

  it('recreates lost deliveries with new sequence numbers', async () => {
    await deliveries.createRoles(3);
    await deliveries.waitForStatuses('succeeded', 'succeeded', 'succeeded');
    const lost = (await deliveries.list())[1]!;
    await app.database.query('DELETE FROM deliveries WHERE id = $1', [lost.id]);
    expect(await reconciliation()).toMatchObject({
      matched: 3,
      delivered: 2,
      missing: 1,
      complete: false,
      undelivered: [{ eventId: lost.eventId, eventType: 'role.created', deliveryId: null, status: 'missing' }],
    });
    expect(await replayed({ status: 'missed' })).toBe(1);
    await deliveries.waitForStatuses('succeeded', 'succeeded', 'succeeded');
    expect((await deliveries.list()).map(({ sequence }: TestBody) => sequence).sort()).toEqual([1, 3, 4]);
    expect(await reconciliation()).toMatchObject({ matched: 3, delivered: 3, missing: 0, complete: true });
  });
});

describe('reconciliation', () => {
  it('lists the undelivered events that match the current subscription', async () => {
    await app.api.platform.patch(webhook, { enabled: false, events: ['role.updated'] }).expect(200);
    await deliveries.createRoles(2);
    // The relay matches an event with webhooks shortly after its publication.
    await numberedEvents(app);
    await app.api.platform.patch(webhook, { events: ['role.created'] }).expect(200);
    await deliveries.createRoles(5);
    await deliveries.waitForStatuses('skipped', 'skipped', 'skipped', 'skipped', 'skipped');
    const all = await reconciliation();
    expect(all).toMatchObject({ matched: 5, skipped: 5, missing: 0, hasMore: false });
    const paged: TestBody[] = [];
    for (let hasMore = true, after = ''; hasMore; after = `&after=${paged.at(-1).eventId}`) {
      const page = await reconciliation(`&limit=2${after}`);
      paged.push(...page.undelivered);
      ({ hasMore } = page);
    }
    expect(paged).toEqual(all.undelivered);
    expect((await read(app, `${webhook}/reconciliation`)).matched).toBe(5);
    for (const query of [`?since=${EARLIER}&after=dlv_x`, `?since=2100-01-01`])
      await app.api.platform.get(`${webhook}/reconciliation${query}`).expect(400);
  });
});

describe('list of deliveries', () => {
  it('filters deliveries by event type and creation time', async () => {
    for (let made = 1; made <= 3; made++) {
      await deliveries.createRoles(1);
      await deliveries.waitForStatuses(...Array<string>(made).fill('succeeded'));
    }
    const [newest, middle, oldest] = await deliveries.list();
    const ids = async (query: string) => (await deliveries.list(query)).map(({ id }: TestBody) => id);
    expect(await ids('&eventType=role.created')).toEqual([newest.id, middle.id, oldest.id]);
    expect(await ids('&eventType=role.deleted')).toEqual([]);
    expect(await ids(`&since=${middle.createdAt}`)).toEqual([newest.id, middle.id]);
    expect(await ids(`&until=${middle.createdAt}`)).toEqual([oldest.id]);
    expect(await ids(`&since=${middle.createdAt}&until=${newest.createdAt}&status=succeeded`)).toEqual([middle.id]);
    expect(await ids(`&since=${oldest.createdAt}&after=${newest.id}`)).toEqual([middle.id, oldest.id]);
    const page = (await app.api.platform.get(`${webhook}/deliveries?since=${middle.createdAt}&limit=1`).expect(200)).body;
    expect(page.pagination).toEqual({ total: 2, page: 1, limit: 1, hasMore: true });
    await app.api.platform.get(`${webhook}/deliveries?eventType=nothing`).expect(400);
  });
});

describe('deletion of a webhook', () => {
  it('starts no attempt after the response to the deletion, even with deliveries in progress', async () => {
    for (const isInProgress of [true, false]) {
      const deleted = await deliveries.createWebhook();
      const before = receiver.requests.length;
      await deliveries.createRoles(5);
      if (isInProgress) await receiver.waitFor(before + 1, 5_000);
      await app.api.platform.delete(deleted).expect(204);
      const deletedAt = new Date();
      await deliveries.createRoles();
      await deliveries.waitForStatuses(...Array<string>(isInProgress ? 6 : 12).fill('succeeded'));
      const late = 'SELECT FROM delivery_attempts WHERE webhook_id = $1 AND started_at > $2';
      expect(await app.database.query(late, [deleted.split('/').at(-1), deletedAt])).toEqual([]);
    }
  });
});
