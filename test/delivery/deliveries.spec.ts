import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { SecretSealer } from '#platform/crypto';
import { Webhook } from 'standardwebhooks';
import { verifySignature } from '../../libs/webhooks/delivery/src/signing/index.js';
import type { TestBody } from '../support/http-client.js';
import { type ReceivedRequest, testReceiver } from '../support/receiver.js';
import { eventually } from '../support/delivery-app.js';
import { at, keyClient, made, newOrganization, read } from '../support/organizations.js';
import { isSigned as isSignedBy } from '../support/signature.js';
import { testApp } from '../support/test-app.js';
import { WebhookDeliveries } from '../support/webhook-deliveries.js';

const HOUR_MS = 3_600_000;
const FILTER = { name: { $in: ['billing', 'support'] } };
const SECRET = 'a secret that signs deliveries';
/** A request in the format of the service. */
const SERVICE = { format: 'service', body: null };
const OWN_HEADERS = { Authorization: 'Bearer of-the-destination', 'X-Tier': 'gold' };

const app = testApp({ serviceName: 'acme-iam', webhookRetryScheduleMs: [50, HOUR_MS, 2 * HOUR_MS] });
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

async function createWebhook(fields: object): Promise<void> {
  webhook = deliveries.webhook = await deliveries.createWebhook(fields);
}

beforeEach(() => {
  status = 200;
  receiver.requests.length = 0;
});
afterEach(async () => {
  for (const { id } of await read(app, `${deliveries.at}/webhooks`))
    await app.api.platform.delete(`${deliveries.at}/webhooks/${id}`);
});

describe('the webhooks of an organization', () => {
  const webhooksAt = `${deliveries.at}/webhooks`;
  const ids = async (path: string) => (await read(app, `${path}?limit=100`)).map(({ id }: TestBody) => id);

  it('store secrets and headers encrypted, and are returned with masked values', async () => {
    const headers = { 'X-One': 'very-secret', 'X-Two': '2' };
    const { id, secret } = await made(app, webhooksAt, { url: receiver.url, events: ['role.created'], headers });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const rows = JSON.stringify(await app.database.query('SELECT * FROM webhooks'));
    for (const value of [secret, 'very-secret']) expect(rows).not.toContain(value);
    expect(await read(app, `${webhooksAt}/${id}`)).toMatchObject({
      name: new URL(receiver.url).host,
      enabled: true,
      secret: `whsec_…${secret.slice(-4)}`,
      headers: { 'X-One': '********', 'X-Two': '********' },
      metadata: { failureCount: 0 },
    });
    // A header whose value in the request is masked is kept.
    const change = { headers: { 'X-One': '********', 'X-Three': '3' } };
    await app.api.platform.patch(`${webhooksAt}/${id}`, change).expect(200);
    await deliveries.createRoles();
    const [request] = await receiver.waitFor(1, 10_000);
    expect(request!.headers).toMatchObject({ 'x-one': 'very-secret', 'x-three': '3' });
    expect(request!.headers).not.toHaveProperty('x-two');
  });

  it('are listed without those of descendants, and not after the deletion of the organization', async () => {
    await createWebhook({});
    const { id } = await newOrganization(app, { parentId: 'acme' });
    const { id: ofChild } = await made(app, at(id, '/webhooks'), { url: receiver.url, events: ['*'] });
    const own = await ids(webhooksAt);
    expect(own).not.toContain(ofChild);
    expect(await ids('/v1/webhooks')).toEqual(expect.arrayContaining([ofChild, ...own]));
    await app.api.platform.delete(at(id)).expect(204);
    expect(await ids('/v1/webhooks')).not.toContain(ofChild);
  });

  it('are at most 50, also with concurrent requests', async () => {
    const crowded = at((await newOrganization(app)).id, '/webhooks');
    const create = () => app.api.platform.post(crowded, { url: receiver.url, events: ['role.deleted'] }).whenServed();
    const responses = await Promise.all(Array.from({ length: 60 }, create));
    const codes = responses.map(({ status, body }) => (status === 201 ? 'created' : body.code));
    expect(codes.toSorted()).toEqual([...Array(50).fill('created'), ...Array(10).fill('webhook_limit')]);
    await app.api.platform.delete(`${crowded}/${(await ids(crowded))[0]}`).expect(204);
    expect((await create()).status).toBe(201);
  });
});

describe('delivery details', () => {
  beforeEach(() => createWebhook({ url: `${receiver.url}hooks?a=1`, secret: SECRET, headers: OWN_HEADERS }));

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

    const header = attempts[0].request.headers['acme-iam-signature'];
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
    expect(attempts[0].request).toEqual({ url: `${receiver.url}hooks?a=1`, headers: masked(receiver.requests[0]!), ...SERVICE });
    expect(payload).toEqual({ state: 'original', body: receiver.requests[0]!.body.toString() });
    expect(schedule).toEqual([]);
  });

  it('contain the payload only for callers with events:read', async () => {
    await deliver({ status: 'succeeded', attemptCount: 1 });
    const subjectFor = async (scopes: string[]) =>
      (await read(await keyClient(app, 'acme', scopes), `${webhook}/deliveries`))[0].subject;
    const role = JSON.parse((await shown()).payload.body).data;
    expect(await subjectFor(['webhooks:read'])).toBeNull();
    expect(await subjectFor(['webhooks:read', 'events:read'])).toEqual({ id: role.id, name: role.name });
    const payloadFor = async (scopes: string[]) =>
      (await (await keyClient(app, 'acme', scopes)).get(`${webhook}/deliveries/${deliveryId}`).expect(200)).body.data.payload;
    expect(await payloadFor(['webhooks:read'])).toEqual({ state: 'withheld', body: null });
    expect(await payloadFor(['webhooks:read', 'events:read'])).toMatchObject({ state: 'original' });
  });

  it('contain whether the payload was redacted or removed', async () => {
    await deliver({ status: 'succeeded', attemptCount: 1 });
    await app.database.query(`UPDATE events SET payload = '{}', redacted_at = now() WHERE id = $1`, [eventId]);
    expect((await shown()).payload).toEqual({ state: 'redacted', body: '{}' });
    expect((await deliveries.list())[0].subject).toBeNull();
    await app.database.query('DELETE FROM events WHERE id = $1', [eventId]);
    expect((await shown()).payload).toEqual({ state: 'removed', body: null });
  });
});

describe('rate limit of a webhook', () => {
  beforeEach(() => createWebhook({ rateLimit: 1 }));

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
  });

  it('delays no deliveries after the limit is removed', async () => {
    await deliveries.createRoles(25);
    await receiver.waitFor(1, 5_000);
    await app.api.platform.patch(webhook, { rateLimit: null }).expect(200);
    expect(await read(app, webhook)).not.toHaveProperty('rateLimit');
    await receiver.waitFor(25, 20_000);
  });

  it('does not apply to test deliveries', async () => {
    await deliveries.createRoles(2);
    for (const _ of [1, 2, 3])
      expect((await app.api.platform.post(`${webhook}/test`, { eventType: 'role.created' }).expect(200)).body.success).toBe(true);
  });
});

describe('webhook with a filter', () => {
  const createRole = (name: string) => deliveries.createRoles(1, { name });
  const sequences = async (webhook: string): Promise<number[]> =>
    (await read(app, `${webhook}/deliveries`)).map(({ sequence }: TestBody) => sequence);
  const reconciliation = (webhook: string) => read(app, `${webhook}/reconciliation?since=2020-01-01T00:00:00Z`);

  it('receives only matching events, with sequence numbers without gaps', async () => {
    await createWebhook({ filter: FILTER });
    const filtered = webhook;
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
    await createWebhook({ events: ['role.deleted'] });
    for (const refused of [
      await app.api.platform.post(`${deliveries.at}/webhooks`, { url: receiver.url, events: ['*'], filter }).expect(400),
      await app.api.platform.patch(webhook, { filter }).expect(400),
    ])
      expect(refused.body.errors).toMatchObject([{ pointer: '/filter/name/$regex', code: 'invalid_operator' }]);
  });
});

describe('signature', () => {
  const isSigned = (request: ReceivedRequest, secret: string): boolean =>
    isSignedBy(request, secret, { header: 'acme-iam-signature' });

  /** Verifies a signature with the official library of Standard Webhooks. */
  function isStandard({ headers, body }: ReceivedRequest, secret: string): boolean {
    const library = secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
    try {
      library.verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  }

  /** Creates a webhook. Returns its secret. */
  const createSigned = async (fields: object = {}): Promise<string> => {
    await createWebhook(fields);
    return (await secrets()).secret;
  };

  async function received(count: number): Promise<ReceivedRequest[]> {
    const before = receiver.requests.length;
    await deliveries.createRoles(count, { description: 'Ümläute, 漢字 and "quotes" \\ 🦊' });
    return (await receiver.waitFor(before + count, 10_000)).slice(before);
  }

  const rotate = async (body: object) => (await app.api.platform.post(`${webhook}/rotate-secret`, body).expect(200)).body.data;
  const secrets = () => read(app, `${webhook}/secret`);
  /** Sets the activation of the next secret to now. */
  const activateNow = () =>
    app.database.query('UPDATE webhooks SET next_secret_at = now() WHERE id = $1', [webhook.split('/').at(-1)]);

  it.each([
    ['that the service generated', undefined],
    ['that the client chose', 'sixteen characters, or more'],
  ])('every delivery is signed with the secret %s', async (_, own) => {
    const secret = await createSigned({ ...(own ? { secret: own } : {}), headers: { 'X-Gateway': 'abc' } });
    const requests = await received(5);
    const tested = await app.api.platform.post(`${webhook}/test`, { eventType: 'user.login' }).expect(200);
    expect(tested.body.success).toBe(true);
    for (const request of [...requests, receiver.requests.at(-1)!]) {
      expect(request.headers['x-gateway']).toBe('abc');
      expect([isSigned(request, secret), isStandard(request, secret)]).toEqual([true, true]);
      expect([isSigned(request, `${secret}x`), isStandard(request, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD')]).toEqual([
        false,
        false,
      ]);
      const changed = { ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) };
      expect([isSigned(changed, secret), isStandard(changed, secret)]).toEqual([false, false]);
    }
  });

  it('a delivery waits without an attempt while the secret of its webhook can not be decrypted', async () => {
    await createSigned();
    const id = webhook.split('/').at(-1)!;
    const foreign = new SecretSealer([randomBytes(32)]).seal('x', `webhooks|secret|${id}`);
    const swap = (secret: unknown) => app.database.query('UPDATE webhooks SET secret_sealed = $2 WHERE id = $1', [id, secret]);
    const [{ secret_sealed: own }] = (await app.database.query('SELECT secret_sealed FROM webhooks WHERE id = $1', [id])) as [
      { secret_sealed: string },
    ];
    await swap(foreign);
    await deliveries.createRoles();
    const isWaiting = async () => (await deliveries.list())[0]?.lastErrorKind === 'secret_unreadable';
    await eventually(isWaiting, 10_000, 'the delivery has the error');
    expect((await deliveries.list())[0]).toMatchObject({ status: 'pending', attemptCount: 0, nextAttemptAt: expect.any(String) });
    await swap(own);
    await app.database.query('UPDATE deliveries SET next_attempt_at = now() WHERE webhook_id = $1', [id]);
    await deliveries.waitForStatuses('succeeded');
    expect((await deliveries.list())[0].attemptCount).toBe(1);
  });

  it('every delivery can be verified with the current and the next secret during a rotation', async () => {
    const old = await createSigned();
    expect(await secrets()).toEqual({ secret: old, nextSecret: null, activatesAt: null });
    const rotatedAt = Date.now();
    const { secret, nextSecret, activatesAt } = await rotate({ activateInSeconds: 3_600 });
    expect(Math.abs(Date.parse(activatesAt) - rotatedAt - 3_600_000)).toBeLessThan(60_000);
    expect(secret).toBe(old);
    expect(nextSecret).toMatch(/^whsec_/);
    expect(await secrets()).toEqual({ secret, nextSecret, activatesAt });

    for (const request of await received(5)) {
      expect([isSigned(request, old), isSigned(request, nextSecret)]).toEqual([true, false]);
      expect([isStandard(request, old), isStandard(request, nextSecret)]).toEqual([true, true]);
    }
    await activateNow();
    expect(await secrets()).toEqual({ secret: nextSecret, nextSecret: null, activatesAt: null });
    for (const request of await received(5)) {
      expect([isSigned(request, old), isSigned(request, nextSecret)]).toEqual([false, true]);
      expect([isStandard(request, old), isStandard(request, nextSecret)]).toEqual([false, true]);
    }
  });

  it('a second rotation or an update of the secret replaces the next secret', async () => {
    const old = await createSigned({ secret: 'the first, of the client' });
    const replaced = (await rotate({ activateInSeconds: 3_600 })).nextSecret;
    const second = await rotate({ activateInSeconds: 3_600, secret: 'the second, of the client' });
    expect(second).toMatchObject({ secret: old, nextSecret: 'the second, of the client' });
    const [during] = await received(1);
    expect([old, replaced, second.nextSecret].map((secret) => isStandard(during!, secret))).toEqual([true, false, true]);

    const immediate = await rotate({});
    expect(immediate).toMatchObject({ nextSecret: null, activatesAt: null });
    const [after] = await received(1);
    expect([isSigned(after!, immediate.secret), isSigned(after!, old)]).toEqual([true, false]);

    expect((await rotate({ activateInSeconds: 3_600 })).secret).toBe(immediate.secret);
    await app.api.platform.patch(webhook, { secret: 'given with a change' }).expect(200);
    expect(await secrets()).toEqual({ secret: 'given with a change', nextSecret: null, activatesAt: null });
    await app.api.platform.patch(webhook, { secret: (await read(app, webhook)).secret }).expect(200);
    expect((await secrets()).secret).toBe('given with a change');
  });
});
