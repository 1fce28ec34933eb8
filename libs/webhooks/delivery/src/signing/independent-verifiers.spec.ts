import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { generateWebhookSecret } from '#webhooks/webhooks';
import { sized } from '../../../../../test/support/test-size.js';
import { signPayload, standardWebhookSignature } from './signature.js';

const BODIES = sized(400, 400, 10_000);
const LONG_TEST_MS = 1_800_000;

const PROGRAM = fileURLToPath(new URL('../../../../../test/support/vectors/verify_signatures.py', import.meta.url));

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
    expect(JSON.parse(execFileSync('python3', [PROGRAM], options))).toEqual(bodies.flatMap(() => [accepted, rejected]));
  },
  LONG_TEST_MS,
);
