import type { MailContent } from '../outbox/message-content.js';
import { textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

/** Why the owner of an account can't set a password here. `link` is the sign-in page. */
export type AccountObstacle =
  | { readonly kind: 'sso_required'; readonly providers: readonly string[]; readonly link: string }
  | { readonly kind: 'other_organization'; readonly link: string }
  | { readonly kind: 'suspended' | 'not_invited' };

export interface AccountAccessMail extends MailStyle {
  readonly organizationName: string;
  readonly obstacle: AccountObstacle;
}

const TEXTS = {
  sso_required: ['accountAccess.ssoRequired.heading', 'accountAccess.ssoRequired.text'],
  other_organization: ['accountAccess.otherOrganization.heading', 'accountAccess.otherOrganization.text'],
  suspended: ['accountAccess.suspended.heading', 'accountAccess.suspended.text'],
  not_invited: ['accountAccess.notInvited.heading', 'accountAccess.notInvited.text'],
} as const;

/** Replaces the link to set a password if the account can't have a password. Tells the owner of the account what to do instead. */
export function accountAccessMail({ organizationName, obstacle, ...style }: AccountAccessMail): MailContent {
  const { text } = textsFor(style.locale);
  const [heading, paragraph] = TEXTS[obstacle.kind];
  const providers = 'providers' in obstacle ? obstacle.providers : [];
  const link = 'link' in obstacle ? obstacle.link : undefined;
  const values = { organizationName, count: providers.length, providers: providers.map((name) => `"${name}"`).join(', ') };
  return layOutMail({
    ...style,
    organizationName,
    subject: text('accountAccess.subject', { organizationName }),
    heading: text(heading, { organizationName }),
    paragraphs: [text('accountAccess.occasion', { organizationName }), text(paragraph, values)],
    action: link === undefined ? undefined : { label: text('accountAccess.action'), link },
    footer: text('accountAccess.footer'),
  });
}
