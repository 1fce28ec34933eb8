import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve as resolvePath } from 'node:path';
import vm from 'node:vm';
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
import { sharedBrowser } from '../support/chromium.js';
import { listenHttp } from '../support/local-receiver.js';
import { only, STANDARD, VECTORS } from './deliveries.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const BODY = '{"id":"evt_1","type":"user.created","data":{"firstName":"Zoë 🙂"}}';
const BUILT = join(import.meta.dirname, '../../packages/webhooks/dist/esm');
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

/** The code that runs in each runtime. Returns the results for a genuine delivery and for a changed delivery. */
const CHECK = `async (library, { body, headers, secret }) => {
  const outcome = (body) => new library.Webhooks({ secret }).verify(body, headers).then((event) => event, (error) => error.code);
  return { genuine: await outcome(body), changed: await outcome(body + ' '), types: library.EVENT_TYPES.length };
}`;

describe('Webhooks', () => {
  let genuine: Record<string, string>;
  /** The input of the check in each runtime, which uses the clock. */
  let checkInput: object;
  const expected = { genuine: JSON.parse(BODY), changed: 'signature_mismatch', types: EVENT_TYPES.length };
  beforeAll(async () => {
    genuine = await signedAt(NOW);
    checkInput = { body: BODY, headers: await new Webhooks({ secret: SECRET }).sign(BODY, 'evt_1'), secret: SECRET };
  });

  it('exports every event type of the catalog', () => {
    expect(EVENT_TYPES.toSorted()).toEqual(Object.keys(EVENTS).toSorted());
  });

  it('creates the signatures of the test vectors', async () => {
    for (const { secret, timestamp, body, header } of VECTORS)
      expect((await signedAt(timestamp, secret, body))['service-signature']).toBe(header);
  });

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

  it('uses the header name of the options', async () => {
    const renamed = new Webhooks({ secret: SECRET, signatureHeader: 'Acme-Signature', now });
    const headers = only(await renamed.sign(BODY, 'evt_1'), 'acme-signature');
    expect(await failureOf(renamed.verify(BODY, headers))).toBe('verified');
    expect(await failureOf(webhooks.verify(BODY, headers))).toBe('signature_missing');
  });

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

  it('works in a browser', async () => {
    const files = await listenHttp((request, response) => {
      const isScript = request.url!.endsWith('.js');
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? readFileSync(join(BUILT, request.url!)) : '<!doctype html><title>Receiver</title>');
    });
    const context = await (await sharedBrowser()).newContext();
    try {
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${files.port}/`);
      const result = await page.evaluate(
        `import('/index.js').then((library) => (${CHECK})(library, ${JSON.stringify(checkInput)}))`,
      );
      expect(result).toEqual(expected);
    } finally {
      await context.close();
      await files.close();
    }
  });

  it('works in an edge runtime without Node.js APIs', async () => {
    const { crypto, TextEncoder, TextDecoder, Headers, Request, Response, atob, btoa } = globalThis;
    const context = vm.createContext({ crypto, TextEncoder, TextDecoder, Headers, Request, Response, atob, btoa });
    const modules = new Map<string, vm.SourceTextModule>();
    const load = (path: string): vm.SourceTextModule => {
      const known = modules.get(path);
      if (known) return known;
      const made = new vm.SourceTextModule(readFileSync(path, 'utf8'), { context, identifier: path });
      modules.set(path, made);
      return made;
    };
    const library = load(join(BUILT, 'index.js'));
    await library.link((specifier, from) => load(resolvePath(dirname(from.identifier), specifier)));
    await library.evaluate();
    const check = vm.runInContext(`(${CHECK})`, context) as (library: unknown, input: object) => Promise<unknown>;
    expect(JSON.parse(JSON.stringify(await check(library.namespace, checkInput)))).toEqual(expected);
    expect(vm.runInContext('typeof process + typeof Buffer + typeof require', context)).toBe('undefinedundefinedundefined');
  });
});
