import { execFileSync } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { generateWebhookSecret } from '#webhooks/webhooks';
import { sized } from '../../../../../test/support/test-size.js';
import { signPayload, standardWebhookSignature } from './signature.js';

const BODIES = sized(400, 400, 10_000);
/** Fewer bodies, because each signature needs a process. */
const OPENSSL_BODIES = sized(10, 50, 10_000);
const LONG_TEST_MS = 1_800_000;
const TIMESTAMP_SECONDS = 1_767_225_600;

/** A request as a receiver gets it, with the secret. */
interface Received {
  readonly id: string;
  readonly secret: string;
  readonly body: Buffer;
  readonly header: string;
  readonly standard: string;
  readonly nowSeconds: number;
}

/** Returns a signed request with a new secret. */
function sent(body: Buffer): Received {
  const secret = generateWebhookSecret();
  const signed = { secret, body, timestampSeconds: TIMESTAMP_SECONDS };
  return {
    id: 'evt_1',
    secret,
    body,
    header: signPayload(signed),
    standard: standardWebhookSignature({ ...signed, messageId: 'evt_1' }),
    nowSeconds: TIMESTAMP_SECONDS + 300,
  };
}

/** Returns the request with one changed bit in its body. */
function altered(received: Received, index: number): Received {
  const body = Buffer.from(received.body);
  body[index % body.length]! ^= 1 << (index % 8);
  return { ...received, body };
}

/** Returns bodies, half of them random bytes and half of them random JSON. */
const bodies = (count: number): Buffer[] => [
  ...fc.sample(fc.uint8Array({ minLength: 1, maxLength: 2_000 }), count / 2).map((bytes) => Buffer.from(bytes)),
  ...fc.sample(fc.json(), count / 2).map((text) => Buffer.from(text)),
];

/** For each request, whether a verifier accepts the service's own signature and the Standard Webhooks signature. */
type Verdicts = readonly (readonly [boolean, boolean])[];

function expectJudged(count: number, judge: (received: readonly Received[]) => Verdicts): void {
  const requests = bodies(count).map(sent);
  expect(judge(requests).filter(([own, standard]) => !own || !standard)).toEqual([]);
  expect(judge(requests.map(altered)).filter(([own, standard]) => own || standard)).toEqual([]);
}

/** Verifies with Node's crypto only, as its documentation shows. */
const byNode = (received: readonly Received[]): Verdicts =>
  received.map(({ id, secret, body, header, standard }) => {
    const [t, v1] = header.split(',').map((part) => part.slice(part.indexOf('=') + 1));
    const own = createHmac('sha256', secret).update(`${t}.`).update(body).digest();
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const other = createHmac('sha256', key).update(`${id}.${t}.`).update(body).digest();
    return [
      timingSafeEqual(own, Buffer.from(v1!, 'hex')),
      timingSafeEqual(other, Buffer.from(standard.slice('v1,'.length), 'base64')),
    ];
  });

const PYTHON = `
import base64, hashlib, hmac, json, sys
def verdict(case):
    body = base64.b64decode(case["body"])
    t, v1 = (part.split("=", 1)[1] for part in case["header"].split(","))
    if case["now"] - int(t) > 300: return [False, False]
    own = hmac.new(case["secret"].encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    key = base64.b64decode(case["secret"][6:])
    signed = (case["id"] + "." + t + ".").encode() + body
    standard = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return [hmac.compare_digest(own, v1), hmac.compare_digest(standard, case["standard"])]
print(json.dumps([verdict(case) for case in json.load(sys.stdin)]))
`;

/** Verifies with Python's hmac over the raw bytes. */
function byPython(received: readonly Received[]): Verdicts {
  const cases = received.map(({ body, nowSeconds, ...rest }) => ({ ...rest, body: body.toString('base64'), now: nowSeconds }));
  const options = { input: JSON.stringify(cases), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  return JSON.parse(execFileSync('python3', ['-c', PYTHON], options)) as Verdicts;
}

/** Verifies with the openssl command, which needs one process per signature. */
const byOpenssl = (received: readonly Received[]): Verdicts =>
  received.map(({ id, secret, body, header, standard }) => {
    const [t, v1] = header.split(',').map((part) => part.slice(part.indexOf('=') + 1));
    const hmac = (key: Buffer, prefix: string): Buffer => {
      const options = { input: Buffer.concat([Buffer.from(prefix), body]) };
      return execFileSync(
        'openssl',
        ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key.toString('hex')}`, '-binary'],
        options,
      );
    };
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return [
      hmac(Buffer.from(secret), `${t}.`).toString('hex') === v1,
      `v1,${hmac(key, `${id}.${t}.`).toString('base64')}` === standard,
    ];
  });

describe('signed request', () => {
  it(`is accepted by Node's crypto, and rejected with one changed bit: ${BODIES} random bodies`, () => {
    expectJudged(BODIES, byNode);
  });

  it(
    `is accepted by Python, and rejected with one changed bit: ${BODIES} random bodies`,
    () => expectJudged(BODIES, byPython),
    LONG_TEST_MS,
  );

  it(
    `is accepted by openssl, and rejected with one changed bit: ${OPENSSL_BODIES} random bodies`,
    () => expectJudged(OPENSSL_BODIES, byOpenssl),
    LONG_TEST_MS,
  );

  it('is rejected by Python after 301 seconds', () => {
    const late = { ...sent(Buffer.from('{}')), nowSeconds: TIMESTAMP_SECONDS + 301 };
    expect(byPython([late])).toEqual([[false, false]]);
  });
});
