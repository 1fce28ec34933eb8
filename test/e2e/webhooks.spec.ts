import { createHmac } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#platform/common';
import { FlaggedWebhooks } from '#webhooks/webhooks';
import { eventually } from '../support/delivery-app.js';
import { numberedEvents } from '../support/event-log.js';
import { eventsDuring } from '../support/events-during.js';
import { dataOf, expectEach, expectFields } from '../support/fields.js';
import type { PendingResponse, TestBody, TestClient } from '../support/http-client.js';
import { at as pathIn, keyClient, made, newOrganization, read } from '../support/organizations.js';
import { type ReceivedRequest, startReceiver, testReceiver } from '../support/receiver.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import {
  CREATED_WEBHOOK,
  EVENT_PAYLOAD,
  EVENT_TYPES,
  USER_CREATED_DATA,
  WEBHOOK,
  WEBHOOK_TEST,
} from '../support/specification-tables.js';
import { testApp } from '../support/test-app.js';

const WEBHOOKS = '/v1/organizations/acme-corp/webhooks';
const ARRIVAL_TIMEOUT_MS = 30_000;
/** Specification 6.3: the first retry is a minute after the first delivery failed. */
const FIRST_RETRY_MS = 60_000;
const SECRET = 'a-secret-that-the-client-chose';

const NEW_WEBHOOK = { url: 'https://example.com/hooks', events: ['user.*'], name: 'Billing' };

const app = testApp();

describe('a webhook', () => {
  let acme: string;
  const receiver = testReceiver(({ path }) => (path === '/busy' ? { status: 503, body: 'busy' } : { status: 202, body: 'ok' }));

  const create = (body: object): Promise<TestBody> =>
    made(app, WEBHOOKS, { url: receiver.url, events: ['user.created'], ...body });
  const get = async (id: string): Promise<TestBody> =>
    dataOf((await app.api.platform.get(`/v1/webhooks/${id}`).expect(200)).body);
  const newUser = (email: string): Promise<TestBody> =>
    made(app, '/v1/organizations/acme-corp/users', { email, firstName: 'Ada', lastName: 'Lovelace' });
  const payloadOf = ({ body }: ReceivedRequest): TestBody => JSON.parse(body.toString('utf8'));
  const test = (id: string, eventType: string) => app.api.platform.post(`${WEBHOOKS}/${id}/test`, { eventType }).expect(200);

  beforeAll(async () => {
    acme = (await made(app, '/v1/organizations', { name: 'Acme', slug: 'acme-corp' })).id;
  });

  it('has the fields of sections 2.8 and 4.3, and shows its secret at the creation only', async () => {
    const body = { name: 'User sync', url: receiver.url, events: EVENT_TYPES, enabled: false, secret: SECRET };
    const created = dataOf((await app.api.platform.post(WEBHOOKS, body).expect(201)).body);
    expectFields(created, CREATED_WEBHOOK);
    expect(created).toMatchObject(body);
    const { data } = (await app.api.platform.get(WEBHOOKS).expect(200)).body;
    expectEach(data, WEBHOOK);
    for (const path of ['/v1/webhooks', WEBHOOKS]) {
      const webhook = dataOf((await app.api.platform.get(`${path}/${created.id}`).expect(200)).body);
      expect(webhook).toEqual(data[0]);
      expect(webhook).toMatchObject({ ...body, secret: expect.not.stringContaining(SECRET.slice(4, -4)) });
    }
    expect(dataOf((await app.api.platform.get(`${WEBHOOKS}/${created.id}/secret`).expect(200)).body).secret).toBe(SECRET);

    const defaults = await create({ url: `${receiver.url}defaults`, events: ['role.*'] });
    expect(defaults).toMatchObject({ name: new URL(receiver.url).host, enabled: true });
    expect(defaults.secret).toMatch(/^whsec_.{32,}$/);
  });

  it('gets the signed events of its types, with its headers (sections 2.8 and 6)', async () => {
    const headers = { 'X-Api-Version': '7', Authorization: 'Bearer of-the-destination' };
    const target = await startReceiver();
    const { id } = await create({ url: `${target.url}hook?tenant=acme`, headers, secret: SECRET });
    const before = Date.now();
    const { emailVerified: _, ...user } = await newUser('signed@acme.example');
    const [request] = await target.waitFor(1, ARRIVAL_TIMEOUT_MS);

    expect([request!.method, request!.path]).toEqual(['POST', '/hook?tenant=acme']);
    expect(request!.headers).toMatchObject({ 'x-api-version': '7', authorization: 'Bearer of-the-destination' });
    expect(request!.headers['content-type']).toMatch(/^application\/json/);
    expectSigned(request!, SECRET);
    const payload = payloadOf(request!);
    expectFields(payload, EVENT_PAYLOAD);
    expect(payload).toMatchObject({ type: 'user.created', organization: { id: acme, name: 'Acme' }, actor: { type: 'api' } });
    expect(payload.metadata).toMatchObject({ source: 'api', ipAddress: expect.stringMatching(/127\.0\.0\.1$/) });
    expect(Math.abs(Date.parse(payload.timestamp) - before)).toBeLessThan(ARRIVAL_TIMEOUT_MS);
    expectFields(payload.data, USER_CREATED_DATA);
    expect(payload.data).toEqual(user);

    const counted = async () => (await get(id)).metadata?.successRate !== undefined;
    await eventually(counted, ARRIVAL_TIMEOUT_MS, 'the delivery is counted');
    expect((await get(id)).metadata).toMatchObject({ lastDelivery: expect.any(String), successRate: 1, failureCount: 0 });

    await app.api.platform.patch(`/v1/webhooks/${id}`, { enabled: false }).expect(200);
    await newUser('disabled@acme.example');
    // The service skips the event when assigning the position.
    await numberedEvents(app);
    await app.api.platform.patch(`/v1/webhooks/${id}`, { enabled: true }).expect(200);
    await newUser('enabled@acme.example');
    const delivered = (await target.waitFor(2, ARRIVAL_TIMEOUT_MS)).map((each) => payloadOf(each).data.email);
    expect(delivered).toEqual(['signed@acme.example', 'enabled@acme.example']);
    await app.api.platform.delete(`/v1/webhooks/${id}`).expect(204);
    await target.stop();
  });

  it('can be tested with every event type, and reports a failed test (section 4.3)', async () => {
    const { id } = await create({ url: `${receiver.url}tested`, secret: SECRET, enabled: false });
    for (const eventType of EVENT_TYPES) {
      const { body } = await test(id, eventType);
      expectFields(body, WEBHOOK_TEST);
      expect(body).toMatchObject({ success: true, responseCode: 202, responseBody: 'ok' });
      const request = receiver.requests.findLast(({ path }) => path === '/tested')!;
      expectSigned(request, SECRET);
      expectFields(payloadOf(request), EVENT_PAYLOAD);
      expect(payloadOf(request)).toMatchObject({ type: eventType, organization: { id: acme, name: 'Acme' } });
    }
    const ids = receiver.requests.filter(({ path }) => path === '/tested').map((request) => payloadOf(request).id);
    expect(new Set(ids).size).toBe(EVENT_TYPES.length);
    const busy = await create({ url: `${receiver.url}busy` });
    const unreachable = await create({ url: 'http://127.0.0.1:9/' });
    for (const [{ id }, responseCode, responseBody] of [
      [busy, 503, 'busy'],
      [unreachable, 0, expect.stringMatching(/./)],
    ]) {
      const { body } = await test(id, 'user.login');
      expectFields(body, WEBHOOK_TEST);
      expect(body).toMatchObject({ success: false, responseCode, responseBody });
    }
  });

  it('gets a retry after a minute unless it responds with 2xx (section 6.3)', async () => {
    const statuses = [200, 204, 299, 300, 301, 400, 410, 429, 500, 503];
    const target = await startReceiver(({ path }) => ({ status: Number(path.slice(1)), headers: { location: target.url } }));
    const webhooks = await Promise.all(statuses.map((status) => create({ url: target.url + status })));
    const { createdAt } = await newUser('tried@acme.example');
    for (const [index, status] of statuses.entries()) {
      let delivery: TestBody;
      const isTried = async () => {
        [delivery] = await read(app, `${WEBHOOKS}/${webhooks[index].id}/deliveries`);
        return delivery?.lastResponseCode != null;
      };
      await eventually(isTried, ARRIVAL_TIMEOUT_MS, `the response ${status} is recorded`);
      const outcome = status < 300 ? 'succeeded' : 'pending';
      expect(delivery).toMatchObject({ status: outcome, attemptCount: 1, lastResponseCode: status });
      if (outcome === 'succeeded') expect(delivery.nextAttemptAt).toBeNull();
      else {
        const dueMs = Date.parse(delivery.nextAttemptAt) - Date.parse(createdAt);
        expect(Math.floor((dueMs - FIRST_RETRY_MS) / ARRIVAL_TIMEOUT_MS)).toBe(0);
      }
    }
    expect(target.requests).toHaveLength(statuses.length);
    await target.stop();
  });
});

describe('the owner of a webhook', () => {
  let at: string;
  let org: string;
  let owner: SignedIn;
  let id: string;
  beforeEach(async () => {
    org = (await newOrganization(app)).id;
    at = pathIn(org);
    owner = await signedIn(app, org, { roles: ['admin'] });
    id = await create(owner.client);
  });

  const create = async (client: TestClient): Promise<string> => (await made(client, `${at}/webhooks`, NEW_WEBHOOK)).id;
  const shown = (webhook = id): Promise<TestBody> => read(app, `${at}/webhooks/${webhook}`);
  const check = async (): Promise<void> => {
    while (await app.app.get(FlaggedWebhooks).run());
  };
  const user = () => `${at}/users/${owner.id}`;
  const disableFlagged = () => app.api.platform.patch(at, { settings: { disableFlaggedWebhooks: true } }).expect(200);
  const setStatus = (change: 'suspend' | 'activate') => app.api.platform.post(`${user()}/${change}`).expect(200);

  /** Replaces the owner's role by a role without permission to read events. */
  async function demote(): Promise<void> {
    await made(app, `${at}/roles`, { name: 'editor', permissions: ['webhooks:*', 'api_keys:*'] });
    await made(app, `${user()}/roles`, { roleId: 'editor' });
    await app.api.platform.delete(`${user()}/roles/role_admin`).expect(204);
  }

  it.each([
    ['is suspended', 'owner_suspended', () => setStatus('suspend')],
    ['is deleted', 'owner_deleted', () => app.api.platform.delete(user()).expect(204)],
    ['is deleted permanently', 'owner_deleted', () => app.api.platform.delete(`${user()}?permanent=true`).expect(204)],
    ['loses the permission to read events', 'permissions_lost', demote],
  ])('is flagged when the owner %s', async (_what, flag, lose) => {
    await check();
    expect(await shown()).toMatchObject({ ownerId: owner.id, flag: null, flaggedAt: null, enabled: true });
    await lose();
    const data = { id, organizationId: org, name: 'Billing', flag, disabled: false };
    expect(await eventsDuring(app, check)).toMatchObject([{ type: 'security.webhook_flagged', data }]);
    expect(await shown()).toMatchObject({ flag, flaggedAt: expect.any(String), enabled: true });
    expect(await eventsDuring(app, check)).toEqual([]);
  });

  it('is disabled until the owner regains access if disableFlaggedWebhooks is set', async () => {
    await disableFlagged();
    await setStatus('suspend');
    await check();
    expect(await shown()).toMatchObject({ flag: 'owner_suspended', enabled: false, disabledReason: 'owner' });
    await setStatus('activate');
    const data = { flag: null, disabled: false };
    expect(await eventsDuring(app, check)).toMatchObject([{ type: 'security.webhook_flagged', data }]);
    expect(await shown()).toMatchObject({ flag: null, enabled: true, disabledReason: null });
    // A webhook that a user disabled stays disabled.
    await owner.client.patch(`${at}/webhooks/${id}`, { enabled: false }).expect(200);
    for (const [change, flag] of [
      ['suspend', 'owner_suspended'],
      ['activate', null],
    ] as const) {
      await setStatus(change);
      await check();
      expect(await shown()).toMatchObject({ flag, enabled: false, disabledReason: 'hand' });
    }
  });

  it('can be enabled only with the permission to read events', async () => {
    await disableFlagged();
    await demote();
    await check();
    expect(await shown()).toMatchObject({ enabled: false, disabledReason: 'owner' });
    const change = { enabled: true };
    expect((await owner.client.patch(`${at}/webhooks/${id}`, change).expect(403)).body.detail).toMatch(/events:read/);
    const other = await signedIn(app, org, { roles: ['admin'] });
    await other.client.patch(`${at}/webhooks/${id}`, change).expect(200);
    expect(await shown()).toMatchObject({ ownerId: other.id, flag: null, enabled: true });
    await check();
    expect(await shown()).toMatchObject({ ownerId: other.id, flag: null, enabled: true });
  });

  it('belongs to the owner of the API key that created the webhook, and is enabled when the platform becomes the owner', async () => {
    const scopes = ['webhooks:write', 'events:read'];
    const { body } = await owner.client.post(`${at}/api-keys`, { name: 'sync', scopes }).expect(201);
    const ofKey = await create(app.api.as(body.data.key));
    await app.api.platform.patch(`${at}/webhooks/${ofKey}`, { name: 'Renamed' }).expect(200);
    expect((await shown(ofKey)).ownerId).toBe(owner.id);
    await setStatus('suspend');
    await check();
    expect((await shown(ofKey)).flag).toBe('owner_suspended');
    // The platform is not a user, so it cannot lose access.
    await app.api.platform.patch(`${at}/webhooks/${ofKey}`, { events: ['role.*'] }).expect(200);
    expect(await shown(ofKey)).toMatchObject({ ownerId: null, flag: null });
    await disableFlagged();
    await setStatus('suspend');
    await check();
    await app.api.platform.patch(`${at}/webhooks/${id}`, { events: ['role.*'] }).expect(200);
    expect(await shown()).toMatchObject({ ownerId: null, flag: null, enabled: true, disabledReason: null });
  });

  /** A webhook sends events to another system, so configuring its events requires permission to read events. */
  const key = (...scopes: string[]): Promise<TestClient> => keyClient(app, org, scopes);
  async function rejected(request: PendingResponse): Promise<void> {
    await request.expect(403, 'forbidden', '"events:read"');
  }

  it('can be created only with the permission to read events', async () => {
    const writer = await key('webhooks:*');
    await writer.get(`${at}/events`).expect(403);
    await rejected(writer.post(`${at}/webhooks`, { url: NEW_WEBHOOK.url, events: ['*'], includeDescendants: true }));
    await create(await key('webhooks:write', 'events:read'));
  });

  it.each(['by organization and id', 'by webhook id'])('can’t be changed %s if the caller can’t read events', async (which) => {
    await app.api.platform.patch(`${at}/webhooks/${id}`, { enabled: false }).expect(200);
    const webhook = which === 'by webhook id' ? `/v1/webhooks/${id}` : `${at}/webhooks/${id}`;
    const writer = await key('webhooks:*');
    for (const change of [
      { url: `${NEW_WEBHOOK.url}/elsewhere` },
      { events: ['*'] },
      { includeDescendants: true },
      { filter: null },
      // The headers can select another account of the receiver.
      { headers: { authorization: 'Bearer other' } },
      { enabled: true },
    ])
      await rejected(writer.patch(webhook, change));
    await rejected(writer.post(`${at}/webhooks/${id}/replay`, { since: new Date(0).toISOString() }));
    await rejected(writer.post(`${at}/webhooks/${id}/deliveries/${newId('delivery')}/retry`));
    await writer.patch(webhook, { name: 'Renamed', enabled: false }).expect(200);
    await writer.delete(webhook).expect(204);
  });
});

/**
 * Verifies the signature of 6.4 as a receiver does: two parts, a timestamp in seconds and a lowercase hex HMAC of
 * `<timestamp>.<body>`.
 */
function expectSigned(request: ReceivedRequest, secret: string): void {
  const parts = String(request.headers['service-signature']).split(',');
  expect(parts).toHaveLength(2);
  const [timestamp, signature] = parts.map((part) => part.slice(part.indexOf('=') + 1));
  expect(timestamp).toMatch(/^\d{10}$/);
  expect(Math.abs(request.receivedAt / 1000 - Number(timestamp))).toBeLessThan(300);
  const body = request.body.toString('utf8');
  expect(signature).toBe(createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'));
  // Parsing and serializing the body results in the signed text.
  expect(JSON.stringify(JSON.parse(body))).toBe(body);
}
