import type { MailContent } from '../outbox/message-content.js';
import { textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

export interface EmailChangeConfirmationMail extends MailStyle {
  readonly organizationName: string;
  /** The current address of the account. */
  readonly from: string;
  readonly link: string;
  readonly expiresAt: Date;
}

/** Asks the owner of a new address to verify it before it becomes the address of an account. */
export function emailChangeConfirmationMail(mail: EmailChangeConfirmationMail): MailContent {
  const { organizationName, from, link, expiresAt, ...style } = mail;
  const { text, moment } = textsFor(style.locale);
  return layOutMail({
    ...style,
    organizationName,
    subject: text('emailChange.subject', { organizationName }),
    heading: text('emailChange.heading'),
    paragraphs: [text('emailChange.text', { from, organizationName }), text('link.expiry', { expiresAt: moment(expiresAt) })],
    action: { label: text('emailChange.action'), link },
    footer: text('emailChange.footer'),
  });
}
