import { BLACK, contrastOf, isColor, luminanceOf, mixColors, PRODUCT_COLOR, textColorOn, WHITE } from '../../ui/color';

/** Colors of an organization for a background: text has a contrast of 4.5:1 (WCAG 2.2, 1.4.3), other parts 3:1 (1.4.11). */
export interface BrandColors {
  /** Background of the primary button: the brand color, unchanged. */
  readonly fill: string;
  readonly fillHover: string;
  /** Text on the primary button. */
  readonly onFill: string;
  /** Border of the primary button, visible on a background of a similar color. */
  readonly edge: string;
  /** Links and focus: the brand color, darkened or lightened until readable. */
  readonly accent: string;
}

const TEXT_CONTRAST = 4.5;
const SHAPE_CONTRAST = 3;
const STEPS = 20;
const HOVER_MIX = 0.12;

/** Uses the default color if the brand color is missing or malformed. */
export function brandColors(primaryColor: string | null, surface: string): BrandColors {
  const fill = primaryColor !== null && isColor(primaryColor) ? primaryColor : PRODUCT_COLOR;
  const onFill = textColorOn(fill);
  const accent = readableColor(fill, surface);
  return {
    fill,
    // Mixes away from the text color to keep the contrast.
    fillHover: mixColors(fill, onFill === WHITE ? BLACK : WHITE, HOVER_MIX),
    onFill,
    edge: contrastOf(fill, surface) >= SHAPE_CONTRAST ? fill : accent,
    accent,
  };
}

function readableColor(color: string, background: string): string {
  const target = luminanceOf(background) > 0.18 ? BLACK : WHITE;
  for (let step = 0; step < STEPS; step += 1) {
    const candidate = mixColors(color, target, step / STEPS);
    if (contrastOf(candidate, background) >= TEXT_CONTRAST) return candidate;
  }
  return target;
}
