import { Webhooks } from '../../../packages/webhooks/src/index.js';
import type { TestApp } from '../../support/app.js';
import { startReceiver } from '../../support/receiver.js';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** A delivery and the expected result of the Go module. */
export interface Delivery {
  readonly name: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** The event or the error, the status after a successful handler function, and the status after a failed handler function. */
  readonly outcome: string;
}

/** A `user.created` event with additional fields of a newer version of the service. */
const USER = JSON.stringify({
  id: 'evt_1',
  type: 'user.created',
  data: { email: 'ada@example.com', firstName: 'Zoë 🙂', nickname: 'Zo' },
  region: 'eu',
});
const ACCEPTED = 'user.created ada@example.com true 204 500';

/** Returns the Standard Webhooks headers of a signed delivery. */
async function signed(secret: string, body = USER, shiftSeconds = 0): Promise<Record<string, string>> {
  const webhooks = new Webhooks({ secret, now: () => Date.now() + shiftSeconds * 1_000 });
  const headers = await webhooks.sign(body, 'evt_1');
  return Object.fromEntries(STANDARD.map((name) => [name, headers[name]!]));
}

/** Creates a user and returns the delivery of the service. */
async function realDelivery(app: TestApp): Promise<Delivery> {
  const receiver = await startReceiver();
  try {
    const { platform } = app.api;
    const webhook = { url: receiver.url, events: ['user.created'], secret: SECRET };
    await platform.post('/v1/organizations/acme/webhooks', webhook).expect(201);
    await platform.post('/v1/organizations/acme/users', { email: 'zoe@example.com', firstName: 'Zoë 🙂' }).expect(201);
    const [request] = await receiver.waitFor(1, 20_000);
    return {
      name: 'a real delivery',
      body: request!.body.toString('utf8'),
      headers: request!.headers as Record<string, string>,
      secrets: [SECRET],
      outcome: 'user.created zoe@example.com true 204 500',
    };
  } finally {
    await receiver.stop();
  }
}

export async function deliveries(app: TestApp): Promise<Delivery[]> {
  const [real, genuine, next] = [await realDelivery(app), await signed(SECRET), await signed('next')];
  const base = { body: USER, headers: genuine, secrets: [SECRET], outcome: ACCEPTED };
  const [mismatch, missing, late] = ['signature_mismatch', 'signature_missing', 'timestamp_out_of_tolerance'].map(
    (code) => `${code} 401 401`,
  ) as [string, string, string];
  const during = { ...genuine, 'webhook-signature': `${next['webhook-signature']} ${genuine['webhook-signature']}` };
  const cases: Delivery[] = [
    real,
    { ...real, name: 'a changed body', body: real.body.replace('Zoë', 'Zoe'), outcome: mismatch },
    { ...base, name: 'both secrets', secrets: ['next', SECRET] },
    { ...base, name: 'both signatures', headers: during },
    { ...base, name: 'another secret', secrets: ['another'], outcome: mismatch },
    { ...base, name: 'no secret', secrets: [], outcome: mismatch },
    { ...base, name: 'another id', headers: { ...genuine, 'webhook-id': 'evt_2' }, outcome: mismatch },
    { ...base, name: 'no headers', headers: {}, outcome: missing },
    { ...base, name: 'another version', headers: { ...genuine, 'webhook-signature': `v2,${'A'.repeat(43)}=` }, outcome: missing },
  ];
  for (const [seconds, outcome] of [
    [-290, ACCEPTED],
    [290, ACCEPTED],
    [-310, late],
    [310, late],
  ] as const)
    cases.push({ ...base, name: `${seconds} s from now`, headers: await signed(SECRET, USER, seconds), outcome });
  for (const secret of [
    'x',
    'whsec_',
    'whsec_ab',
    'whsec_ab==',
    'whsec_abcde',
    'whsec_abcd-',
    'whsec_abcdef==',
    'ü ✓',
    `${SECRET}\n`,
  ])
    cases.push({ ...base, name: `the secret ${JSON.stringify(secret)}`, headers: await signed(secret), secrets: [secret] });
  for (const body of ['', 'no json', 'null', '[]', '{"id":"evt_1"}'])
    cases.push({ ...base, name: `the body ${body}`, body, headers: await signed(SECRET, body), outcome: 'body_invalid 401 401' });
  const future = '{"id":"evt_1","type":"user.merged","data":{"into":"usr_1"}}';
  const outcome = 'unknown user.merged {"into":"usr_1"} 204 500';
  cases.push({ ...base, name: 'a newer type', body: future, headers: await signed(SECRET, future), outcome });
  return cases;
}
