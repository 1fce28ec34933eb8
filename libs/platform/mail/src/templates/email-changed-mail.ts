import type { MailContent } from '../outbox/message-content.js';
import { textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

export interface EmailChangedMail extends MailStyle {
  readonly organizationName: string;
  readonly from: string;
  readonly to: string;
}

/** Notifies the previous and the new address of an account, so that the change can't go unnoticed. */
export function emailChangedMail({ organizationName, from, to, ...style }: EmailChangedMail): MailContent {
  const { text } = textsFor(style.locale);
  return layOutMail({
    ...style,
    organizationName,
    subject: text('emailChanged.subject', { organizationName }),
    heading: text('emailChanged.heading'),
    paragraphs: [text('emailChanged.text', { organizationName, from, to })],
    footer: text('emailChanged.footer', { organizationName }),
  });
}
