import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { constantTimeEqual, hashToken, randomToken } from './tokens.js';

describe('hashToken', () => {
  it('returns the SHA-256 hash', () => {
    expect(hashToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('constantTimeEqual', () => {
  it('agrees with === for texts of any length', () => {
    const text = fc.string({ maxLength: 4 });
    fc.assert(fc.property(text, text, (a, b) => constantTimeEqual(a, b) === (a === b)));
    fc.assert(fc.property(text, (a) => constantTimeEqual(a, Buffer.from(a))));
  });
});

describe('randomToken', () => {
  it('returns 256 random bits in base64url', () => {
    const tokens = Array.from({ length: 100 }, () => randomToken());

    expect(new Set(tokens).size).toBe(100);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(randomToken(16), 'base64url')).toHaveLength(16);
  });
});
