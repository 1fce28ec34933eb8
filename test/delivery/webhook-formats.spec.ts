import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { Webhook } from 'standardwebhooks';
import { EventRedaction } from '#platform/event-log';
import { EVENT_FORMATS, findFormat } from '#webhooks/formats';
import { eventually } from '../support/delivery-app.js';
import type { TestBody } from '../support/http-client.js';
import { at, keyClient, made, read } from '../support/organizations.js';
import { type ReceivedRequest, testReceiver } from '../support/receiver.js';
import { HOUR_MS, later } from '../support/sign-in.js';
import { isSigned } from '../support/signature.js';
import { testApp } from '../support/test-app.js';
import { WebhookDeliveries } from '../support/webhook-deliveries.js';

const EARLIER = '2020-01-01T00:00:00Z';
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

/** The path and the credentials with which the products accept events. */
const PRODUCTS: Record<string, { path: string; headers: Record<string, string> }> = {
  cloudevents: { path: 'events', headers: {} },
  set: { path: 'set', headers: { Authorization: 'Bearer of-the-receiver' } },
  splunk_hec: { path: 'services/collector/event', headers: { Authorization: 'Splunk 12345678-1234-1234-1234-1234567890AB' } },
  datadog: { path: 'api/v2/logs', headers: { 'DD-API-KEY': '0123456789abcdef' } },
  elastic: { path: 'logs-identity-default/_doc', headers: { Authorization: 'ApiKey bm90LWEta2V5' } },
  ocsf: { path: 'ocsf', headers: {} },
};

const app = testApp({ webhookRetryScheduleMs: [50] });
let status: number;
const receiver = testReceiver(() => ({ status }));
const deliveries = new WebhookDeliveries(app, receiver);
let webhook: string;

/** Creates a webhook with a format and returns its id. */
async function createWebhook(format: string, fields: object = {}): Promise<string> {
  webhook = deliveries.webhook = await deliveries.createWebhook({ format, secret: SECRET, ...fields });
  return webhook.slice(webhook.lastIndexOf('/') + 1);
}

/** Publishes an event and returns the request that delivers it. */
async function deliver(): Promise<ReceivedRequest> {
  await deliveries.createRoles();
  const [request] = await receiver.waitFor(1, 10_000);
  return request!;
}

/** Returns the received document: the body, or the claims of a token. */
const documentOf = ({ headers, body }: ReceivedRequest): TestBody =>
  headers['content-type'] === 'application/secevent+jwt' ? decodeJwt(body.toString()) : JSON.parse(body.toString());

/** Returns the schema's problems of a document. */
function problems(format: string, document: unknown): unknown {
  const validate = ajvFormats.default(new Ajv2020({ strict: false })).compile(findFormat(format)!.schema);
  return validate(document) ? [] : validate.errors;
}

beforeEach(() => {
  status = 200;
  receiver.requests.length = 0;
});
afterEach(() => app.api.platform.delete(webhook));

describe.each(EVENT_FORMATS.map(({ name, contentType }) => [name, contentType] as const))(
  'the format %s',
  (format, contentType) => {
    const { path, headers } = PRODUCTS[format]!;
    const create = (fields: object = {}) => createWebhook(format, { url: `${receiver.url}${path}`, headers, ...fields });

    it('arrives with its content type, the custom headers and signatures over the exact body', async () => {
      await create();
      const request = await deliver();
      expect(request).toMatchObject({ method: 'POST', path: `/${path}` });
      expect(request.headers['content-type']).toBe(contentType);
      for (const [name, value] of Object.entries(headers)) expect(request.headers[name.toLowerCase()]).toBe(value);
      expect(isSigned(request, SECRET)).toBe(true);
      // The reference library also parses JSON, which a token is not.
      const verify = () => new Webhook(SECRET).verify(request.body, request.headers as Record<string, string>);
      if (contentType.endsWith('json')) verify();
      expect(request.headers).toMatchObject({ 'webhook-id': expect.stringMatching(/^evt_/), 'webhook-sequence': '1' });
      expect(problems(format, documentOf(request))).toEqual([]);
      expect(JSON.stringify(documentOf(request))).toContain(String(request.headers['webhook-id']));
    });

    it('is shown in the history, with the headers of the request and without credentials', async () => {
      await create();
      const request = await deliver();
      await deliveries.waitForStatuses('succeeded');
      const [{ id }] = await deliveries.list();
      const shown = await read(app, `${webhook}/deliveries/${id}`);
      const sent = shown.attempts[0].request.headers;
      expect(sent['content-type']).toBe(contentType);
      expect(sent['webhook-signature']).toBe(request.headers['webhook-signature']);
      for (const value of Object.values(headers)) expect(JSON.stringify(shown)).not.toContain(value);
      expect(shown.attempts[0].request.format).toBe(format);
      if (format === 'set') expect(JSON.parse(shown.attempts[0].request.body)).toEqual(documentOf(request));
      else expect(shown.attempts[0].request.body).toBe(request.body.toString());
      expect(shown.payload).toMatchObject({ state: 'original', body: expect.stringContaining('"type":"role.created"') });

      const reader = await keyClient(app, 'acme', ['webhooks:read']);
      const { payload, attempts } = (await reader.get(`${webhook}/deliveries/${id}`).expect(200)).body.data;
      expect(payload).toEqual({ state: 'withheld', body: null });
      expect(attempts[0].request).toMatchObject({ format, body: null });
    });

    it('is sent by tests, retries and replays, each with the same event', async () => {
      await create();
      const test = await app.api.platform.post(`${webhook}/test`, { eventType: 'user.suspended' }).expect(200);
      expect(test.body.success).toBe(true);
      expect(problems(format, documentOf(receiver.requests[0]!))).toEqual([]);
      receiver.requests.length = 0;

      status = 500;
      await deliveries.createRoles();
      await receiver.waitFor(2, 10_000);
      const isFailed = async () => (await deliveries.list('&status=failed')).length === 1;
      await eventually(isFailed, 10_000, 'both attempts failed');
      status = 200;
      const replay = await app.api.platform.post(`${webhook}/replay`, { since: EARLIER }).expect(200);
      expect(replay.body.data.count).toBe(1);
      const requests = await receiver.waitFor(3, 10_000);
      for (const request of requests) {
        expect(request.headers['content-type']).toBe(contentType);
        expect(request.headers['webhook-id']).toBe(requests[0]!.headers['webhook-id']);
        expect(isSigned(request, SECRET)).toBe(true);
      }
    });

    it('applies the filter to the event, and has no personal data that was removed', async () => {
      const filter = { email: { $in: [`ada-${format}@example.com`] } };
      await create({ events: ['user.created'], filter });
      for (const name of ['ada', 'jane'])
        await made(app, at('acme', '/users'), { email: `${name}-${format}@example.com`, firstName: 'Augusta' });
      const [request] = await receiver.waitFor(1, 10_000);
      await deliveries.waitForStatuses('succeeded');
      expect(receiver.requests).toHaveLength(1);
      expect(request!.headers['webhook-sequence']).toBe('1');
      expect(JSON.stringify(documentOf(request!))).toContain('Augusta');

      const [{ id, subject }] = await deliveries.list();
      await app.api.platform.delete(at('acme', `/users/${subject.id}?permanent=true`)).expect(204);
      await later(app, 2 * HOUR_MS, () => app.app.get(EventRedaction).run());
      expect((await read(app, `${webhook}/deliveries/${id}`)).payload.state).toBe('redacted');
      receiver.requests.length = 0;
      await app.api.platform.post(`${webhook}/deliveries/${id}/retry`).expect(200);
      const [again] = await receiver.waitFor(1, 10_000);
      expect(problems(format, documentOf(again!))).toEqual([]);
      const text = JSON.stringify(documentOf(again!));
      for (const removed of ['Augusta', `ada-${format}@example.com`]) expect(text).not.toContain(removed);
      expect(text).toContain(String(request!.headers['webhook-id']));
    });
  },
);

describe('a security event token', () => {
  const keys = () => createRemoteJWKSet(new URL('/.well-known/jwks.json', app.url));

  it('is verified with the public keys, for the webhook as audience', async () => {
    const id = await createWebhook('set');
    const request = await deliver();
    const expected = { issuer: app.config.baseUrl, audience: id, typ: 'secevent+jwt' };
    const { payload, protectedHeader } = await jwtVerify(request.body.toString(), keys(), expected);
    expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: expect.any(String) });
    expect(payload.jti).toBe(request.headers['webhook-id']);
    const { [`${app.config.baseUrl}/events/role.created`]: event } = payload['events'] as Record<string, TestBody>;
    expect(event).toMatchObject({ id: payload.jti, type: 'role.created', organization: { name: 'Acme' } });
    await expect(jwtVerify(request.body.toString(), keys(), { audience: 'wh_of_another' })).rejects.toThrow(/aud/);
  });

  it('is not accepted as a credential', async () => {
    await createWebhook('set');
    const token = (await deliver()).body.toString();
    await app.api.as(token).get('/v1/auth/me').expect(401);
    await app.api.as(token).get(at('acme')).expect(401);
  });
});

describe('the format of a webhook', () => {
  it('is that of the service by default, which sends the stored text', async () => {
    webhook = deliveries.webhook = await deliveries.createWebhook();
    expect(await read(app, webhook)).toMatchObject({ format: 'service' });
    const request = await deliver();
    const [event] = await app.database.query<{ payload: string }>('SELECT payload FROM events WHERE id = $1', [
      request.headers['webhook-id'],
    ]);
    expect(request.body.toString()).toBe(event!.payload);
  });

  it('changes with an event, for deliveries from then on', async () => {
    await createWebhook('service');
    await app.api.platform.patch(webhook, { format: 'cloudevents' }).expect(200);
    expect((await deliver()).headers['content-type']).toBe('application/cloudevents+json');
    const [event] = await read(app, `${at('acme')}/events?type=webhook.updated&limit=1`);
    expect(event.data).toMatchObject({ format: 'cloudevents', changes: { format: { from: 'service', to: 'cloudevents' } } });
    // The same format again changes nothing.
    await app.api.platform.patch(webhook, { format: 'cloudevents' }).expect(200);
    expect((await read(app, `${at('acme')}/events?type=webhook.updated&limit=1`))[0].id).toBe(event.id);
  });

  it('is shown for each attempt', async () => {
    await createWebhook('service');
    await deliver();
    await deliveries.waitForStatuses('succeeded');
    const [{ id }] = await deliveries.list();
    await app.api.platform.patch(webhook, { format: 'splunk_hec' }).expect(200);
    await app.api.platform.post(`${webhook}/deliveries/${id}/retry`).expect(200);
    const [, second] = await receiver.waitFor(2, 10_000);
    await deliveries.waitForStatuses('succeeded');
    const { attempts } = await read(app, `${webhook}/deliveries/${id}`);
    expect(attempts.map(({ request }: TestBody) => [request.format, request.body])).toEqual([
      ['service', null],
      ['splunk_hec', second!.body.toString()],
    ]);
  });

  it('requires the permission to write webhooks and the current version, and keeps the owner', async () => {
    await createWebhook('service');
    const { ownerId } = await read(app, webhook);
    const reader = await keyClient(app, 'acme', ['webhooks:read']);
    await reader.patch(webhook, { format: 'ocsf' }).expect(403);
    const writer = await keyClient(app, 'acme', ['webhooks:*']);
    await writer.patch(webhook, { format: 'ocsf' }, { headers: { 'if-match': '"7"' } }).expect(412);
    await writer.patch(webhook, { format: 'ocsf' }, { headers: { 'if-match': '"1"' } }).expect(200);
    expect(await read(app, webhook)).toMatchObject({ format: 'ocsf', ownerId });
  });

  it('is one of the list', async () => {
    await createWebhook('service');
    const refused = await app.api.platform.patch(webhook, { format: 'syslog' }).expect(400, 'validation_failed');
    expect(refused.body.errors).toMatchObject([{ pointer: '/format' }]);
    expect(refused.body.errors[0].message).toContain('cloudevents');
  });

  it('can be one that only another release has: its webhooks get the format of the service', async () => {
    await createWebhook('service');
    await app.database.query(`UPDATE webhooks SET format = 'of-a-later-release'`);
    expect((await deliver()).headers['content-type']).toBe('application/json');
  });
});
