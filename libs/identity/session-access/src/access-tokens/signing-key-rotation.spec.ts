import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ACCESS_TOKEN_LIFETIME_MS, isDue, rotationAt, signingAt } from './signing-key-rotation.js';
import type { SigningKey } from './signing-key.entity.js';

type Timed = Pick<SigningKey, 'kid' | 'signsFrom'>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = new Date('2026-01-01T00:00:00.000Z');
const after = (durationMs: number): Date => new Date(START.getTime() + durationMs);

function rotated(keys: readonly Timed[], now: Date, kid: string): Timed[] {
  const { createFrom, expired } = rotationAt(keys, now);
  const kept = keys.filter((key) => !expired.includes(key.kid));
  return createFrom ? [...kept, { kid, signsFrom: createFrom }] : kept;
}

describe('rotationAt', () => {
  const first: Timed = { kid: 'first', signsFrom: START };

  it('creates the first key immediately', () => {
    expect(rotationAt([], START)).toEqual({ createFrom: START, expired: [] });
  });

  it('publishes the next key one day before the first signature', () => {
    expect(rotationAt([first], after(29 * DAY_MS))).toEqual({ createFrom: after(30 * DAY_MS), expired: [] });
    const second = { kid: 'second', signsFrom: after(30 * DAY_MS) };
    expect(isDue(rotationAt([first, second], after(30 * DAY_MS - 1)))).toBe(false);
    expect(signingAt([first, second], after(30 * DAY_MS - 1))).toBe(first);
    expect(signingAt([first, second], after(30 * DAY_MS))).toBe(second);
  });

  it('deletes a key one hour after the last token expires', () => {
    const keys = [first, { kid: 'second', signsFrom: after(30 * DAY_MS) }];
    const lastUse = 30 * DAY_MS;
    expect(rotationAt(keys, after(lastUse + ACCESS_TOKEN_LIFETIME_MS + HOUR_MS - 1)).expired).toEqual([]);
    expect(rotationAt(keys, after(lastUse + ACCESS_TOKEN_LIFETIME_MS + HOUR_MS)).expired).toEqual(['first']);
  });

  it('keeps the signing key and the keys of valid tokens', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 * 24 }), { minLength: 5, maxLength: 60 }), (pausesHours) => {
        let keys: Timed[] = [];
        let now = START;
        const published = new Map<string, Date>();
        let lastSigned: { kid: string; at: Date } | undefined;
        for (const [index, hours] of pausesHours.entries()) {
          keys = rotated(keys, now, `key ${index}`);
          for (const { kid } of keys) if (!published.has(kid)) published.set(kid, now);
          const current = signingAt(keys, now)!;
          expect(current).toBeDefined();
          if (lastSigned && now.getTime() - lastSigned.at.getTime() <= ACCESS_TOKEN_LIFETIME_MS)
            expect(keys.map(({ kid }) => kid)).toContain(lastSigned.kid);
          if (index > 0 && current.kid !== 'key 0')
            expect(now.getTime() - published.get(current.kid)!.getTime()).toBeGreaterThanOrEqual(DAY_MS);
          expect(keys.length).toBeLessThanOrEqual(3);
          lastSigned = { kid: current.kid, at: now };
          now = new Date(now.getTime() + hours * HOUR_MS);
        }
      }),
    );
  });
});
