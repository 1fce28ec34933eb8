import type { MailContent } from '../outbox/message-content.js';
import { textsFor } from '../texts/texts.js';
import { layOutMail, type MailStyle } from './layout.js';

interface WebhookMail extends MailStyle {
  readonly organizationName: string;
  readonly webhookName: string;
  readonly url: string;
}

export interface WebhookFailingMail extends WebhookMail {
  readonly failingSince: Date;
  /** Time at which the webhook will be disabled if all deliveries fail until then. */
  readonly disabledAt: Date;
}

/** Warns an owner that a webhook keeps failing, and when it will be disabled. */
export function webhookFailingMail({ failingSince, disabledAt, ...mail }: WebhookFailingMail): MailContent {
  const { organizationName, webhookName, url } = mail;
  const { text, moment } = textsFor(mail.locale);
  return layOutMail({
    ...mail,
    subject: text('webhook.failing.subject', { webhookName, organizationName }),
    heading: text('webhook.failing.heading', { webhookName }),
    paragraphs: [
      text('webhook.failing.text', { url, failingSince: moment(failingSince) }),
      text('webhook.failing.outlook', { disabledAt: moment(disabledAt) }),
      text('webhook.responses'),
    ],
    footer: text('webhook.footer', { organizationName }),
  });
}

export interface WebhookDisabledMail extends WebhookMail {
  /** `gone`: the destination responded with 410 to the last retry. */
  readonly reason: 'failures' | 'gone';
}

/** Notifies an owner that a webhook was disabled automatically, and explains how to enable it. */
export function webhookDisabledMail({ reason, ...mail }: WebhookDisabledMail): MailContent {
  const { organizationName, webhookName, url } = mail;
  const { text } = textsFor(mail.locale);
  const texts =
    reason === 'gone'
      ? {
          subject: text('webhook.disabled.gone.subject', { webhookName, organizationName }),
          heading: text('webhook.disabled.gone.heading', { webhookName }),
          paragraphs: [text('webhook.disabled.gone.text', { url }), text('webhook.disabled.gone.outlook')],
        }
      : {
          subject: text('webhook.disabled.failures.subject', { webhookName, organizationName }),
          heading: text('webhook.disabled.failures.heading', { webhookName }),
          paragraphs: [text('webhook.disabled.failures.text', { url }), text('webhook.disabled.failures.outlook')],
        };
  return layOutMail({
    ...mail,
    ...texts,
    paragraphs: [...texts.paragraphs, text('webhook.responses')],
    footer: text('webhook.footer', { organizationName }),
  });
}
