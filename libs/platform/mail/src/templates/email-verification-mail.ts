import type { MailContent } from '../outbox/message-content.js';
import { textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

export interface EmailVerificationMail extends MailStyle {
  readonly organizationName: string;
  readonly link: string;
  readonly expiresAt: Date;
  /** `sign_up` activates a new account; `address` verifies the address of an active one. */
  readonly occasion: 'sign_up' | 'address';
}

/** Asks the owner of an address to verify it. */
export function emailVerificationMail(mail: EmailVerificationMail): MailContent {
  const { organizationName, link, expiresAt, occasion, ...style } = mail;
  const { text, moment } = textsFor(style.locale);
  const [why, footer] =
    occasion === 'sign_up'
      ? [text('emailVerification.signUp.text', { organizationName }), text('emailVerification.signUp.footer')]
      : [text('emailVerification.address.text', { organizationName }), text('emailVerification.address.footer')];
  return layOutMail({
    ...style,
    organizationName,
    subject: text('emailVerification.subject', { organizationName }),
    heading: text('emailVerification.heading'),
    paragraphs: [why, text('link.expiry', { expiresAt: moment(expiresAt) })],
    action: { label: text('emailVerification.action'), link },
    footer,
  });
}
