import { describe, expect, it } from '@jest/globals';
import { newSecurityCode } from './security-code.js';

const SAMPLES = 20_000;

describe('newSecurityCode', () => {
  it('returns six evenly distributed digits', () => {
    const codes = Array.from({ length: SAMPLES }, newSecurityCode);
    expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([]);
    // Of 20,000 random codes out of one million, about 200 are duplicates.
    expect(new Set(codes).size).toBeGreaterThan(SAMPLES * 0.98);
    for (let position = 0; position < 6; position++)
      for (let digit = 0; digit < 10; digit++) {
        const share = codes.filter((code) => code[position] === String(digit)).length / SAMPLES;
        // The tolerance is six standard deviations of 0.0021.
        expect(Math.abs(share - 0.1)).toBeLessThan(0.0128);
      }
  });
});
