import type { MailContent } from '../outbox/message-content.js';
import { textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

export interface AccountExistsMail extends MailStyle {
  readonly organizationName: string;
  /** The sign-in page. */
  readonly link: string;
}

/**
 * Replaces the confirmation mail for an address that already has an account. Only the owner of the address learns that the account exists.
 */
export function accountExistsMail({ organizationName, link, ...style }: AccountExistsMail): MailContent {
  const { text } = textsFor(style.locale);
  return layOutMail({
    ...style,
    organizationName,
    subject: text('accountExists.subject', { organizationName }),
    heading: text('accountExists.heading'),
    paragraphs: [text('accountExists.text', { organizationName }), text('accountExists.signIn')],
    action: { label: text('accountExists.action'), link },
    footer: text('accountExists.footer'),
  });
}
