import type { MailContent } from '../outbox/message-content.js';
import { textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

interface ApplicationMail extends MailStyle {
  readonly organizationName: string;
  readonly applicationName: string;
}

export interface ApplicationRequestedMail extends ApplicationMail {
  readonly requesterEmail: string;
  readonly reason: string;
  /** The page with the requests. */
  readonly link: string;
}

/** Tells an owner that a user asks for an application. */
export function applicationRequestedMail(mail: ApplicationRequestedMail): MailContent {
  const { organizationName, applicationName, requesterEmail, reason, link } = mail;
  const { text } = textsFor(mail.locale);
  return layOutMail({
    ...mail,
    subject: text('application.requested.subject', { applicationName, organizationName }),
    heading: text('application.requested.heading'),
    paragraphs: [
      text('application.requested.text', { requesterEmail, applicationName, organizationName }),
      text('breakGlass.reason', { reason }),
    ],
    action: { label: text('application.requested.action'), link },
    footer: text('application.requested.footer'),
  });
}

export interface ApplicationDecidedMail extends ApplicationMail {
  readonly isApproved: boolean;
  readonly note: string | null;
}

/** Tells a user what an owner decided about an application for which the user asked. */
export function applicationDecidedMail(mail: ApplicationDecidedMail): MailContent {
  const { organizationName, applicationName, isApproved, note } = mail;
  const { text } = textsFor(mail.locale);
  const names = { applicationName, organizationName };
  const subject = isApproved ? text('application.approved.subject', names) : text('application.denied.subject', names);
  return layOutMail({
    ...mail,
    subject,
    heading: subject,
    paragraphs: [
      isApproved ? text('application.approved.text', names) : text('application.denied.text', names),
      ...(note === null ? [] : [text('application.note', { note })]),
    ],
    footer: text('application.decided.footer', { organizationName }),
  });
}
