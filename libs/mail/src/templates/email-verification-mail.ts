import type { MailContent } from '../outbox/message.js';
import { type Branding, layOutMail } from './layout.js';
import { momentText } from './text.js';

export interface EmailVerificationMail extends Branding {
  readonly organizationName: string;
  readonly link: string;
  readonly expiresAt: Date;
  /** Whether the account begins with it, or it confirms the address of one that stands. */
  readonly occasion: 'sign_up' | 'address';
}

/** Asks the owner of an address to confirm it. */
export function emailVerificationMail(mail: EmailVerificationMail): MailContent {
  const { organizationName, link, expiresAt, occasion, primaryColor, logo } = mail;
  const why =
    occasion === 'sign_up'
      ? `Someone signed up at ${organizationName} with this e-mail address. Confirm it to activate the account.`
      : `Confirm that this is the e-mail address of your account at ${organizationName}.`;
  return layOutMail({
    organizationName,
    subject: `Confirm your e-mail address for ${organizationName}`,
    heading: 'Confirm your e-mail address',
    paragraphs: [why, `The link works once, until ${momentText(expiresAt)}.`],
    action: { label: 'Confirm the address', link },
    footer:
      occasion === 'sign_up'
        ? 'If it was not you who signed up, do not confirm: whoever did chose the password.'
        : 'If you do not know this account, you can ignore this message.',
    primaryColor,
    logo,
  });
}
