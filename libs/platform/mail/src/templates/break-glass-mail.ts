import type { MailContent } from '../outbox/message-content.js';
import { textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

export interface BreakGlassMail extends MailStyle {
  readonly organizationName: string;
  readonly requesterEmail: string;
  readonly reason: string;
  readonly durationSeconds: number;
  /** Null while the request is pending. */
  readonly endsAt: Date | null;
}

/** Notifies an owner of break-glass access that was requested or approved. */
export function breakGlassMail(mail: BreakGlassMail): MailContent {
  const { organizationName, requesterEmail, reason, durationSeconds, endsAt, ...style } = mail;
  const { text, moment } = textsFor(style.locale);
  const names = { organizationName, requesterEmail };
  const texts = endsAt
    ? {
        subject: text('breakGlass.approved.subject', { organizationName }),
        heading: text('breakGlass.approved.heading'),
        access: text('breakGlass.approved.text', { ...names, endsAt: moment(endsAt) }),
        footer: text('breakGlass.approved.footer'),
      }
    : {
        subject: text('breakGlass.requested.subject', { organizationName }),
        heading: text('breakGlass.requested.heading'),
        access: text('breakGlass.requested.text', { ...names, minutes: Math.ceil(durationSeconds / 60) }),
        footer: text('breakGlass.requested.footer'),
      };
  return layOutMail({
    ...style,
    organizationName,
    subject: texts.subject,
    heading: texts.heading,
    paragraphs: [texts.access, text('breakGlass.reason', { reason })],
    footer: texts.footer,
  });
}
