import type { MailContent } from '../outbox/message.js';
import { type Branding, layOutMail } from './layout.js';
import { momentText } from './text.js';

export interface SecurityNoticeMail extends Branding {
  readonly organizationName: string;
  /** What happened to the account, in a few words, such as `An authenticator app was added`. */
  readonly what: string;
  readonly at: Date;
  /** What somebody can do who did not want it. */
  readonly action?: { readonly label: string; readonly link: string };
}

/** Tells a person what happened to the protection of their account, so that no stranger's change stays unnoticed (OWASP ASVS 6.3.7). */
export function securityNoticeMail({ organizationName, what, at, action, primaryColor, logo }: SecurityNoticeMail): MailContent {
  return layOutMail({
    organizationName,
    subject: `${what} (${organizationName})`,
    heading: what,
    paragraphs: [`This happened to your account at ${organizationName} on ${momentText(at)}.`],
    ...(action && { action }),
    footer: `If it was not you, change your password and tell an administrator of ${organizationName} at once.`,
    primaryColor,
    logo,
  });
}
