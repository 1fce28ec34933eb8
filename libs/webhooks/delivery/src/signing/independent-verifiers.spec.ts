import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { generateWebhookSecret } from '#webhooks/webhooks';
import { sized } from '../../../../../test/support/test-size.js';
import { signPayload, standardWebhookSignature } from './signature.js';

const BODIES = sized(400, 400, 10_000);
const LONG_TEST_MS = 1_800_000;

/** Verifies both signatures with Python's hmac over the raw bytes. */
const PYTHON = `
import base64, hashlib, hmac, json, sys
def verdict(case):
    body = base64.b64decode(case["body"])
    t, v1 = (part.split("=", 1)[1] for part in case["header"].split(","))
    own = hmac.new(case["secret"].encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
    key = base64.b64decode(case["secret"][6:])
    signed = ("evt_1." + t + ".").encode() + body
    standard = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return [hmac.compare_digest(own, v1), hmac.compare_digest(standard, case["standard"])]
print(json.dumps([verdict(case) for case in json.load(sys.stdin)]))
`;

it(
  `Python accepts signed requests, and rejects them with one changed bit: ${BODIES} random bodies`,
  () => {
    // Half of the bodies are random bytes, half of them random JSON.
    const bodies = [
      ...fc.sample(fc.uint8Array({ minLength: 1, maxLength: 2_000 }), BODIES / 2).map((bytes) => Buffer.from(bytes)),
      ...fc.sample(fc.json(), BODIES / 2).map((text) => Buffer.from(text)),
    ];
    const cases = bodies.flatMap((body, index) => {
      const signed = { secret: generateWebhookSecret(), body, timestampSeconds: 1_767_225_600 };
      const header = signPayload(signed);
      const standard = standardWebhookSignature({ ...signed, messageId: 'evt_1' });
      const changed = Buffer.from(body);
      changed[index % body.length]! ^= 1 << (index % 8);
      return [body, changed].map((sent) => ({ secret: signed.secret, header, standard, body: sent.toString('base64') }));
    });
    const options = { input: JSON.stringify(cases), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
    const [accepted, rejected] = [
      [true, true],
      [false, false],
    ];
    expect(JSON.parse(execFileSync('python3', ['-c', PYTHON], options))).toEqual(bodies.flatMap(() => [accepted, rejected]));
  },
  LONG_TEST_MS,
);
