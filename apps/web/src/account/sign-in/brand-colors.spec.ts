import { describe, expect, it } from '@jest/globals';
import { contrastOf } from '../../ui/color';
import { brandColors } from './brand-colors';

const SURFACES = ['#ffffff', '#2e2e2e'];
const COLORS = ['#ffd400', '#1a2b3c', '#000000', '#ffffff', '#e03131', '#777777', '#00ff00', '#0000ff', '#2e2e2e'];

it('the contrast of black and white is 21', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21);
});

describe('brandColors', () => {
  it.each(SURFACES.flatMap((surface) => COLORS.map((color) => [color, surface] as const)))(
    'returns readable colors for %s on the background %s',
    (color, surface) => {
      const { fill, fillHover, onFill, edge, accent } = brandColors(color, surface);
      expect(fill).toBe(color);
      expect(contrastOf(onFill, fill)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(onFill, fillHover)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(accent, surface)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(edge, surface)).toBeGreaterThanOrEqual(3);
    },
  );

  it('keeps a readable color', () => {
    expect(brandColors('#1a2b3c', '#ffffff')).toMatchObject({ accent: '#1a2b3c', edge: '#1a2b3c', onFill: '#ffffff' });
  });

  it.each([null, '', 'red', '#12345', 'url(x)'])('returns the default colors for %j', (color) => {
    expect(brandColors(color, '#ffffff')).toEqual(brandColors('#2d4b81', '#ffffff'));
  });
});
