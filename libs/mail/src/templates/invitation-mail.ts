import type { MailContent } from '../outbox/message.js';
import { type Branding, layOutMail } from './layout.js';
import { momentText } from './text.js';

export interface InvitationMail extends Branding {
  readonly organizationName: string;
  readonly link: string;
  readonly expiresAt: Date;
}

/** Invites a person to set a password and so to complete the registration. */
export function invitationMail({ organizationName, link, expiresAt, primaryColor, logo }: InvitationMail): MailContent {
  return layOutMail({
    organizationName,
    subject: `You are invited to join ${organizationName}`,
    heading: `You are invited to join ${organizationName}`,
    paragraphs: [
      `An account was created for you at ${organizationName}. Set a password to complete your registration.`,
      `The link works once, until ${momentText(expiresAt)}.`,
    ],
    action: { label: 'Accept the invitation', link },
    footer: 'If you did not expect this invitation, you can ignore this message: without the link, nobody can use the account.',
    primaryColor,
    logo,
  });
}
