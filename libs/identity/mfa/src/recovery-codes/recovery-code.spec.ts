import { describe, expect, it } from '@jest/globals';
import { canonicalRecoveryCode, newRecoveryCode } from './recovery-code.js';

describe('recovery code', () => {
  it('has twelve evenly distributed characters (60 bits)', () => {
    const codes = Array.from({ length: 2_000 }, newRecoveryCode);
    expect(new Set(codes).size).toBe(2_000);
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/);
    const counts = new Map<string, number>();
    for (const character of codes.join('').replaceAll('-', '')) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(32);
    // Each character is expected 750 times, with a standard deviation of 27.
    for (const count of counts.values()) expect(Math.abs(count - 750)).toBeLessThan(200);
  });

  it.each([
    ['7k3m-9q0z-b2xd', '7k3m9q0zb2xd'],
    [' 7K3M 9QOZ B2XD ', '7k3m9q0zb2xd'],
    ['LIiL-0000-0000', '111100000000'],
    ['7k3m-9q0z-b2x', null],
    ['7k3m-9q0z-b2xdd', null],
    ['7k3m-9q0z-b2xu', null],
    ['', null],
  ])('canonicalRecoveryCode converts %j to %j', (written, read) => {
    expect(canonicalRecoveryCode(written)).toBe(read);
  });
});
