import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { numberedEvents } from '../support/event-log.js';
import { type ReceivedRequest, testReceiver } from '../support/receiver.js';
import { eventually } from '../support/delivery-app.js';
import { testApp } from '../support/test-app.js';

const HOOKS = '/v1/organizations/acme/webhooks';
const EARLIER = '2020-01-01T00:00:00Z';

interface Listed {
  id: string;
  eventId: string;
  status: string;
  sequence: number;
  attemptCount: number;
  createdAt: string;
}

const app = testApp({ webhookRetryScheduleMs: [50] });
let answer: (request: ReceivedRequest) => number;
const receiver = testReceiver((request) => ({ status: answer(request) }));
let webhook: string;

const post = (path: string, body: object = {}) => app.api.platform.post(path, body);
const list = async (query = ''): Promise<Listed[]> =>
  (await app.api.platform.get(`${webhook}/deliveries?limit=100${query}`).expect(200)).body.data;
const statuses = async () => (await list()).map(({ status }) => status);
const reconciliation = async (query = '') =>
  (await app.api.platform.get(`${webhook}/reconciliation?since=${EARLIER}${query}`).expect(200)).body.data;
const createWebhook = async (body: object = {}): Promise<string> =>
  `${HOOKS}/${(await post(HOOKS, { url: receiver.url, events: ['role.created'], ...body }).expect(201)).body.data.id}`;
let roles = 0;
const createRoles = async (count: number): Promise<void> => {
  for (let made = 0; made < count; made++)
    await post('/v1/organizations/acme/roles', { name: `role-${++roles}`, permissions: [] }).expect(201);
};
const waitForStatuses = (expected: string[]) =>
  eventually(
    async () => JSON.stringify((await statuses()).sort()) === JSON.stringify([...expected].sort()),
    10_000,
    `deliveries ${expected.join(', ')}`,
  );

beforeAll(async () => {
  await post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
});
beforeEach(async () => {
  answer = () => 200;
  receiver.requests.length = 0;
  webhook = await createWebhook();
});
afterEach(() => app.api.platform.delete(webhook));

describe('manual retry', () => {
  it('sends a failed delivery immediately and restarts its schedule', async () => {
    answer = () => 500;
    await createRoles(1);
    await waitForStatuses(['failed']);
    const [{ id, attemptCount }] = (await list()) as [Listed];
    expect(attemptCount).toBe(2);

    const again = await post(`${webhook}/deliveries/${id}/retry`).expect(200);
    expect(again.body.data).toMatchObject({ id, status: 'pending', attemptCount: 2 });
    await receiver.waitFor(4, 5_000);
    await waitForStatuses(['failed']);
    answer = () => 200;
    await post(`${webhook}/deliveries/${id}/retry`).expect(200);
    await waitForStatuses(['succeeded']);

    const { attempts, ...shown } = (await app.api.platform.get(`${webhook}/deliveries/${id}`).expect(200)).body.data;
    expect(shown).toMatchObject({ attemptCount: 5, sequence: 1 });
    expect(attempts.map(({ number, responseCode }: Record<string, number>) => [number, responseCode])).toEqual([
      [1, 500],
      [2, 500],
      [3, 500],
      [4, 500],
      [5, 200],
    ]);
    const sent = receiver.requests.map(({ headers, body }) => `${headers['webhook-id']} ${headers['webhook-sequence']} ${body}`);
    expect(new Set(sent).size).toBe(1);
  });

  it('replaces the next scheduled attempt', async () => {
    await app.database.query(`UPDATE webhook_health SET failing_since = NULL`);
    answer = () => 500;
    await createRoles(1);
    await waitForStatuses(['failed']);
    const [{ id }] = (await list()) as [Listed];
    await app.database.query(
      `UPDATE deliveries SET status = 'pending', next_attempt_at = now() + interval '1 hour' WHERE id = $1`,
      [id],
    );
    answer = () => 200;
    await post(`${webhook}/deliveries/${id}/retry`).expect(200);
    await waitForStatuses(['succeeded']);
    expect(receiver.requests).toHaveLength(3);
  });

  it('returns 409 for a delivery in progress, a test delivery, a removed event and a disabled webhook', async () => {
    const test = (await post(`${webhook}/test`, { eventType: 'role.created' }).expect(200)).body.deliveryId;
    const rejectionCode = async (id: string) => (await post(`${webhook}/deliveries/${id}/retry`).expect(409)).body.code;
    expect(await rejectionCode(test)).toBe('delivery_not_repeatable');

    await createRoles(1);
    await waitForStatuses(['succeeded', 'succeeded']);
    const [{ id, eventId }] = (await list()) as [Listed];
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

    const other = await createWebhook({ events: ['role.deleted'] });
    await post(`${other}/deliveries/${id}/retry`).expect(404);
    await app.api.platform.delete(other).expect(204);
  });
});

describe('replay', () => {
  it('sends all deliveries that were skipped while the webhook was disabled by hand', async () => {
    await createRoles(1);
    await waitForStatuses(['succeeded']);
    await app.api.platform.patch(webhook, { enabled: false }).expect(200);
    await createRoles(3);
    await waitForStatuses(['succeeded', 'skipped', 'skipped', 'skipped']);
    expect(await reconciliation()).toMatchObject({
      matched: 4,
      delivered: 1,
      skipped: 3,
      pending: 0,
      failed: 0,
      complete: false,
    });

    const body = { since: EARLIER, status: 'missed' };
    expect((await post(`${webhook}/replay`, { ...body, dryRun: true }).expect(200)).body.data).toEqual({
      count: 3,
      dryRun: true,
    });
    expect((await post(`${webhook}/replay`, body).expect(409)).body.code).toBe('webhook_disabled');
    await app.api.platform.patch(webhook, { enabled: true }).expect(200);
    expect((await post(`${webhook}/replay`, body).expect(200)).body.data).toEqual({ count: 3, dryRun: false });

    await waitForStatuses(['succeeded', 'succeeded', 'succeeded', 'succeeded']);
    expect(await reconciliation()).toMatchObject({ matched: 4, delivered: 4, skipped: 0, complete: true, undelivered: [] });
    expect(receiver.requests.map(({ headers }) => headers['webhook-sequence']).sort()).toEqual(['1', '2', '3', '4']);
    expect((await post(`${webhook}/replay`, body).expect(200)).body.data.count).toBe(0);
  });

  it('selects failed or all deliveries by type and period', async () => {
    answer = ({ body }) => (body.toString().includes('role.created') ? 500 : 200);
    await app.api.platform.patch(webhook, { events: ['role.*'] }).expect(200);
    await createRoles(2);
    const roleId = (await app.api.platform.get('/v1/organizations/acme/roles').expect(200)).body.data.find(
      ({ name }: { name: string }) => name === `role-${roles}`,
    ).id;
    await app.api.platform.delete(`/v1/organizations/acme/roles/${roleId}`).expect(204);
    await waitForStatuses(['failed', 'failed', 'succeeded']);
    const count = async (body: object) =>
      (await post(`${webhook}/replay`, { since: EARLIER, dryRun: true, ...body }).expect(200)).body.data.count;
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
    const key = { 'idempotency-key': 'once' };
    for (const replayed of [undefined, 'true']) {
      const done = await app.api.platform
        .post(`${webhook}/replay`, { since: EARLIER, status: 'all' }, { headers: key })
        .expect(200);
      expect(done.body.data.count).toBe(3);
      expect(done.headers.get('idempotent-replayed') ?? undefined).toBe(replayed);
    }
    await waitForStatuses(['succeeded', 'succeeded', 'succeeded']);
    expect(receiver.requests).toHaveLength(2 * 2 + 1 + 3);
    await post(`${webhook}/replay`, { since: '2100-01-01T00:00:00Z' }).expect(400);
  });

  it('recreates lost deliveries with new sequence numbers', async () => {
    await createRoles(3);
    await waitForStatuses(['succeeded', 'succeeded', 'succeeded']);
    const lost = (await list())[1]!;
    await app.database.query('DELETE FROM deliveries WHERE id = $1', [lost.id]);
    expect(await reconciliation()).toMatchObject({
      matched: 3,
      delivered: 2,
      missing: 1,
      complete: false,
      undelivered: [{ eventId: lost.eventId, eventType: 'role.created', deliveryId: null, status: 'missing' }],
    });
    expect((await post(`${webhook}/replay`, { since: EARLIER, status: 'missed' }).expect(200)).body.data.count).toBe(1);
    await waitForStatuses(['succeeded', 'succeeded', 'succeeded']);
    expect((await list()).map(({ sequence }) => sequence).sort()).toEqual([1, 3, 4]);
    expect(await reconciliation()).toMatchObject({ matched: 3, delivered: 3, missing: 0, complete: true });
  });
});

describe('reconciliation', () => {
  it('lists the undelivered events that match the current subscription', async () => {
    await app.api.platform.patch(webhook, { enabled: false, events: ['role.updated'] }).expect(200);
    await createRoles(2);
    // The relay matches an event with webhooks shortly after its publication.
    await numberedEvents(app);
    await app.api.platform.patch(webhook, { events: ['role.created'] }).expect(200);
    await createRoles(5);
    await waitForStatuses(['skipped', 'skipped', 'skipped', 'skipped', 'skipped']);
    const all = await reconciliation();
    expect(all).toMatchObject({ matched: 5, skipped: 5, missing: 0, hasMore: false });
    const pagedIds: string[] = [];
    for (let after = ''; ;) {
      const page = await reconciliation(`&limit=2${after}`);
      pagedIds.push(...page.undelivered.map(({ eventId }: { eventId: string }) => eventId));
      if (!page.hasMore) break;
      after = `&after=${pagedIds.at(-1)}`;
    }
    expect(pagedIds).toEqual(all.undelivered.map(({ eventId }: { eventId: string }) => eventId));
    expect((await app.api.platform.get(`${webhook}/reconciliation`).expect(200)).body.data.matched).toBe(5);
    for (const query of [`?since=${EARLIER}&after=dlv_x`, `?since=2100-01-01`])
      await app.api.platform.get(`${webhook}/reconciliation${query}`).expect(400);
  });
});

describe('list of deliveries', () => {
  it('filters deliveries by event type and creation time', async () => {
    for (let made = 1; made <= 3; made++) {
      await createRoles(1);
      await waitForStatuses(Array.from({ length: made }, () => 'succeeded'));
    }
    const [newest, middle, oldest] = (await list()) as [Listed, Listed, Listed];
    const ids = async (query: string) => (await list(query)).map(({ id }) => id);
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
    for (let round = 0; round < 5; round++) {
      const deletedWebhook = await createWebhook();
      const before = receiver.requests.length;
      await createRoles(5);
      if (round % 2 === 0) await receiver.waitFor(before + 1, 5_000);
      await app.api.platform.delete(deletedWebhook).expect(204);
      const answeredAt = Date.now();
      await app.api.platform.get(deletedWebhook).expect(404);
      await createRoles(1);
      await waitForStatuses(Array.from({ length: 6 * (round + 1) }, () => 'succeeded'));
      const [{ late }] = (await app.database.query<{ late: number }>(
        `SELECT count(*)::int AS late FROM delivery_attempts a JOIN deliveries d
           ON d.tenant_id = a.tenant_id AND d.event_id = a.event_id AND d.id = a.delivery_id
         WHERE d.webhook_id = $1 AND a.started_at > $2`,
        [deletedWebhook.split('/').at(-1), new Date(answeredAt)],
      )) as [{ late: number }];
      expect(late).toBe(0);
    }
  });
});
