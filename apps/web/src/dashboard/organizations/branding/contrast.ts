/** What a page and a mail use without a branding. */
export const DEFAULT_COLOR = '#1f4fd8';

/** Whether a text is a colour as the API takes it. */
export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Relative luminance (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Black or white, whichever reads better on a colour; mails and pages choose in the same way. */
export const textColorOn = (color: string): string => (luminance(color) > 0.179 ? '#000000' : '#ffffff');
