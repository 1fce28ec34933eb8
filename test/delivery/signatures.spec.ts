import { afterEach, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { read } from '../support/organizations.js';
import { type ReceivedRequest, testReceiver } from '../support/receiver.js';
import { isSigned as isSignedBy } from '../support/signature.js';
import { testApp } from '../support/test-app.js';
import { WebhookDeliveries } from '../support/webhook-deliveries.js';

const app = testApp({ serviceName: 'acme-iam' });
const receiver = testReceiver();
const deliveries = new WebhookDeliveries(app, receiver);
let webhook: string;

afterEach(() => app.api.platform.delete(webhook));

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
async function createWebhook(fields: object = {}): Promise<string> {
  webhook = await deliveries.createWebhook(fields);
  return (await secrets()).secret;
}

async function deliver(count: number): Promise<ReceivedRequest[]> {
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
  const secret = await createWebhook({ ...(own ? { secret: own } : {}), headers: { 'X-Gateway': 'abc' } });
  const received = await deliver(5);
  const tested = await app.api.platform.post(`${webhook}/test`, { eventType: 'user.login' }).expect(200);
  expect(tested.body.success).toBe(true);
  for (const request of [...received, receiver.requests.at(-1)!]) {
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

it('every delivery can be verified with the current and the next secret during a rotation', async () => {
  const old = await createWebhook();
  expect(await secrets()).toEqual({ secret: old, nextSecret: null, activatesAt: null });
  const rotatedAt = Date.now();
  const { secret, nextSecret, activatesAt } = await rotate({ activateInSeconds: 3_600 });
  expect(Math.abs(Date.parse(activatesAt) - rotatedAt - 3_600_000)).toBeLessThan(60_000);
  expect(secret).toBe(old);
  expect(nextSecret).toMatch(/^whsec_/);
  expect(await secrets()).toEqual({ secret, nextSecret, activatesAt });

  for (const request of await deliver(5)) {
    expect([isSigned(request, old), isSigned(request, nextSecret)]).toEqual([true, false]);
    expect([isStandard(request, old), isStandard(request, nextSecret)]).toEqual([true, true]);
  }
  await activateNow();
  expect(await secrets()).toEqual({ secret: nextSecret, nextSecret: null, activatesAt: null });
  for (const request of await deliver(5)) {
    expect([isSigned(request, old), isSigned(request, nextSecret)]).toEqual([false, true]);
    expect([isStandard(request, old), isStandard(request, nextSecret)]).toEqual([false, true]);
  }
});

it('a second rotation or an update of the secret replaces the next secret', async () => {
  const old = await createWebhook({ secret: 'the first, of the client' });
  const replaced = (await rotate({ activateInSeconds: 3_600 })).nextSecret;
  const second = await rotate({ activateInSeconds: 3_600, secret: 'the second, of the client' });
  expect(second).toMatchObject({ secret: old, nextSecret: 'the second, of the client' });
  const [during] = await deliver(1);
  expect([old, replaced, second.nextSecret].map((secret) => isStandard(during!, secret))).toEqual([true, false, true]);

  const immediate = await rotate({});
  expect(immediate).toMatchObject({ nextSecret: null, activatesAt: null });
  const [after] = await deliver(1);
  expect([isSigned(after!, immediate.secret), isSigned(after!, old)]).toEqual([true, false]);

  expect((await rotate({ activateInSeconds: 3_600 })).secret).toBe(immediate.secret);
  await app.api.platform.patch(webhook, { secret: 'given with a change' }).expect(200);
  expect(await secrets()).toEqual({ secret: 'given with a change', nextSecret: null, activatesAt: null });
  await app.api.platform.patch(webhook, { secret: (await read(app, webhook)).secret }).expect(200);
  expect((await secrets()).secret).toBe('given with a change');
});
