import { Injectable } from '@nestjs/common';
import { Clock, newId, type RequestContext } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import { Notifications, TransactionRunner } from '#platform/database';
import { isMailAddress } from '#platform/http';
import { singleLine } from '../templates/text.js';
import type { MessageChannel } from './message.entity.js';
import type { MailContent, SmsContent } from './message-content.js';
import { sealContent } from './message-sealing.js';
import { MessageRepository } from './message.repository.js';

interface Addressed {
  readonly tenantId: string;
  readonly organizationId?: string;
  /** Name of the template, for logs and the development mailbox, such as `invitation`. */
  readonly template: string;
  /** Email address, or phone number such as +4915112345678 (E.164). */
  readonly to: string;
}

export interface OutgoingMail extends Addressed {
  readonly content: MailContent;
}

export interface OutgoingSms extends Addressed {
  /** At most 1,000 characters. */
  readonly text: string;
}

/** The PostgreSQL channel that wakes the senders. */
export const MESSAGES_CHANNEL = 'messages';

const MAX_SMS_LENGTH = 1_000;
const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

/** Writes emails and text messages in the transaction of a change. Workers send the messages after the commit. */
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
   * Writes an email and returns its ID.
   * @throws Error outside a transaction, or for a recipient that `isMailAddress` rejects
   */
  async sendMail(ctx: RequestContext, mail: OutgoingMail): Promise<string> {
    if (!isMailAddress(mail.to)) throw new Error('An email requires one plain email address as its recipient.');
    return this.insert(ctx, 'email', mail, { ...mail.content, subject: singleLine(mail.content.subject) });
  }

  /** Writes a text message and returns its ID. @throws Error outside a transaction, or if the recipient or the text is invalid */
  async sendSms(ctx: RequestContext, sms: OutgoingSms): Promise<string> {
    if (!PHONE_NUMBER.test(sms.to)) throw new Error('An SMS requires a phone number such as +4915112345678.');
    if (sms.text.length > MAX_SMS_LENGTH) throw new Error(`An SMS can have at most ${MAX_SMS_LENGTH} characters.`);
    return this.insert(ctx, 'sms', sms, { text: sms.text });
  }

  /** Deletes sent and unsent messages of purged organizations. */
  async deleteOfOrganizations(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    await this.messages.deleteOfOrganizations(ctx, tenantId, organizationIds);
  }

  private insert(ctx: RequestContext, channel: MessageChannel, to: Addressed, content: MailContent | SmsContent): string {
    if (!ctx.transaction) throw new Error('A message must be written in the transaction of its change.');
    const id = newId('message');
    this.messages.insert(ctx, {
      tenantId: to.tenantId,
      id,
      organizationId: to.organizationId ?? null,
      channel,
      template: to.template,
      recipient: to.to,
      contentSealed: sealContent(this.sealer, id, content),
      createdAt: this.clock.now(),
    });
    this.transactions.afterCommit(ctx, () => this.notifications.notify(MESSAGES_CHANNEL));
    return id;
  }
}
