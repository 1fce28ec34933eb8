import type { MailContent } from '../outbox/message-content.js';
import { textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

export interface MemberAddedMail extends MailStyle {
  readonly organizationName: string;
  /** Such as `member`. */
  readonly roleName: string;
  /** The sign-in page, if there is one. */
  readonly link?: string | undefined;
}

/** Notifies a user who was added to an organization. */
export function memberAddedMail({ organizationName, roleName, link, ...style }: MemberAddedMail): MailContent {
  const { text } = textsFor(style.locale);
  const subject = text('memberAdded.subject', { organizationName });
  return layOutMail({
    ...style,
    organizationName,
    subject,
    heading: subject,
    paragraphs: [text('memberAdded.text', { organizationName, roleName }), text('memberAdded.signIn')],
    action: link === undefined ? undefined : { label: text('memberAdded.action'), link },
    footer: text('memberAdded.footer', { organizationName }),
  });
}
