import { BLACK, contrastOf, isColor, luminanceOf, mixed, PRODUCT_COLOR, textColorOn, WHITE } from '../../ui/color';

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

const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;
const STEPS = 20;
const HOVER_MIX = 0.12;

/** Where an organization has no colour, or none of the form `#1a2b3c`, the product's own is taken. */
export function brandColors(primaryColor: string | null, surface: string): BrandColors {
  const fill = primaryColor !== null && isColor(primaryColor) ? primaryColor : PRODUCT_COLOR;
  const onFill = textColorOn(fill);
  const accent = readable(fill, surface);
  return {
    fill,
    // Away from the text on it, so that it stays readable.
    fillHover: mixed(fill, onFill === WHITE ? BLACK : WHITE, HOVER_MIX),
    onFill,
    edge: contrastOf(fill, surface) >= SHAPE_CONTRAST ? fill : accent,
    accent,
  };
}

function readable(color: string, ground: string): string {
  const towards = luminanceOf(ground) > 0.18 ? BLACK : WHITE;
  for (let step = 0; step < STEPS; step += 1) {
    const candidate = mixed(color, towards, step / STEPS);
    if (contrastOf(candidate, ground) >= TEXT_CONTRAST) return candidate;
  }
  return towards;
}
