export const BLACK = '#000000';
export const WHITE = '#ffffff';

/** What pages and mails use where an organization has chosen no colour. */
export const PRODUCT_COLOR = '#2d4b81';

/** Whether a text is a colour as the API takes it, and as all below wants it: `#1a2b3c`. */
export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Relative luminance, 0 to 1 (WCAG 2.2). */
export function luminanceOf(color: string): number {
  const [red, green, blue] = partsOf(color).map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: string, other: string): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Black or white, whichever reads better on a colour; mails choose in the same way. */
export const textColorOn = (color: string): string => (contrastOf(color, WHITE) >= contrastOf(color, BLACK) ? WHITE : BLACK);

/** A share, 0 to 1, of the way from one colour to another. */
export function mixed(from: string, to: string, share: number): string {
  const ends = partsOf(to);
  const parts = partsOf(from).map((part, index) => Math.round(part + (ends[index]! - part) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

const partsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
