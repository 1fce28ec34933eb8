import type { MailContent } from '../outbox/message.js';
import { type Branding, layOutMail } from './layout.js';
import { momentText } from './text.js';

export interface EmailChangeConfirmationMail extends Branding {
  readonly organizationName: string;
  /** The address that the account has. */
  readonly from: string;
  readonly link: string;
  readonly expiresAt: Date;
}

/** Asks the owner of a new address whether an account may move to it. */
export function emailChangeConfirmationMail(mail: EmailChangeConfirmationMail): MailContent {
  const { organizationName, from, link, expiresAt, primaryColor, logo } = mail;
  return layOutMail({
    organizationName,
    subject: `Confirm your new e-mail address for ${organizationName}`,
    heading: 'Confirm your new e-mail address',
    paragraphs: [
      `The account ${from} at ${organizationName} is to move to this address.`,
      `The link works once, until ${momentText(expiresAt)}. Nothing changes before it is used.`,
    ],
    action: { label: 'Use this address', link },
    footer: 'If this account is not yours, do not confirm.',
    primaryColor,
    logo,
  });
}
