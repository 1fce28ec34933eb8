import type { MailContent } from '../outbox/message.js';
import { type Branding, layOutMail } from './layout.js';

export interface EmailChangedMail extends Branding {
  readonly organizationName: string;
  readonly from: string;
  readonly to: string;
}

/** Goes to the old and the new address of an account, so that it does not move away unnoticed. */
export function emailChangedMail({ organizationName, from, to, primaryColor, logo }: EmailChangedMail): MailContent {
  return layOutMail({
    organizationName,
    subject: `Your e-mail address at ${organizationName} was changed`,
    heading: 'Your e-mail address was changed',
    paragraphs: [`The address of your account at ${organizationName} was changed from ${from} to ${to}.`],
    footer: `If you did not expect this change, tell an administrator of ${organizationName} at once.`,
    primaryColor,
    logo,
  });
}
