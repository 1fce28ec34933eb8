import { Injectable } from '@nestjs/common';
import { Clock, newId, type RequestContext } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import { Notifications, TransactionRunner } from '#platform/database';
import { isMailAddress } from '#platform/http';
import { singleLine } from '../templates/text.js';
import { type MailContent, type MessageChannel, MESSAGES_NOTIFICATION, type SmsContent } from './message.js';
import { sealContent } from './message-sealing.js';
import { MessageRepository } from './message.repository.js';

interface Addressed {
  readonly tenantId: string;
  readonly organizationId?: string;
  /** Names the template in logs and in the mailbox, such as `invitation`. */
  readonly template: string;
  /** E-mail address, or telephone number in the form +4915112345678 (E.164). */
  readonly to: string;
}

export interface OutgoingMail extends Addressed {
  readonly content: MailContent;
}

export interface OutgoingSms extends Addressed {
  /** At most 1,000 characters. */
  readonly text: string;
}

const MAX_SMS_LENGTH = 1_000;
const TELEPHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

/** Takes mails and SMS in the transaction of the change that causes them; a worker sends them once it has committed. */
@Injectable()
export class MessageOutbox {
  constructor(
    private readonly messages: MessageRepository,
    private readonly sealer: SecretSealer,
    private readonly transactions: TransactionRunner,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes a mail and gives its id.
   * @throws Error outside a transaction, or for a recipient that the edge should have refused (see `isMailAddress`).
   */
  async sendMail(ctx: RequestContext, mail: OutgoingMail): Promise<string> {
    if (!isMailAddress(mail.to)) throw new Error('An email requires one plain email address as its recipient.');
    return this.take(ctx, 'email', mail, { ...mail.content, subject: singleLine(mail.content.subject) });
  }

  /** Takes an SMS and gives its id. @throws Error outside a transaction, or when recipient or text can't be sent */
  async sendSms(ctx: RequestContext, sms: OutgoingSms): Promise<string> {
    if (!TELEPHONE_NUMBER.test(sms.to)) throw new Error('An SMS requires a phone number such as +4915112345678.');
    if (sms.text.length > MAX_SMS_LENGTH) throw new Error(`An SMS can have at most ${MAX_SMS_LENGTH} characters.`);
    return this.take(ctx, 'sms', sms, { text: sms.text });
  }

  /** Removes all messages of organizations that go for good, sent or not. */
  async forgetOrganizations(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    await this.messages.removeOfOrganizations(ctx, tenantId, organizationIds);
  }

  private async take(
    ctx: RequestContext,
    channel: MessageChannel,
    to: Addressed,
    content: MailContent | SmsContent,
  ): Promise<string> {
    if (!ctx.transaction) throw new Error('A message must be written in the transaction of its change.');
    const id = newId('message');
    await this.messages.insert(ctx, {
      tenantId: to.tenantId,
      id,
      organizationId: to.organizationId ?? null,
      channel,
      template: to.template,
      recipient: to.to,
      contentSealed: sealContent(this.sealer, id, content),
      createdAt: this.clock.now(),
    });
    this.transactions.afterCommit(ctx, () => this.notifications.notify(MESSAGES_NOTIFICATION));
    return id;
  }
}
