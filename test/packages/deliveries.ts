import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhooks } from '../../packages/webhooks/src/index.js';
import type { TestApp } from '../support/app.js';
import { startReceiver } from '../support/receiver.js';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const TOLERANCE_SECONDS = 300;

export interface Vector {
  secret: string;
  timestamp: number;
  body: string;
  header: string;
}
export const VECTORS = JSON.parse(
  readFileSync(join(import.meta.dirname, '../support/vectors/signature.json'), 'utf8'),
) as Vector[];

/** A delivery and the expected result of every verifier. */
export interface Delivery {
  readonly name: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** The time of the verification, in seconds since 1970. */
  readonly now: number;
  readonly outcome: 'verified' | 'signature_missing' | 'signature_mismatch' | 'timestamp_out_of_tolerance' | 'body_invalid';
  /** Has only the signature header of the service, which the Go module does not read. */
  readonly hasOwnHeaderOnly?: true;
}

/** A `user.created` event with additional fields of a newer version of the service. */
const USER = JSON.stringify({
  id: 'evt_1',
  type: 'user.created',
  data: { email: 'ada@example.com', firstName: 'Zoë 🙂', nickname: 'Zo' },
  region: 'eu',
});

export const only = (headers: Readonly<Record<string, string>>, ...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, headers[name]!]));

/** Creates a user in the organization "acme" and returns the delivery of the service. */
export async function realDelivery(app: TestApp): Promise<Delivery> {
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
      now: Math.floor(Date.now() / 1_000),
      outcome: 'verified',
    };
  } finally {
    await receiver.stop();
  }
}

/** Returns the real delivery and variations. `marginSeconds` is the time until the verification, if a verifier uses its own clock. */
export async function deliveries(real: Delivery, marginSeconds = 0): Promise<Delivery[]> {
  const now = Math.floor(Date.now() / 1_000);
  const signed = (secret: string, body = USER, atSeconds = now): Promise<Record<string, string>> =>
    new Webhooks({ secret, now: () => atSeconds * 1_000 }).sign(body, 'evt_1');
  const [genuine, next] = [await signed(SECRET), await signed('next')];
  const standard = only(genuine, ...STANDARD);
  const signature = standard['webhook-signature']!;
  const base: Delivery = { name: '', body: USER, headers: genuine, secrets: [SECRET], now, outcome: 'verified' };
  const mismatch = 'signature_mismatch';
  const withOwnHeader = (value: string, outcome: Delivery['outcome'], name = value): Delivery => ({
    ...base,
    name: `the header "${name}"`,
    headers: { 'service-signature': value },
    outcome,
    hasOwnHeaderOnly: true,
  });
  const own = genuine['service-signature']!;
  const cases: Delivery[] = [
    real,
    { ...real, name: 'a changed body', body: real.body.replace('Zoë', 'Zoe'), outcome: mismatch },
    { ...real, name: 'Standard Webhooks alone', headers: only(real.headers, ...STANDARD) },
    { ...base, name: 'a longer body', body: `${USER} `, outcome: mismatch },
    { ...base, name: 'both secrets', secrets: ['next', SECRET] },
    {
      ...base,
      name: 'both signatures',
      headers: { ...standard, 'webhook-signature': `${next['webhook-signature']} ${signature}` },
    },
    { ...base, name: 'another secret', secrets: ['another'], outcome: mismatch },
    { ...base, name: 'another id', headers: { ...standard, 'webhook-id': 'evt_2' }, outcome: mismatch },
    { ...base, name: 'another time', headers: { ...standard, 'webhook-timestamp': String(now - 1) }, outcome: mismatch },
    {
      ...base,
      name: 'another signature',
      headers: { ...standard, 'webhook-signature': signature.replace(/^v1,./, (head) => (head === 'v1,A' ? 'v1,B' : 'v1,A')) },
      outcome: mismatch,
    },
    {
      ...base,
      name: 'a forged signature beside a genuine one',
      headers: { ...genuine, 'service-signature': `t=${now},v1=${'0'.repeat(64)}` },
    },
    { ...base, name: 'no headers', headers: {}, outcome: 'signature_missing' },
    { ...base, name: 'no id', headers: only(genuine, 'webhook-timestamp', 'webhook-signature'), outcome: 'signature_missing' },
    {
      ...base,
      name: 'another version',
      headers: { ...standard, 'webhook-signature': `v2,${'A'.repeat(43)}=` },
      outcome: 'signature_missing',
    },
    withOwnHeader(own, 'verified', 'genuine'),
    withOwnHeader(own.replace(`t=${now}`, `t=${now - 1}`), mismatch, 'another time'),
    withOwnHeader(
      own.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      mismatch,
      'another signature',
    ),
    ...[
      '',
      `t=${now}`,
      `t=${now},v1=00`,
      `t=${now},v1=${'A'.repeat(64)}`,
      `t=${now},t=${now},v1=${'0'.repeat(64)}`,
      `t=-1,v1=${'0'.repeat(64)}`,
      `t=1e9,v1=${'0'.repeat(64)}`,
    ].map((header) => withOwnHeader(header, 'signature_missing')),
    ...VECTORS.map(({ secret, timestamp, body, header }): Delivery => ({
      // Some test vectors are not events. The event is checked only after the signature.
      ...withOwnHeader(header, body.includes('"type"') ? 'verified' : 'body_invalid'),
      body,
      secrets: [secret],
      now: timestamp,
    })),
  ];
  for (const direction of [-1, 1])
    for (const [seconds, outcome] of [
      [TOLERANCE_SECONDS - marginSeconds, 'verified'],
      [TOLERANCE_SECONDS + 1 + marginSeconds, 'timestamp_out_of_tolerance'],
    ] as const) {
      const headers = await signed(SECRET, USER, now + direction * seconds);
      const name = `${direction * seconds} s from now`;
      cases.push({ ...base, name, headers: only(headers, ...STANDARD), outcome });
      cases.push({ ...withOwnHeader(headers['service-signature']!, outcome, name), body: USER });
    }
  for (const secret of [
    'x',
    'whsec_',
    'whsec_ab',
    'whsec_ab==',
    'whsec_abcde',
    'whsec_abcd-',
    'whsec_abcdef==',
    'whsec_abc=def',
    'whsec_abc-_',
    'ünïcode ✓',
    `${SECRET}\n`,
  ])
    cases.push({
      ...base,
      name: `the secret ${JSON.stringify(secret)}`,
      headers: only(await signed(secret), ...STANDARD),
      secrets: [secret],
    });
  for (const body of ['', 'no json', 'null', '[]', '{"id":1,"type":"x"}', '{"id":"evt_1"}'])
    cases.push({ ...base, name: `the body ${body}`, body, headers: await signed(SECRET, body), outcome: 'body_invalid' });
  return cases;
}

export const byName = <Outcome>(cases: readonly Delivery[], outcomes: readonly Outcome[]): Record<string, Outcome> =>
  Object.fromEntries(cases.map(({ name }, index) => [name, outcomes[index]!]));

export const expectedOutcomes = (cases: readonly Delivery[]): Record<string, string> =>
  byName(
    cases,
    cases.map(({ outcome }) => outcome),
  );
