import { describe, expect, it } from '@jest/globals';
import { matchingStep, newTotpSeed, totpUri } from './totp.js';

/** The seed of RFC 6238, appendix B: `12345678901234567890` in base32. */
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number): Date => new Date(seconds * 1_000);

describe('TOTP', () => {
  // The test vectors have eight digits. A six-digit code is the end of the vector (RFC 4226, 5.3).
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('accepts the RFC 6238 test vector at %i s', (seconds, vector) => {
    expect(matchingStep(SEED, vector.slice(-6), at(seconds))).toBe(Math.floor(seconds / 30));
  });

  it('accepts a code at most one time step early or late', () => {
    const step = (seconds: number) => matchingStep(SEED, '287082', at(seconds));
    expect([0, 29, 30, 59, 60, 89].map(step)).toEqual([1, 1, 1, 1, 1, 1]);
    expect([90, 120, 3_600].map(step)).toEqual([null, null, null]);
  });

  it('accepts only six ASCII digits, spaces and hyphens', () => {
    expect(matchingStep(SEED, ' 287 082 ', at(59))).toBe(1);
    expect(matchingStep(SEED, '287-082', at(59))).toBe(1);
    for (const wrong of ['', '28708', '2870822', '94287082', '28708a', '٢٨٧٠٨٢', '000000', '-87082'])
      expect([wrong, matchingStep(SEED, wrong, at(59))]).toEqual([wrong, null]);
  });

  it('generates a seed of 160 random bits', () => {
    const seeds = Array.from({ length: 50 }, newTotpSeed);
    expect(new Set(seeds).size).toBe(50);
    for (const seed of seeds) expect(seed).toMatch(/^[A-Z2-7]{32}$/);
  });

  it('generates a URI with issuer, account and parameters', () => {
    const uri = new URL(totpUri(SEED, 'Acme: & Söhne', 'ada@example.com'));
    expect(uri.protocol).toBe('otpauth:');
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Acme  & Söhne',
      secret: SEED,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    expect(decodeURIComponent(uri.pathname)).toContain('ada@example.com');
  });
});
