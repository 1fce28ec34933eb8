import type { MailContent } from '../outbox/message-content.js';
import { textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

export interface PasswordResetMail extends MailStyle {
  readonly organizationName: string;
  readonly link: string;
  readonly expiresAt: Date;
}

/** Creates a mail with a link for setting a new password. Send the mail only to the owner of the account. */
export function passwordResetMail({ organizationName, link, expiresAt, ...style }: PasswordResetMail): MailContent {
  const { text, moment } = textsFor(style.locale);
  return layOutMail({
    ...style,
    organizationName,
    subject: text('passwordReset.subject', { organizationName }),
    heading: text('passwordReset.heading'),
    paragraphs: [text('passwordReset.text', { organizationName }), text('link.expiry', { expiresAt: moment(expiresAt) })],
    action: { label: text('passwordReset.action'), link },
    footer: text('passwordReset.footer'),
  });
}
