import type { MailContent } from '../outbox/message.js';
import { type Branding, layOutMail } from './layout.js';
import { momentText } from './text.js';

export interface PasswordResetMail extends Branding {
  readonly organizationName: string;
  readonly link: string;
  readonly expiresAt: Date;
}

/** Leads to a page that sets a new password. Goes to nobody but the owner of the account. */
export function passwordResetMail({ organizationName, link, expiresAt, primaryColor, logo }: PasswordResetMail): MailContent {
  return layOutMail({
    organizationName,
    subject: `Set a new password for ${organizationName}`,
    heading: 'Set a new password',
    paragraphs: [
      `Someone asked for a new password for your account at ${organizationName}.`,
      `The link works once, until ${momentText(expiresAt)}. Your present password stays as it is until then.`,
    ],
    action: { label: 'Set a new password', link },
    footer: 'If it was not you who asked, you can ignore this message: without the link, nobody can set a password.',
    primaryColor,
    logo,
  });
}
