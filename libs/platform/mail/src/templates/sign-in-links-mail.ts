import type { MailContent } from '../outbox/message-content.js';
import { textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

export interface SignInLinksMail extends MailStyle {
  /** The organization of the branding. */
  readonly organizationName: string;
  readonly email: string;
  /** The sign-in pages of the organizations, at least one. */
  readonly organizations: readonly { readonly name: string; readonly link: string }[];
}

/** Lists the organizations to which the owner of an address can sign in. Send the mail only to the address. */
export function signInLinksMail({ organizationName, email, organizations, ...style }: SignInLinksMail): MailContent {
  const { text } = textsFor(style.locale);
  const subject = text('signInLinks.subject', { count: organizations.length, organizationName: organizations[0]?.name ?? '' });
  return layOutMail({
    ...style,
    organizationName,
    subject,
    heading: subject,
    paragraphs: [text('signInLinks.text', { email, count: organizations.length })],
    links: organizations.map(({ name, link }) => ({ label: name, link })),
    footer: text('signInLinks.footer'),
  });
}
