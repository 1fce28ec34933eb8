import type { MailContent } from '../outbox/message-content.js';
import { textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

export interface InvitationMail extends MailStyle {
  readonly organizationName: string;
  readonly link: string;
  readonly expiresAt: Date;
}

/** Invites a user to set a password, which activates the account. */
export function invitationMail({ organizationName, link, expiresAt, ...style }: InvitationMail): MailContent {
  const { text, moment } = textsFor(style.locale);
  const subject = text('invitation.subject', { organizationName });
  return layOutMail({
    ...style,
    organizationName,
    subject,
    heading: subject,
    paragraphs: [text('invitation.text', { organizationName }), text('link.expiry', { expiresAt: moment(expiresAt) })],
    action: { label: text('invitation.action'), link },
    footer: text('invitation.footer'),
  });
}
