import type { MailContent } from '../outbox/message-content.js';
import { type TextId, textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

/** `requested`: the user must approve. `approval`: the owners must approve. `started` and `ended` tell the user. */
export type ImpersonationNotice = 'requested' | 'approval' | 'started' | 'ended';

export interface ImpersonationMail extends MailStyle {
  readonly notice: ImpersonationNotice;
  readonly organizationName: string;
  readonly impersonatorEmail: string;
  readonly userEmail: string;
  readonly reason: string;
  readonly durationSeconds: number;
  /** Null before the start. */
  readonly endsAt: Date | null;
  /** The page on which the user approves or ends it. */
  readonly link?: string;
}

const TEXTS = {
  requested: {
    subject: 'impersonation.requested.subject',
    heading: 'impersonation.requested.heading',
    text: 'impersonation.requested.text',
    footer: 'impersonation.requested.footer',
  },
  approval: {
    subject: 'impersonation.approval.subject',
    heading: 'impersonation.approval.heading',
    text: 'impersonation.approval.text',
    footer: 'impersonation.approval.footer',
  },
  started: {
    subject: 'impersonation.started.subject',
    heading: 'impersonation.started.heading',
    text: 'impersonation.started.text',
    footer: 'impersonation.started.footer',
  },
  ended: {
    subject: 'impersonation.ended.subject',
    heading: 'impersonation.ended.heading',
    text: 'impersonation.ended.text',
    footer: 'impersonation.ended.footer',
  },
} as const satisfies Record<ImpersonationNotice, Record<'subject' | 'heading' | 'text' | 'footer', TextId>>;

/** Tells a user, or the owners of the organization, that somebody from support signs in as the user. */
export function impersonationMail(mail: ImpersonationMail): MailContent {
  const { notice, organizationName, impersonatorEmail, userEmail, reason, durationSeconds, endsAt, link, ...style } = mail;
  const { text, moment } = textsFor(style.locale);
  const ids = TEXTS[notice];
  const values = {
    organizationName,
    impersonatorEmail,
    userEmail,
    minutes: Math.ceil(durationSeconds / 60),
    endsAt: endsAt ? moment(endsAt) : '',
  };
  return layOutMail({
    ...style,
    organizationName,
    subject: text(ids.subject, values),
    heading: text(ids.heading, values),
    paragraphs: [text(ids.text, values), text('impersonation.reason', { reason })],
    action: link === undefined ? undefined : { label: text('impersonation.button'), link },
    footer: text(ids.footer, values),
  });
}
