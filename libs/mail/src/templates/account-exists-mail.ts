import type { MailContent } from '../outbox/message.js';
import { type Branding, layOutMail } from './layout.js';

export interface AccountExistsMail extends Branding {
  readonly organizationName: string;
}

/** Answers the wish to use an address that has an account already: said to its owner, and to nobody else. */
export function accountExistsMail({ organizationName, primaryColor, logo }: AccountExistsMail): MailContent {
  return layOutMail({
    organizationName,
    subject: `You already have an account at ${organizationName}`,
    heading: 'You already have an account',
    paragraphs: [
      `Someone wanted to use this e-mail address for an account at ${organizationName}, but it has one already. Nothing was changed.`,
      'Sign in as before. If you do not remember the password, ask for a new one where you sign in; if you were invited, use the link in the invitation.',
    ],
    footer: 'If it was not you, you can ignore this message.',
    primaryColor,
    logo,
  });
}
