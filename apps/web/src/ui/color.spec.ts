import { describe, expect, it } from '@jest/globals';
import { contrastOf } from './color';

describe('colours', () => {
  it('know the contrast of black and white', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
  });
});
