import type { MailContent } from '../outbox/message-content.js';
import { textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

export interface ScimStoppedMail extends MailStyle {
  readonly organizationName: string;
  readonly connectionName: string;
  readonly removedUsers: number;
  /** The page on which the connection can be activated or rolled back. */
  readonly url: string;
}

/** Notifies an owner that a SCIM connection was stopped, because it would have removed more users than its limits allow. */
export function scimStoppedMail({ url, ...mail }: ScimStoppedMail): MailContent {
  const { organizationName, connectionName, removedUsers } = mail;
  const { text } = textsFor(mail.locale);
  return layOutMail({
    ...mail,
    subject: text('scim.stopped.subject', { connectionName, organizationName }),
    heading: text('scim.stopped.heading', { connectionName }),
    paragraphs: [text('scim.stopped.text', { removedUsers }), text('scim.stopped.outlook')],
    action: { label: text('scim.stopped.button'), link: url },
    footer: text('scim.stopped.footer', { organizationName }),
  });
}
