import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { dataOf, expectEach, expectFields } from '../support/fields.js';
import { made, newOrganization } from '../support/organizations.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { CREATED_WEBHOOK, EVENT_TYPES, LIST, PAGINATION, WEBHOOK } from '../support/specification-tables.js';

const WEBHOOKS = '/v1/organizations/acme-corp/webhooks';
const ARRIVAL_TIMEOUT_MS = 20_000;
/** Specification 6.3: the first retry is a minute after the first delivery failed. */
const FIRST_RETRY_MS = 60_000;
const SECRET = 'a-secret-that-the-client-chose';

/** Tests each row of specification 2.8, 3.3, 4.3 and 6.3, except the test delivery. */
describe('the webhooks API (specification)', () => {
  let app: TestApp;
  let receiver: Receiver;

  const create = async (body: object): Promise<string> =>
    (await app.api.platform.post(WEBHOOKS, { url: receiver.url, events: ['user.created'], ...body }).expect(201)).body.data.id;
  const userSync = () => ({ name: 'User sync', url: receiver.url, events: EVENT_TYPES, enabled: true, secret: SECRET });

  beforeAll(async () => {
    app = await startApp();
    receiver = await startReceiver();
    await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme-corp' }).expect(201);
  });
  afterAll(async () => {
    await app.close();
    await receiver.stop();
  });

  it('creates a webhook', async () => {
    const body = userSync();
    const created = dataOf((await app.api.platform.post(WEBHOOKS, body).expect(201)).body);

    expectFields(created, CREATED_WEBHOOK);
    expect(created).toMatchObject(body);
    await app.api.platform.delete(`${WEBHOOKS}/${created.id}`).expect(204);
  });

  it.each<[string, unknown, unknown]>([
    ['name', undefined, '127.0.0.1'],
    ['enabled', undefined, true],
    ['enabled', false, false],
    ['secret', undefined, expect.stringMatching(/^whsec_.{32,}$/)],
    ['secret', 'x', 'x'],
  ])('creates a webhook if %s is %j', async (field, value, shown) => {
    const body = { name: 'N', url: receiver.url, events: ['user.created'], enabled: true, secret: SECRET, [field]: value };
    const created = dataOf((await app.api.platform.post(WEBHOOKS, body).expect(201)).body);

    expectFields(created, CREATED_WEBHOOK);
    expect(field === 'name' ? created.name.split(':')[0] : created[field]).toEqual(shown);
    await app.api.platform.delete(`${WEBHOOKS}/${created.id}`).expect(204);
  });

  it.each(['url', 'events'])('rejects a webhook without %s', async (left) => {
    const body: Record<string, unknown> = { name: 'N', url: receiver.url, events: ['user.created'] };
    delete body[left];
    const rejected = await app.api.platform.post(WEBHOOKS, body).expect(400);
    expect(rejected.body.errors).toMatchObject([{ pointer: `/${left}` }]);
  });

  it.each(EVENT_TYPES)('accepts the event type %s', async (type) => {
    const id = await create({ events: [type] });
    expect((await app.api.platform.get(`/v1/webhooks/${id}`).expect(200)).body.data.events).toEqual([type]);
    await app.api.platform.delete(`/v1/webhooks/${id}`).expect(204);
  });

  it.each(['user.flown', 'user', '', 'created', 'USER.CREATED'])('rejects the event type "%s"', async (type) => {
    const rejected = await app.api.platform.post(WEBHOOKS, { url: receiver.url, events: [type] }).expect(400);
    expect(rejected.body.errors[0].pointer).toMatch(/^\/events/);
  });

  it.each(['user.*', '*', 'security.*'])('accepts the pattern %s', async (pattern) => {
    const id = await create({ events: [pattern] });
    await app.api.platform.delete(`/v1/webhooks/${id}`).expect(204);
  });

  it.each(['/v1/webhooks', '/v1/organizations/:org/webhooks'])('lists webhooks at %s, newest first', async (route) => {
    const organization = await newOrganization(app);
    const own = `/v1/organizations/${organization.id}`;
    const { key } = await made(app, `${own}/api-keys`, { name: 'Reader', scopes: ['webhooks:read'] });
    const first = await made(app, `${own}/webhooks`, userSync());
    const second = await made(app, `${own}/webhooks`, { name: 'Second', url: receiver.url, events: ['user.created'] });
    const path = route.replace(':org', organization.id);
    const reader = app.api.as(key);

    const { body } = await reader.get(path).expect(200);
    const one = await reader.get(`${path}?limit=1`).expect(200);
    const next = await reader.get(`${path}?limit=1&after=${second.id}`).expect(200);
    const newest = await app.api.platform.get(`${path}?limit=2`).expect(200);

    expect(Object.keys(body).toSorted()).toEqual(LIST);
    expectEach(body.data, WEBHOOK);
    expectFields(body.pagination, PAGINATION);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    expect(body.pagination).toEqual({ total: 2, page: 1, limit: 20, hasMore: false });
    expect(one.body.data).toEqual([body.data[0]]);
    expect(one.body.pagination).toEqual({ total: 2, page: 1, limit: 1, hasMore: true });
    expect(next.body.data).toEqual([body.data[1]]);
    // The platform key reads the webhooks of all organizations.
    expect(newest.body.data).toEqual(body.data);
    expect(JSON.stringify([body, newest.body])).not.toContain(SECRET);
  });

  it.each(['/v1/webhooks', WEBHOOKS])('masks the secret of a webhook at %s/:id', async (path) => {
    const first = await create(userSync());
    const webhook = dataOf((await app.api.platform.get(`${path}/${first}`).expect(200)).body);

    expectFields(webhook, WEBHOOK);
    expect(webhook).toMatchObject({ id: first, name: 'User sync', url: receiver.url, events: EVENT_TYPES, enabled: true });
    expect(webhook.secret).not.toContain(SECRET.slice(4, -4));
    const { body } = await app.api.platform.get(`${WEBHOOKS}/${first}/secret`).expect(200);
    expect(dataOf(body).secret).toBe(SECRET);
    await app.api.platform.delete(`${path}/${first}`).expect(204);
  });

  describe.each(['/v1/webhooks', WEBHOOKS])('PATCH %s/:id', (path) => {
    it.each<[{ name?: string; url?: string; events?: string[]; enabled?: boolean }]>([
      [{ name: 'Renamed' }],
      [{ url: 'http://127.0.0.1:9/other' }],
      [{ events: ['role.assigned', 'user.*'] }],
      [{ enabled: false }],
      [{ enabled: true, name: 'Again', events: ['*'] }],
    ])('returns and stores %j', async (body) => {
      const first = await create(userSync());
      if (body.enabled) await app.api.platform.patch(`${path}/${first}`, { enabled: false }).expect(200);
      const before = (await app.api.platform.get(`${path}/${first}`).expect(200)).body.data;
      const updated = dataOf((await app.api.platform.patch(`${path}/${first}`, body).expect(200)).body);

      expectFields(updated, WEBHOOK);
      const { updatedAt, disabledReason, disabledAt, ...rest } = before;
      expect(updated).toMatchObject({ ...rest, ...body });
      expect(Date.parse(updated.updatedAt)).toBeGreaterThanOrEqual(Date.parse(updatedAt));
      expect(updated.disabledReason).toBe(updated.enabled ? null : 'hand');
      expect(disabledReason === null).toBe(before.enabled);
      expect(disabledAt === null).toBe(before.enabled);
      expect((await app.api.platform.get(`${path}/${first}`).expect(200)).body.data).toEqual(updated);
      await app.api.platform.delete(`${path}/${first}`).expect(204);
    });
  });

  it.each(['/v1/webhooks', WEBHOOKS])('deletes a webhook at %s/:id', async (path) => {
    const id = await create({});
    const response = await app.api.platform.delete(`${path}/${id}`).expect(204);

    expect(response.body).toBeUndefined();
    for (const form of ['/v1/webhooks', WEBHOOKS]) {
      expect((await app.api.platform.get(`${form}/${id}`).expect(404)).body.code).toBe('webhook_not_found');
      await app.api.platform.patch(`${form}/${id}`, { name: 'x' }).expect(404);
      await app.api.platform.delete(`${form}/${id}`).expect(404);
    }
  });

  it.each([
    'http://192.168.1.1/',
    'http://10.0.0.1/',
    'http://169.254.169.254/',
    'http://[fc00::1]/',
    'http://example.com/',
    'ftp://127.0.0.1/',
    'not a url',
  ])('rejects the destination %s', async (url) => {
    const rejected = await app.api.platform.post(WEBHOOKS, { url, events: ['user.created'] }).expect(400);
    expect(rejected.body.errors).toMatchObject([{ pointer: '/url' }]);
  });

  it('sends the custom headers of the webhook (section 2.8)', async () => {
    const headers = { 'X-Api-Version': '7', Authorization: 'Bearer of-the-destination' };
    const target = await startReceiver();
    const id = await create({ url: target.url, headers });
    await app.api.platform.post('/v1/organizations/acme-corp/users', { email: 'headers@acme.example' }).expect(201);
    const [request] = await target.waitFor(1, ARRIVAL_TIMEOUT_MS);
    expect(request!.headers).toMatchObject({ 'x-api-version': '7', authorization: 'Bearer of-the-destination' });
    await app.api.platform.delete(`/v1/webhooks/${id}`).expect(204);
    await target.stop();
  });

  it('retries after a minute unless the response is 2xx (section 6.3)', async () => {
    const statuses = [200, 201, 204, 299, 300, 301, 304, 400, 404, 410, 429, 500, 503];
    const target = await startReceiver(({ path }) => ({ status: Number(path.slice(1)), headers: { location: target.url } }));
    const ids = await Promise.all(statuses.map((status) => create({ url: target.url + status })));
    const { body } = await app.api.platform
      .post('/v1/organizations/acme-corp/users', { email: 'tried@acme.example' })
      .expect(201);
    await target.waitFor(statuses.length, ARRIVAL_TIMEOUT_MS);
    const arrivedAt = Date.parse(body.data.createdAt);

    for (const [index, status] of statuses.entries()) {
      const isSuccess = status < 300;
      const [delivery] = await attempted(ids[index]!);
      expect([status, delivery.status, delivery.attemptCount]).toEqual([status, isSuccess ? 'succeeded' : 'pending', 1]);
      expect(delivery.lastResponseCode).toBe(status);
      const dueMs = delivery.nextAttemptAt === null ? null : Date.parse(delivery.nextAttemptAt) - arrivedAt;
      if (isSuccess) expect(dueMs).toBeNull();
      else expect(dueMs).toBeGreaterThanOrEqual(FIRST_RETRY_MS);
      if (!isSuccess) expect(dueMs).toBeLessThan(FIRST_RETRY_MS + ARRIVAL_TIMEOUT_MS);
      await app.api.platform.delete(`/v1/webhooks/${ids[index]}`).expect(204);
    }
    expect(target.requests).toHaveLength(statuses.length);
    await target.stop();
  });

  /** Returns the deliveries of a webhook once their first attempts are recorded. */
  async function attempted(id: string) {
    for (const deadline = Date.now() + ARRIVAL_TIMEOUT_MS; ; await sleep(50)) {
      const { data } = (await app.api.platform.get(`${WEBHOOKS}/${id}/deliveries`).expect(200)).body;
      if (data[0]?.lastResponseCode != null || Date.now() > deadline) return data;
    }
  }
});
