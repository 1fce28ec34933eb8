import type { MailContent } from '../outbox/message.js';
import { type Branding, layOutMail } from './layout.js';
import { momentText } from './text.js';

export interface SecurityCodeMail extends Branding {
  readonly organizationName: string;
  /** Digits to type in; works once. */
  readonly code: string;
  readonly expiresAt: Date;
}

/** Brings a code that proves that the reader owns this address. */
export function securityCodeMail({ organizationName, code, expiresAt, primaryColor, logo }: SecurityCodeMail): MailContent {
  return layOutMail({
    organizationName,
    subject: `Your security code for ${organizationName}`,
    heading: `Your security code is ${code}`,
    paragraphs: [
      `Enter this code where ${organizationName} asks for it. It works once, until ${momentText(expiresAt)}.`,
      'Nobody of us will ever ask you for it.',
    ],
    footer: 'If you did not ask for a code, somebody may know your password: change it, and tell your administrator.',
    primaryColor,
    logo,
  });
}
