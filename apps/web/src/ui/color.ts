export const BLACK = '#000000';
export const WHITE = '#ffffff';

/** The default brand color of pages and emails. */
export const PRODUCT_COLOR = '#2d4b81';

/** Returns whether a text is a hex color of six digits, such as `#1a2b3c`. The functions below need this format. */
export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Returns the relative luminance, 0 to 1 (WCAG 2.2). */
export function luminanceOf(color: string): number {
  const [red, green, blue] = partsOf(color).map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of two colors, 1 to 21 (WCAG 2.2). */
export function contrastOf(first: string, second: string): number {
  const [darker, lighter] = [luminanceOf(first), luminanceOf(second)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns black or white, the text color with the higher contrast. Emails use the same rule. */
export const textColorOn = (color: string): string => (contrastOf(color, WHITE) >= contrastOf(color, BLACK) ? WHITE : BLACK);

/** Mixes two colors. `share` is the part of the second color, 0 to 1. */
export function mixColors(from: string, to: string, share: number): string {
  const targetParts = partsOf(to);
  const parts = partsOf(from).map((part, index) => Math.round(part + (targetParts[index]! - part) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

const partsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
