import { describe, expect, it } from '@jest/globals';
import { contrastOf } from './color';

describe('contrastOf', () => {
  it('returns 21 for black and white', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
  });
});
