import type { AppConfig } from '#platform/config';
import type { MailContent, SmsContent } from '../outbox/message-content.js';
import { NoopCarrier, type MessageCarrier, RejectingCarrier } from './message-carrier.js';
import { SmsGatewayCarrier } from './sms-gateway-carrier.js';
import { mailSenderOf, SmtpCarrier } from './smtp-carrier.js';

/** The carriers of emails and text messages, by configuration. */
export class MessageCarriers {
  constructor(
    readonly email: MessageCarrier<MailContent>,
    readonly sms: MessageCarrier<SmsContent>,
  ) {}

  static of({ production, smtpUrl, mailFrom, smsGatewayUrl }: AppConfig): MessageCarriers {
    const carrierWithout = (variable: string) =>
      production ? new RejectingCarrier(`${variable} is not set, so this message can't be sent.`) : new NoopCarrier();
    return new MessageCarriers(
      smtpUrl ? new SmtpCarrier(smtpUrl, mailSenderOf(mailFrom)) : carrierWithout('SMTP_URL'),
      smsGatewayUrl ? new SmsGatewayCarrier(smsGatewayUrl) : carrierWithout('SMS_GATEWAY_URL'),
    );
  }
}
