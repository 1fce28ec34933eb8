import type { MailContent } from '../outbox/message.js';
import { type Branding, layOutMail } from './layout.js';
import { momentText } from './text.js';

interface FailingWebhook extends Branding {
  readonly organizationName: string;
  readonly webhookName: string;
  readonly url: string;
}

export interface WebhookFailingMail extends FailingWebhook {
  readonly failingSince: Date;
  /** When it is switched off, should nothing change. */
  readonly disabledAt: Date;
}

/** Warns that a webhook has failed for long, and when it will be switched off. */
export function webhookFailingMail({ webhookName, failingSince, disabledAt, ...mail }: WebhookFailingMail): MailContent {
  return layOutMail({
    ...mail,
    subject: `The webhook "${webhookName}" of ${mail.organizationName} is failing`,
    heading: `The webhook "${webhookName}" is failing`,
    paragraphs: [
      `Since ${momentText(failingSince)}, every delivery to ${mail.url} has failed.`,
      `If that goes on, the webhook is switched off at about ${momentText(disabledAt)}. Events that happen then wait until it works again.`,
      "What the destination answered is listed with the webhook's deliveries.",
    ],
    footer: footerOf(mail.organizationName),
  });
}

export interface WebhookDisabledMail extends FailingWebhook {
  /** `gone`: the destination answered 410 to the last retry. */
  readonly reason: 'failures' | 'gone';
}

/** Tells that a webhook was switched off by itself, and how it is switched on again. */
export function webhookDisabledMail({ webhookName, reason, ...mail }: WebhookDisabledMail): MailContent {
  const [why, then] =
    reason === 'gone'
      ? [`${mail.url} has answered that it is gone for good (410).`, 'Events wait until you switch the webhook on again.']
      : [
          `For five days, every delivery to ${mail.url} has failed.`,
          'Events wait. Now and then one of them is tried: as soon as it is taken, the webhook is switched on again, and what waited is sent. You can switch it on yourself, too.',
        ];
  return layOutMail({
    ...mail,
    subject: `The webhook "${webhookName}" of ${mail.organizationName} was switched off`,
    heading: `The webhook "${webhookName}" was switched off`,
    paragraphs: [why, then, "What the destination answered is listed with the webhook's deliveries."],
    footer: footerOf(mail.organizationName),
  });
}

const footerOf = (organizationName: string): string => `You get this mail as an owner of ${organizationName}.`;
