import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { numberedEvents } from '../support/event-log.js';
import { dataOf, expectFields } from '../support/fields.js';
import { eventually } from '../support/delivery-app.js';
import type { TestBody } from '../support/http-client.js';
import { newOrganization } from '../support/organizations.js';
import { type ReceivedRequest, type Receiver, startReceiver } from '../support/receiver.js';
import { EVENT_PAYLOAD, EVENT_TYPES, USER_CREATED_DATA, WEBHOOK_TEST } from '../support/specification-tables.js';

const SECRET = 'the-secret-of-the-first-webhook';
const OTHER_SECRET = 'the-secret-of-the-second-webhook';
const ARRIVAL_TIMEOUT_MS = 30_000;

/** An organization with a webhook for all event types and a webhook for `user.created` (section 6). */
interface Fixture {
  acme: string;
  slug: string;
  path: string;
  users: string;
  /** The id of the webhook for all event types. */
  webhook: string;
  everything: Receiver;
  creations: Receiver;
}

/**
 * The steps of a new customer, from the first organization to its deletion, with the events that two webhooks receive at each step.
 */
describe('the service (specification)', () => {
  let app: TestApp;
  const receivers: Receiver[] = [];

  const payloadOf = (request: ReceivedRequest): TestBody => JSON.parse(request.body.toString('utf8'));

  const receiver = async (...behavior: Parameters<typeof startReceiver>): Promise<Receiver> => {
    const started = await startReceiver(...behavior);
    receivers.push(started);
    return started;
  };

  const createFixture = async (): Promise<Fixture> => {
    const everything = await receiver(() => ({ status: 202, body: 'thank you' }));
    const creations = await receiver();
    const { id: acme, slug } = await newOrganization(app, { name: 'Acme' });
    const path = `/v1/organizations/${slug}`;
    const all = { name: 'All', url: `${everything.url}hook?tenant=acme`, events: EVENT_TYPES, enabled: true, secret: SECRET };
    const webhook = dataOf((await app.api.platform.post(`${path}/webhooks`, all).expect(201)).body).id;
    const one = { name: 'One', url: creations.url, events: ['user.created'], enabled: true, secret: OTHER_SECRET };
    await app.api.platform.post(`${path}/webhooks`, one).expect(201);
    return { acme, slug, path, users: `${path}/users`, webhook, everything, creations };
  };

  const typesDuring = async (run: () => Promise<unknown>): Promise<string[]> => {
    const written = (await app.eventTypes()).length;
    await run();
    return (await app.eventTypes()).slice(written);
  };

  /** Runs a step. Expects exactly `types` at the receiver, in any order. Returns the payloads in the order of `types`. */
  const expectEvents = async ({ everything }: Fixture, run: () => Promise<unknown>, types: string[]): Promise<TestBody[]> => {
    const before = everything.requests.length;
    expect(await typesDuring(run)).toEqual(types);
    const arrived = (await everything.waitFor(before + types.length, ARRIVAL_TIMEOUT_MS)).slice(before);
    for (const request of arrived) expectSigned(request, SECRET);
    const payloads = arrived.map(payloadOf);
    for (const payload of payloads) expectFields(payload, EVENT_PAYLOAD);
    expect(payloads.map(({ type }) => type).toSorted()).toEqual(types.toSorted());
    return payloads.toSorted((a, b) => types.indexOf(a.type) - types.indexOf(b.type));
  };

  /** Adds Ada to the organization. Returns Ada's id, the response and the event. */
  const addAda = async (fixture: Fixture): Promise<{ ada: string; created: TestBody; event: TestBody }> => {
    let created: TestBody;
    const [event] = await expectEvents(fixture, async () => {
      const body = {
        email: 'ada@acme.example',
        firstName: 'Ada',
        lastName: 'Lovelace',
        displayName: 'Ada L.',
        metadata: { a: 1 },
        roles: ['role_admin'],
      };
      const options = { headers: { 'user-agent': 'walk/1.0' } };
      created = (await app.api.platform.post(fixture.users, body, options).expect(201)).body.data;
    }, ['user.created']);
    return { ada: created.id, created, event };
  };

  /** Adds a child organization. Returns the response and the event. */
  const addEngines = async (fixture: Fixture): Promise<{ engines: TestBody; event: TestBody }> => {
    let engines: TestBody;
    const [event] = await expectEvents(fixture, async () => {
      const body = { name: 'Engines', slug: `${fixture.slug}-engines`, parentId: fixture.acme };
      engines = (await app.api.platform.post('/v1/organizations', body).expect(201)).body.data;
    }, ['organization.created']);
    return { engines, event };
  };

  const testDelivery = (fixture: Fixture, eventType: string) =>
    app.api.platform.post(`${fixture.path}/webhooks/${fixture.webhook}/test`, { eventType }).expect(200);

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(async () => {
    await app.close();
    await Promise.all(receivers.map((each) => each.stop()));
  });

  it('publishes an event for each new organization and webhook', async () => {
    expect(await typesDuring(createFixture)).toEqual(['organization.created', 'webhook.created', 'webhook.created']);
  });

  it('delivers the creation of a child organization (section 6.2)', async () => {
    const fixture = await createFixture();
    const { engines, event } = await addEngines(fixture);

    const { id } = engines;
    expect(event.data).toMatchObject({ id, name: 'Engines', slug: `${fixture.slug}-engines`, parentId: fixture.acme });
  });

  it('delivers only the specified fields of a new user (section 6.2)', async () => {
    const fixture = await createFixture();
    const before = Date.now();
    const { created, event } = await addAda(fixture);

    expectFields(event.data, USER_CREATED_DATA);
    const { emailVerified, ...six } = created;
    expect(emailVerified).toBe(false);
    expect(event.data).toEqual(six);
    expect(event.id).toMatch(/^evt_/);
    expect(Math.abs(Date.parse(event.timestamp) - before)).toBeLessThan(ARRIVAL_TIMEOUT_MS);
    expect(event.organization).toEqual({ id: fixture.acme, name: 'Acme' });
    expect(event.actor).toMatchObject({ type: 'api' });
    expect(event.metadata).toMatchObject({
      userAgent: 'walk/1.0',
      source: 'api',
      ipAddress: expect.stringMatching(/127\.0\.0\.1$/),
    });
  });

  it('signs each delivery with the secret of the webhook (section 6)', async () => {
    const fixture = await createFixture();
    const { ada } = await addAda(fixture);
    const [request] = await fixture.creations.waitFor(1, ARRIVAL_TIMEOUT_MS);

    expectSigned(request!, OTHER_SECRET);
    const payload = payloadOf(request!);
    expectFields(payload, EVENT_PAYLOAD);
    expect(payload.data.id).toBe(ada);
    expect(fixture.everything.requests.map((other) => payloadOf(other).id)).toContain(payload.id);
  });

  it('delivers a JSON body by POST (section 6.3)', async () => {
    const fixture = await createFixture();
    await addEngines(fixture);
    await addAda(fixture);
    expect(fixture.everything.requests).toHaveLength(2);
    for (const request of fixture.everything.requests) {
      expect(request.method).toBe('POST');
      expect(request.path).toBe('/hook?tenant=acme');
      expect(request.headers['content-type']).toMatch(/^application\/json/);
    }
  });

  it('delivers each change with the specified event type', async () => {
    const fixture = await createFixture();
    const { acme, users } = fixture;
    const { ada } = await addAda(fixture);
    const [updated] = await expectEvents(
      fixture,
      () => app.api.platform.patch(`${users}/${ada}`, { firstName: 'Augusta', metadata: { b: 2 } }).expect(200),
      ['user.updated'],
    );
    expect(updated.data).toMatchObject({
      id: ada,
      firstName: 'Augusta',
      metadata: { a: 1, b: 2 },
      changes: { firstName: { from: 'Ada', to: 'Augusta' } },
    });

    const about = { organization: { id: acme }, user: { id: ada, email: 'ada@acme.example' } };
    const [assigned] = await expectEvents(
      fixture,
      () => app.api.platform.post(`${users}/${ada}/roles`, { roleId: 'role_viewer' }).expect(201),
      ['role.assigned'],
    );
    expect(assigned.data).toMatchObject({ ...about, role: { id: 'role_viewer', name: 'viewer' } });
    const [revoked] = await expectEvents(
      fixture,
      () => app.api.platform.delete(`${users}/${ada}/roles/role_viewer`).expect(204),
      ['role.revoked'],
    );
    expect(revoked.data).toMatchObject({ ...about, role: { id: 'role_viewer', name: 'viewer' } });

    const [added] = await expectEvents(
      fixture,
      () => app.api.platform.post(`/v1/organizations/${acme}/members`, { userId: ada, role: 'admin' }).expect(201),
      ['organization.member_added'],
    );
    expect(added.data).toMatchObject({ organizationId: acme, userId: ada, email: 'ada@acme.example', role: 'admin' });

    const [suspended] = await expectEvents(
      fixture,
      () => app.api.platform.post(`${users}/${ada}/suspend`, { reason: 'Audit', revokeActiveSessions: true }).expect(200),
      ['user.suspended'],
    );
    expect(suspended.data).toMatchObject({ id: ada, status: 'suspended', previousStatus: 'pending', suspendedReason: 'Audit' });

    const [organization] = await expectEvents(
      fixture,
      () => app.api.platform.patch(`/v1/organizations/${acme}`, { description: 'Makers' }).expect(200),
      ['organization.updated'],
    );
    expect(organization.data).toMatchObject({ id: acme, description: 'Makers', changes: { description: { to: 'Makers' } } });
  });

  it('delivers nothing if a request changes nothing', async () => {
    const fixture = await createFixture();
    const { ada } = await addAda(fixture);
    await expectEvents(fixture, () => app.api.platform.patch(`${fixture.users}/${ada}`, { firstName: 'Ada' }).expect(200), []);
    await expectEvents(fixture, () => app.api.platform.patch(`/v1/organizations/${fixture.acme}`, {}).expect(200), []);
    const role = { roleId: 'role_admin' };
    await expectEvents(fixture, () => app.api.platform.post(`${fixture.users}/${ada}/roles`, role).expect(200), []);
  });

  it('delivers no user or member events of child organizations', async () => {
    const fixture = await createFixture();
    const { engines } = await addEngines(fixture);
    const { ada } = await addAda(fixture);
    const before = fixture.everything.requests.length;
    const types = await typesDuring(async () => {
      await app.api.platform.post(`/v1/organizations/${engines.slug}/users`, { email: 'bob@acme.example' }).expect(201);
      await app.api.platform.post(`/v1/organizations/${engines.id}/members`, { userId: ada, role: 'viewer' }).expect(201);
    });
    expect(types).toEqual(['user.created', 'organization.member_added']);
    // Events get their position in the transaction that writes their deliveries.
    await numberedEvents(app);
    const { body } = await app.api.platform.get(`${fixture.path}/webhooks/${fixture.webhook}/deliveries`).expect(200);
    expect(body.data).toHaveLength(before);
    expect(fixture.everything.requests.length).toBe(before);
  });

  it('tests a webhook with every event type (section 4.3)', async () => {
    const fixture = await createFixture();
    const { everything } = fixture;
    for (const [index, eventType] of EVENT_TYPES.entries()) {
      const before = everything.requests.length;
      const { body } = await testDelivery(fixture, eventType);

      expectFields(body, WEBHOOK_TEST);
      expect(body).toMatchObject({ success: true, responseCode: 202, responseBody: 'thank you' });
      expect(body.responseTime).toBeGreaterThanOrEqual(0);
      expect(body.responseTime).toBeLessThan(ARRIVAL_TIMEOUT_MS);
      const request = everything.requests[before]!;
      expectSigned(request, SECRET);
      expectFields(payloadOf(request), EVENT_PAYLOAD);
      expect(payloadOf(request)).toMatchObject({ type: eventType, organization: { id: fixture.acme, name: 'Acme' } });
      if (eventType === 'user.created') expectFields(payloadOf(request).data, USER_CREATED_DATA);
      expect(everything.requests.length).toBe(before + 1);
      expect(index).toBeLessThan(26);
    }
  });

  it('rejects a test with a missing or unknown event type (section 4.3)', async () => {
    const fixture = await createFixture();
    const { engines } = await addEngines(fixture);
    for (const body of [{}, { eventType: 'user.flown' }, { eventType: '*' }]) {
      const rejected = await app.api.platform.post(`${fixture.path}/webhooks/${fixture.webhook}/test`, body).expect(400);
      expect(rejected.body.errors).toMatchObject([{ pointer: '/eventType' }]);
    }
    await app.api.platform
      .post(`/v1/organizations/${engines.slug}/webhooks/${fixture.webhook}/test`, { eventType: 'user.created' })
      .expect(404);
  });

  it('reports a failed webhook test (section 4.3)', async () => {
    const fixture = await createFixture();
    const refusing = await startReceiver(() => ({ status: 503, body: 'busy' }));
    const body = { url: refusing.url, events: ['user.login'], enabled: false };
    const { id } = (await app.api.platform.post(`${fixture.path}/webhooks`, body).expect(201)).body.data;
    const path = `${fixture.path}/webhooks/${id}/test`;

    const rejected = await app.api.platform.post(path, { eventType: 'user.login' }).expect(200);
    expectFields(rejected.body, WEBHOOK_TEST);
    expect(rejected.body).toMatchObject({ success: false, responseCode: 503, responseBody: 'busy' });

    await refusing.stop();
    const unreached = await app.api.platform.post(path, { eventType: 'user.login' }).expect(200);
    expectFields(unreached.body, WEBHOOK_TEST);
    expect(unreached.body).toMatchObject({ success: false, responseCode: 0, responseBody: expect.stringMatching(/./) });
    await app.api.platform.delete(`/v1/webhooks/${id}`).expect(204);
  });

  it('delivers nothing while the webhook is disabled', async () => {
    const fixture = await createFixture();
    const { everything, users, webhook } = fixture;
    const { ada } = await addAda(fixture);
    const before = everything.requests.length;
    await app.api.platform.patch(`/v1/webhooks/${webhook}`, { enabled: false }).expect(200);
    await app.api.platform.patch(`${users}/${ada}`, { lastName: 'King' }).expect(200);
    // The service skips the event when assigning the position.
    await numberedEvents(app);
    expect(everything.requests.length).toBe(before);
    await app.api.platform.patch(`/v1/webhooks/${webhook}`, { enabled: true }).expect(200);
    const [event] = await expectEvents(
      fixture,
      () => app.api.platform.patch(`${users}/${ada}`, { lastName: 'Byron' }).expect(200),
      ['user.updated'],
    );
    expect(event.data.changes).toMatchObject({ lastName: { from: 'King', to: 'Byron' } });
  });

  it('returns the success rate of a webhook (section 2.8)', async () => {
    const fixture = await createFixture();
    await addAda(fixture);
    const metadata = async (): Promise<TestBody> =>
      dataOf((await app.api.platform.get(`/v1/webhooks/${fixture.webhook}`).expect(200)).body).metadata;
    const isCounted = async (): Promise<boolean> => (await metadata())?.successRate !== undefined;
    await eventually(isCounted, ARRIVAL_TIMEOUT_MS, 'the delivery is counted');
    expect(await metadata()).toMatchObject({ lastDelivery: expect.any(String), successRate: 1, failureCount: 0 });
  });

  it('delivers an event for each removal or deletion', async () => {
    const fixture = await createFixture();
    const { acme, path, users } = fixture;
    const { engines } = await addEngines(fixture);
    const { ada } = await addAda(fixture);
    const bob = (
      await app.api.platform.post(`/v1/organizations/${engines.slug}/users`, { email: 'bob@acme.example' }).expect(201)
    ).body.data.id;
    await app.api.platform.post(`/v1/organizations/${engines.id}/members`, { userId: ada, role: 'viewer' }).expect(201);
    await expectEvents(fixture, () => app.api.platform.post(`${path}/members`, { userId: ada, role: 'admin' }).expect(201), [
      'organization.member_added',
    ]);

    const [removed] = await expectEvents(fixture, () => app.api.platform.delete(`${path}/members/${ada}`).expect(204), [
      'organization.member_removed',
    ]);
    expect(removed.data).toMatchObject({ organizationId: acme, userId: ada, role: 'admin', removedAt: expect.any(String) });

    const [soft] = await expectEvents(fixture, () => app.api.platform.delete(`${users}/${ada}`).expect(204), ['user.deleted']);
    expect(soft.data).toMatchObject({ id: ada, permanent: false, deletedAt: expect.any(String), purgeAt: expect.any(String) });
    const [permanent] = await expectEvents(fixture, () => app.api.platform.delete(`${users}/${ada}?permanent=true`).expect(204), [
      'user.deleted',
    ]);
    expect(permanent.data).toMatchObject({ id: ada, permanent: true });

    await app.api.platform.delete(`/v1/organizations/${engines.slug}/users/${bob}`).expect(204);
    const [below] = await expectEvents(fixture, () => app.api.platform.delete(`/v1/organizations/${engines.slug}`).expect(204), [
      'organization.deleted',
    ]);
    expect(below.data).toMatchObject({ id: engines.id });
    const [own] = await expectEvents(fixture, () => app.api.platform.delete(`/v1/organizations/${acme}`).expect(204), [
      'organization.deleted',
    ]);
    expect(own.data).toMatchObject({ id: acme });
    await app.api.platform.get(path).expect(404);
  });

  it('assigns a unique id to every event', async () => {
    const fixture = await createFixture();
    const { everything, creations, users } = fixture;
    await addEngines(fixture);
    const { ada } = await addAda(fixture);
    for (const [run, type] of [
      [() => app.api.platform.patch(`${users}/${ada}`, { lastName: 'King' }).expect(200), 'user.updated'],
      [() => app.api.platform.post(`${users}/${ada}/roles`, { roleId: 'role_viewer' }).expect(201), 'role.assigned'],
      [() => app.api.platform.delete(`${users}/${ada}/roles/role_viewer`).expect(204), 'role.revoked'],
      [() => app.api.platform.post(`${users}/${ada}/suspend`, { reason: 'Audit' }).expect(200), 'user.suspended'],
      [() => app.api.platform.delete(`${fixture.path}/members/${ada}`).expect(204), 'organization.member_removed'],
      [() => app.api.platform.patch(fixture.path, { description: 'Makers' }).expect(200), 'organization.updated'],
      [() => app.api.platform.delete(`${users}/${ada}`).expect(204), 'user.deleted'],
    ] as const)
      await expectEvents(fixture, run, [type]);
    for (const eventType of EVENT_TYPES) await testDelivery(fixture, eventType);

    const ids = everything.requests.map((request) => payloadOf(request).id);
    expect(ids).toHaveLength(9 + EVENT_TYPES.length);
    expect(new Set(ids).size).toBe(ids.length);
    await creations.waitFor(1, ARRIVAL_TIMEOUT_MS);
    expect(creations.requests.map((request) => payloadOf(request).type)).toEqual(['user.created']);
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
