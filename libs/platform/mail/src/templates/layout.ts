import { escapeHtml, parseUrl } from '#platform/common';
import type { MailContent } from '../outbox/message-content.js';
import { mailLocale, type MailTexts, textsFor } from '../texts/texts.js';
import { singleLine } from './text.js';

/** Branding of the organization and language of the reader. An invalid color or a logo that is not an https URL is ignored. */
export interface MailStyle {
  /** BCP 47 language tag of a language that has texts. */
  readonly locale: string;
  /** Such as `#1a56db`. */
  readonly primaryColor?: string | null | undefined;
  /** An https URL. The mail is complete without it. */
  readonly logo?: string | null | undefined;
}

interface MailDefaults {
  readonly branding: Omit<MailStyle, 'locale'>;
  readonly defaultLocale: string;
}

/** Returns the style of an organization's mail for the locale of the reader. Default: the locale of the organization. */
export const mailStyle = ({ branding, defaultLocale }: MailDefaults, readerLocale: string | null): MailStyle => ({
  ...branding,
  locale: mailLocale(readerLocale, defaultLocale),
});

/** An absolute http or https link of this service, with its label. */
export interface MailAction {
  readonly label: string;
  readonly link: string;
}

/** The parts of a mail, as plain text. */
interface MailParts extends MailStyle {
  readonly organizationName: string;
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** The link that the reader should follow. */
  readonly action?: MailAction | undefined;
  /** Links from which the reader chooses one. */
  readonly links?: readonly MailAction[];
  /** What to do if the reader did not expect the mail. */
  readonly footer: string;
}

/** The color for an organization without a color, as on the sign-in page. */
const DEFAULT_COLOR = '#2d4b81';

/** Builds a mail as plain text and as HTML with the same content. Escapes values. The mail is readable without images and styles. */
export function layOutMail(parts: MailParts): MailContent {
  const lines = {
    ...parts,
    heading: singleLine(parts.heading),
    footer: singleLine(parts.footer),
    paragraphs: parts.paragraphs.map(singleLine),
    action: parts.action && normalized(parts.action),
    links: (parts.links ?? []).map(normalized),
  };
  return { subject: singleLine(parts.subject), text: textOf(lines), html: htmlOf(lines, textsFor(parts.locale)) };
}

const normalized = ({ label, link }: MailAction): MailAction => ({ label: singleLine(label), link: webAddress(link) });

const textOf = ({ heading, paragraphs, action, links = [], footer }: MailParts): string => {
  const addresses = [...(action ? [action] : []), ...links].map(({ label, link }) => `${label}:\n${link}`);
  return [heading, ...paragraphs, ...addresses, `-- \n${footer}`, ''].join('\n\n');
};

function htmlOf(parts: MailParts, texts: MailTexts): string {
  const { organizationName, subject, heading, paragraphs, action, links = [], footer, primaryColor, logo } = parts;
  const picture = pictureAddress(logo);
  const alt = escapeHtml(singleLine(organizationName));
  return `<!DOCTYPE html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(singleLine(subject))}</title>
</head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1c1c1e;font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:560px;margin:0 auto">
${picture ? `<p><img src="${escapeHtml(picture)}" alt="${alt}" height="40" style="max-width:100%;border:0"></p>\n` : ''}<h1 style="font-size:22px;line-height:1.3">${escapeHtml(heading)}</h1>
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
${action ? actionHtml(action, primaryColor, texts) : ''}${links.map((link) => buttonHtml(link, primaryColor)).join('')}<hr style="border:0;border-top:1px solid #d1d1d6">
<p style="font-size:14px;color:#48484a">${escapeHtml(footer)}</p>
</div>
</body>
</html>
`;
}

function buttonHtml({ label, link }: MailAction, primaryColor: MailStyle['primaryColor'], marginPx = 12): string {
  const { background, color } = buttonColors(primaryColor);
  return `<p style="margin:${marginPx}px 0"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:${background};color:${color};text-decoration:none;font-weight:bold">${escapeHtml(label)}</a></p>\n`;
}

function actionHtml(action: MailAction, primaryColor: MailStyle['primaryColor'], { text }: MailTexts): string {
  const href = escapeHtml(action.link);
  return `${buttonHtml(action, primaryColor, 28)}<p>${escapeHtml(text('layout.buttonFallback'))}<br><a href="${href}" style="color:#1c1c1e;word-break:break-all">${href}</a></p>
`;
}

/** Returns a normalized link. @throws Error for a scheme other than http and https, which is a programming error */
function webAddress(link: string): string {
  if (!/^https?:$/.test(parseUrl(link)?.protocol ?? ''))
    throw new Error('The link in an email must be an absolute http or https URL.');
  return new URL(link).href;
}

/** Returns the color of the organization, or the default for an invalid color, and the text color with the higher contrast. */
function buttonColors(primaryColor: MailStyle['primaryColor']): { background: string; color: string } {
  const background = primaryColor && /^#[0-9a-f]{6}$/i.test(primaryColor) ? primaryColor : DEFAULT_COLOR;
  return { background, color: textColorOn(background) };
}

/** Returns the normalized URL of a logo, or undefined if the URL is not https. */
function pictureAddress(logo: string | null | undefined): string | undefined {
  const address = logo ? parseUrl(logo) : undefined;
  return address?.protocol === 'https:' ? address.href : undefined;
}

/** Returns black or white, whichever has the higher contrast (WCAG 2.2, relative luminance). */
function textColorOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return luminance > 0.179 ? '#000000' : '#ffffff';
}
