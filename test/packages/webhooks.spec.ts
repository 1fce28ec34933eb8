import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { EVENTS } from '#platform/events';
// Defines the event types of all libraries.
import '../../apps/server/src/server.module.js';
import {
  EVENT_TYPES,
  fetchHandler,
  type WebhookEvent,
  Webhooks,
  WebhookVerificationError,
} from '../../packages/webhooks/src/index.js';

interface Vector {
  secret: string;
  timestamp: number;
  body: string;
  header: string;
}
const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../support/vectors/signature.json'), 'utf8')) as Vector[];

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const BODY = '{"id":"evt_1","type":"user.created","data":{"firstName":"Zoë 🙂"}}';
const NOW = 1_795_300_000;
const now = (): number => NOW * 1_000;
const webhooks = new Webhooks({ secret: SECRET, now });

const signedAt = (seconds: number, secret = SECRET, body = BODY): Promise<Record<string, string>> =>
  new Webhooks({ secret, now: () => seconds * 1_000 }).sign(body, 'evt_1');
const failureOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'verified',
    (error: unknown) => (error instanceof WebhookVerificationError ? error.code : String(error)),
  );
const only = (headers: Record<string, string>, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, headers[name]!]));
const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

describe('Webhooks', () => {
  let genuine: Record<string, string>;
  beforeAll(async () => {
    genuine = await signedAt(NOW);
  });

  it('exports every event type of the catalog', () => {
    expect(EVENT_TYPES.toSorted()).toEqual(Object.keys(EVENTS).toSorted());
  });

  it.each(vectors.map((vector, index) => [index, vector] as const))(
    'accepts the signature of test vector %i',
    async (_, vector) => {
      const { secret, timestamp, body, header } = vector;
      const verifier = new Webhooks({ secret, now: () => timestamp * 1_000 });
      expect((await verifier.sign(body, 'evt_1'))['service-signature']).toBe(header);
      // Some test vectors are not events. The event is checked only after the signature.
      const expected = body.includes('"type"') ? 'verified' : 'body_invalid';
      expect(await failureOf(verifier.verify(body, { 'service-signature': header }))).toBe(expected);
    },
  );

  it.each([SECRET, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])(
    'accepts signatures of the Standard Webhooks library',
    async (secret) => {
      const at = Math.floor(Date.now() / 1_000);
      const headers = only(await signedAt(at, secret), ...STANDARD);
      expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
      const theirs = { ...headers, 'webhook-signature': new Webhook(secret).sign('evt_1', new Date(at * 1_000), BODY) };
      expect(await new Webhooks({ secret }).verify(BODY, theirs)).toEqual(JSON.parse(BODY));
    },
  );

  it('returns the event for every type of body', async () => {
    const bytes = Buffer.from(BODY);
    const upper = Object.fromEntries(Object.entries(genuine).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const body of [BODY, bytes, new Uint8Array(bytes).buffer]) {
      for (const headers of [genuine, new Headers(genuine), upper]) {
        expect(await webhooks.verify(body, headers)).toEqual(JSON.parse(BODY));
      }
    }
    // Node.js stores a small body in a part of a larger buffer.
    const pool = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')]);
    expect(await webhooks.verify(pool.subarray(6, 6 + bytes.length), genuine)).toEqual(JSON.parse(BODY));
    const request = new Request('http://localhost/', { method: 'POST', body: BODY, headers: genuine });
    expect(await webhooks.verifyRequest(request)).toEqual(JSON.parse(BODY));
  });

  it('accepts a valid signature in either header', async () => {
    expect(await failureOf(webhooks.verify(BODY, only(genuine, 'service-signature')))).toBe('verified');
    expect(await failureOf(webhooks.verify(BODY, only(genuine, ...STANDARD)))).toBe('verified');
    const forged = { ...genuine, 'service-signature': `t=${NOW},v1=${'0'.repeat(64)}` };
    expect(await failureOf(webhooks.verify(BODY, forged))).toBe('verified');
    expect(await failureOf(webhooks.verify(BODY, only(forged, 'service-signature')))).toBe('signature_mismatch');
  });

  it('uses the header name of the options', async () => {
    const renamed = new Webhooks({ secret: SECRET, signatureHeader: 'Acme-Signature', now });
    const headers = only(await renamed.sign(BODY, 'evt_1'), 'acme-signature');
    expect(await failureOf(renamed.verify(BODY, headers))).toBe('verified');
    expect(await failureOf(webhooks.verify(BODY, headers))).toBe('signature_missing');
  });

  it('accepts several secrets during a rotation', async () => {
    const both = new Webhooks({ secret: ['the next secret', SECRET], now });
    expect(await failureOf(both.verify(BODY, genuine))).toBe('verified');
    expect(await failureOf(both.verify(BODY, await signedAt(NOW, 'the next secret')))).toBe('verified');
    expect(await failureOf(both.verify(BODY, await signedAt(NOW, 'a third secret')))).toBe('signature_mismatch');
    expect(await failureOf(webhooks.verify(BODY, await signedAt(NOW, 'the next secret')))).toBe('signature_mismatch');
  });

  it.each([
    [-300, 'verified'],
    [-301, 'timestamp_out_of_tolerance'],
    [300, 'verified'],
    [301, 'timestamp_out_of_tolerance'],
  ])('treats a timestamp %i seconds from now as %s', async (seconds, expected) => {
    const headers = await signedAt(NOW + seconds);
    expect(await failureOf(webhooks.verify(BODY, headers))).toBe(expected);
    expect(await failureOf(webhooks.verify(BODY, only(headers, 'service-signature')))).toBe(expected);
    expect(await failureOf(webhooks.verify(BODY, only(headers, ...STANDARD)))).toBe(expected);
  });

  it('rejects a changed body, header or signature', async () => {
    const own = genuine['service-signature']!;
    const standard = genuine['webhook-signature']!;
    const changed: [string, Record<string, string>][] = [
      [`${BODY} `, genuine],
      [BODY.replace('Zoë', 'Zoe'), genuine],
      [BODY, { 'service-signature': own.replace(`t=${NOW}`, `t=${NOW + 1}`) }],
      [BODY, { 'service-signature': own.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }],
      [BODY, { ...only(genuine, ...STANDARD), 'webhook-id': 'evt_2' }],
      [BODY, { ...only(genuine, ...STANDARD), 'webhook-timestamp': String(NOW + 1) }],
      [
        BODY,
        {
          ...only(genuine, ...STANDARD),
          'webhook-signature': standard.replace(/^v1,./, (head) => (head === 'v1,A' ? 'v1,B' : 'v1,A')),
        },
      ],
    ];
    for (const [body, headers] of changed) expect(await failureOf(webhooks.verify(body, headers))).toBe('signature_mismatch');
  });

  it.each([
    ['no headers', {}],
    ['an empty header', { 'service-signature': '' }],
    ['no signature', { 'service-signature': `t=${NOW}` }],
    ['a short signature', { 'service-signature': `t=${NOW},v1=00` }],
    ['a signature in capitals', { 'service-signature': `t=${NOW},v1=${'A'.repeat(64)}` }],
    ['two times', { 'service-signature': `t=${NOW},t=${NOW},v1=${'0'.repeat(64)}` }],
    ['a time that is not a number', { 'service-signature': `t=1e9,v1=${'0'.repeat(64)}` }],
    [
      'another version',
      { 'webhook-id': 'evt_1', 'webhook-timestamp': String(NOW), 'webhook-signature': `v2,${'A'.repeat(43)}=` },
    ],
    ['no id', { 'webhook-timestamp': String(NOW), 'webhook-signature': `v1,${'A'.repeat(43)}=` }],
  ])('rejects a request with %s', async (_, headers) => {
    expect(await failureOf(webhooks.verify(BODY, headers as Record<string, string>))).toBe('signature_missing');
  });

  it.each(['', 'no json', 'null', '[]', '{"id":1,"type":"x"}', '{"id":"evt_1"}'])(
    'rejects the body %j, which is not an event',
    async (body) => {
      expect(await failureOf(webhooks.verify(body, await signedAt(NOW, SECRET, body)))).toBe('body_invalid');
    },
  );

  it('requires a secret', () => {
    for (const secret of ['', [], ['', 'x'], undefined]) {
      expect(() => new Webhooks({ secret: secret as string })).toThrow(/secret of the webhook is missing/);
    }
  });

  it('verifies requests in edge functions', async () => {
    const received: WebhookEvent[] = [];
    const handler = fetchHandler({ secret: SECRET, now }, (event) => void received.push(event));
    const send = (init: RequestInit): Promise<Response> => handler(new Request('http://localhost/hooks', init));
    expect((await send({ method: 'POST', body: BODY, headers: genuine })).status).toBe(204);
    expect(received).toEqual([JSON.parse(BODY)]);
    const refused = await send({ method: 'POST', body: `${BODY} `, headers: genuine });
    expect([refused.status, await refused.text()]).toEqual([401, expect.stringMatching(/^signature_mismatch: /)]);
    expect((await send({ method: 'GET' })).status).toBe(405);
    const failing = fetchHandler({ secret: SECRET, now }, () => Promise.reject(new Error('database gone')));
    await expect(failing(new Request('http://localhost/', { method: 'POST', body: BODY, headers: genuine }))).rejects.toThrow(
      'database gone',
    );
    expect(received).toHaveLength(1);
  });
});
