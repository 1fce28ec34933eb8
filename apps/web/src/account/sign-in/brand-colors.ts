/** Colours of an organization, fit for a surface: all text keeps a contrast of 4.5:1 (WCAG 2.2, 1.4.3), what is no text 3:1 (1.4.11). */
export interface BrandColors {
  /** Of the main button; the organization's colour as it is. */
  readonly fill: string;
  readonly fillHover: string;
  /** On the button. */
  readonly onFill: string;
  /** Of the button's edge, which shows it on a surface of nearly its own colour. */
  readonly edge: string;
  /** Of links and of what has the focus: the colour made darker or lighter until it can be read. */
  readonly accent: string;
}

type Rgb = readonly [number, number, number];

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** The darkest of the theme's colours for what is primary. */
const PRODUCT: Rgb = [0x2d, 0x4b, 0x81];
const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;
const STEPS = 20;
const HOVER_MIX = 0.12;

/** Where an organization has no colour, or none of the form `#1a2b3c`, the product's own is taken. */
export function brandColors(primaryColor: string | null, surface: string): BrandColors {
  const brand = parse(primaryColor ?? '') ?? PRODUCT;
  const ground = parse(surface) ?? WHITE;
  const accent = readable(brand, ground);
  const onFill = contrast(brand, WHITE) >= contrast(brand, BLACK) ? WHITE : BLACK;
  return {
    fill: format(brand),
    // Away from the text on it, so that it stays readable.
    fillHover: format(mix(brand, onFill === WHITE ? BLACK : WHITE, HOVER_MIX)),
    onFill: format(onFill),
    edge: format(contrast(brand, ground) >= SHAPE_CONTRAST ? brand : accent),
    accent: format(accent),
  };
}

/** Contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(first: string, second: string): number {
  return contrast(parse(first) ?? BLACK, parse(second) ?? BLACK);
}

function readable(color: Rgb, ground: Rgb): Rgb {
  const towards = luminance(ground) > 0.18 ? BLACK : WHITE;
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(color, towards, step / STEPS);
    if (contrast(mixed, ground) >= TEXT_CONTRAST) return mixed;
  }
  return towards;
}

function parse(text: string): Rgb | null {
  const [, ...parts] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text) ?? [];
  return parts.length === 3 ? (parts.map((part) => Number.parseInt(part, 16)) as unknown as Rgb) : null;
}

const format = (color: Rgb): string => `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, index) => Math.round(part + (to[index]! - part) * share)) as unknown as Rgb;

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(first: Rgb, second: Rgb): number {
  const [darker, lighter] = [luminance(first), luminance(second)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}
