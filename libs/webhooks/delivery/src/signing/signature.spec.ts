import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { sized } from '../../../../../test/support/test-size.js';
import { signPayload, standardWebhookSignature, verifySignature } from './signature.js';

interface Vector {
  secret: string;
  timestamp: number;
  body: string;
  header: string;
}

/** Whether this is a mutation test, which runs this file hundreds of times. */
const MUTANT = process.env['STRYKER_MUTATOR_WORKER'] !== undefined;

const vectors = JSON.parse(
  readFileSync(new URL('../../../../../test/support/vectors/signature.json', import.meta.url), 'utf8'),
) as Vector[];

describe('signPayload', () => {
  it.each(vectors)(
    'creates the header of the test vector with the timestamp $timestamp',
    ({ secret, timestamp, body, header }) => {
      expect(signPayload({ secret, body, timestampSeconds: timestamp })).toBe(header);
      expect(signPayload({ secret, body: Buffer.from(body), timestampSeconds: timestamp })).toBe(header);
      expect(verifySignature({ header, body, secret, nowSeconds: timestamp })).toBe(true);
    },
  );

  it('signs bytes that are not UTF-8 without changing them', () => {
    const body = Buffer.from([0xff, 0x00, 0xfe]);
    const expected = createHmac('sha256', 's')
      .update(Buffer.concat([Buffer.from('7.'), body]))
      .digest('hex');
    expect(signPayload({ secret: 's', body, timestampSeconds: 7 })).toBe(`t=7,v1=${expected}`);
  });
});

describe('verifySignature', () => {
  const body = Buffer.from('{"id":"evt_1"}');
  const header = signPayload({ secret: 'key', body, timestampSeconds: 1_000 });
  const verify = (change: Partial<Parameters<typeof verifySignature>[0]>) =>
    verifySignature({ header, body, secret: 'key', nowSeconds: 1_000, ...change });

  it('accepts a timestamp that is 300 seconds old and rejects 301 seconds', () => {
    expect(verify({ nowSeconds: 1_300 })).toBe(true);
    expect(verify({ nowSeconds: 1_301 })).toBe(false);
    expect(verify({ nowSeconds: 1_301, toleranceSeconds: 301 })).toBe(true);
  });

  it('rejects another body, secret or timestamp', () => {
    expect(verify({ body: Buffer.from('{"id":"evt_2"}') })).toBe(false);
    expect(verify({ secret: 'kez' })).toBe(false);
    expect(verify({ header: header.replace('t=1000', 't=1001') })).toBe(false);
  });

  it('accepts a header if only one of its signatures matches', () => {
    expect(verify({ header: header.replace(',v1=', `,v1=${'0'.repeat(64)},v1=`) })).toBe(true);
  });

  const hex = header.slice(header.indexOf('v1=') + 3);
  it.each([
    '',
    't=1000',
    `v1=${hex}`,
    `t=,v1=${hex}`,
    `t=1000,v1=${hex.slice(2)}`,
    `t=1000,v1=${hex.toUpperCase()}`,
    `t=1000,v0=${hex}`,
    `t=1000,v1=${hex}00`,
    `t=1000,xv1=${hex}`,
    `xt=1000,v1=${hex}`,
    `t=1000x,v1=${hex}`,
  ])('rejects the header %j', (unreadable) => {
    expect(verify({ header: unreadable })).toBe(false);
  });

  it.each([
    ['spaces between its parts and around them', ` t=1000 , v1=${hex} `],
    ['unknown parts', `a,b=1,t=1000,v1=${hex},v2=${hex}`],
    ['parts that are invalid timestamps', `xt=5,t=5x,t=,t=1234567890123456,t=1000,v1=${hex}`],
    ['parts that are invalid signatures', `t=1000,v1=${hex}00,xv1=${hex},v1=,v1=${hex}`],
  ])('accepts a header with %s', (_, odd) => {
    expect(verify({ header: odd })).toBe(true);
  });

  it('rejects two timestamps', () => {
    expect(verify({ header: `t=1000,t=1000,v1=${hex}` })).toBe(false);
  });

  it('accepts any secret and body, and rejects a changed byte', () => {
    const anySecret = fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' });
    const anyBody = fc.uint8Array({ minLength: 1, maxLength: 512 });
    fc.assert(
      fc.property(
        anySecret,
        anyBody,
        fc.nat(4_102_444_800),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (secret, bytes, now, at, flip) => {
          const signed = signPayload({ secret, body: Buffer.from(bytes), timestampSeconds: now });
          const changed = Buffer.from(bytes);
          changed[at % changed.length]! ^= flip;
          const input = { header: signed, secret, nowSeconds: now };
          return verifySignature({ ...input, body: Buffer.from(bytes) }) && !verifySignature({ ...input, body: changed });
        },
      ),
      { numRuns: MUTANT ? 100 : sized(1_000, 10_000, 10_000) },
    );
  });

  it('rejects any invalid header without throwing', () => {
    const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
    const real = signPayload({ secret, body: '{}', timestampSeconds: 1_795_000_000 });
    // Equivalent to the unit "binary" of fast-check, which takes a second to set up.
    const codePoint = fc.nat(0x10_ffff).map((code) => String.fromCodePoint(code));
    const piece = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 80 }),
      fc.constantFrom(...real.split(','), 't=1', 'v1=', ',', 't=1e9'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const header = pieces.join(',');
        const parts = header.split(',').map((part) => part.trim());
        const isReal =
          real.split(',').every((part) => parts.includes(part)) && parts.filter((part) => /^t=\d{1,15}$/.test(part)).length === 1;
        expect(verifySignature({ header, body: '{}', secret, nowSeconds: 1_795_000_000 })).toBe(isReal);
      }),
      { numRuns: sized(500, 2_000, 2_000) },
    );
  });
});

describe('standardWebhookSignature', () => {
  const message = { messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestampSeconds: 1_614_265_330, body: '{"test": 2432232314}' };

  it('creates the same signature as the example of the Standard Webhooks libraries', () => {
    const signature = standardWebhookSignature({ ...message, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it.each([
    ['without padding', 'whsec_c2VjcmV0LXNlY3JldA', Buffer.from('secret-secret')],
    ['base64 without the prefix', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
    ['non-ASCII text without the prefix', 'ünïcode ✓', Buffer.from('ünïcode ✓')],
    ['prefix, and only the beginning is base64', 'whsec_secret-my-own!', Buffer.from('whsec_secret-my-own!')],
    ['prefix, and only the end is base64', 'whsec_my-own-secret', Buffer.from('whsec_my-own-secret')],
    ['prefix alone', 'whsec_', Buffer.from('whsec_')],
    ['prefix and fewer than 4 characters', 'whsec_abc', Buffer.from('whsec_abc')],
  ])('uses the documented key of a secret: %s', (_, secret, key) => {
    const expected = createHmac('sha256', key)
      .update(`${message.messageId}.${message.timestampSeconds}.${message.body}`)
      .digest('base64');
    expect(standardWebhookSignature({ ...message, secret })).toBe(`v1,${expected}`);
  });
});
