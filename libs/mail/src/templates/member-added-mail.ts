import type { MailContent } from '../outbox/message.js';
import { type Branding, layOutMail } from './layout.js';

export interface MemberAddedMail extends Branding {
  readonly organizationName: string;
  /** Such as `member`. */
  readonly roleName: string;
  /** Where the person signs in, if there is such a page. */
  readonly link?: string | undefined;
}

/** Tells a person who has an account that it now belongs to an organization. */
export function memberAddedMail({ organizationName, roleName, link, primaryColor, logo }: MemberAddedMail): MailContent {
  return layOutMail({
    organizationName,
    subject: `You are now a member of ${organizationName}`,
    heading: `You are now a member of ${organizationName}`,
    paragraphs: [`Your account was added to ${organizationName}, with the role "${roleName}".`, 'You sign in as before.'],
    action: link === undefined ? undefined : { label: 'Sign in', link },
    footer: `If you do not know ${organizationName}, tell your administrator.`,
    primaryColor,
    logo,
  });
}
