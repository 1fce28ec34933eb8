import { describe, expect, it } from '@jest/globals';
import { newSecurityCode } from './security-code.js';

const SAMPLES = 20_000;

describe('codes that are sent', () => {
  it('have six digits, all with the same probability', () => {
    const codes = Array.from({ length: SAMPLES }, newSecurityCode);
    expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([]);
    // About 200 of 20,000 random codes out of a million occur twice.
    expect(new Set(codes).size).toBeGreaterThan(SAMPLES * 0.98);
    for (let place = 0; place < 6; place++)
      for (let digit = 0; digit < 10; digit++) {
        const share = codes.filter((code) => code[place] === String(digit)).length / SAMPLES;
        // Six standard deviations (0.0021) around a tenth.
        expect(Math.abs(share - 0.1)).toBeLessThan(0.0128);
      }
  });
});
