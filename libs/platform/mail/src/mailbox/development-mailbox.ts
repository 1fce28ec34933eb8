import { Injectable } from '@nestjs/common';
import { systemContext } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import type { Message } from '../outbox/message.entity.js';
import type { MailContent, SmsContent } from '../outbox/message-content.js';
import { openContent } from '../outbox/message-sealing.js';
import { MessageRepository } from '../outbox/message.repository.js';

export interface MailboxMessage {
  readonly id: string;
  readonly channel: string;
  readonly template: string;
  readonly to: string;
  /** Null for an SMS. */
  readonly subject: string | null;
  readonly text: string;
  /** Null for an SMS. */
  readonly html: string | null;
  /** The URLs in the text, in order. */
  readonly links: readonly string[];
  readonly status: string;
  readonly attemptCount: number;
  readonly lastError: string | null;
  readonly createdAt: string;
  readonly sentAt: string | null;
}

const MAX_LISTED = 100;

/** Reads and decrypts messages. Not provided in production. */
@Injectable()
export class DevelopmentMailbox {
  constructor(
    private readonly messages: MessageRepository,
    private readonly sealer: SecretSealer,
  ) {}

  /** Returns the newest 100 messages, optionally of one recipient. */
  async listNewest(recipient?: string): Promise<MailboxMessage[]> {
    const messages = await this.messages.listNewest(systemContext('mailbox'), MAX_LISTED, recipient);
    return messages.map((message) => this.mailboxMessageOf(message));
  }

  async find(id: string): Promise<MailboxMessage | null> {
    const message = await this.messages.findOfAnyTenant(systemContext('mailbox'), id);
    return message && this.mailboxMessageOf(message);
  }

  private mailboxMessageOf(message: Message): MailboxMessage {
    const content = this.contentOf(message);
    const { id, channel, template, recipient: to, status, attemptCount, lastError, createdAt, sentAt } = message;
    return {
      id,
      channel,
      template,
      to,
      subject: content.subject ?? null,
      text: content.text,
      html: content.html ?? null,
      links: content.text.match(/https?:\/\/[^\s<>"']+/g) ?? [],
      status,
      attemptCount,
      lastError,
      createdAt: createdAt.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
    };
  }

  /** Returns the decrypted content, or a note if decryption fails. */
  private contentOf(message: Message): SmsContent & Partial<MailContent> {
    try {
      return openContent(this.sealer, message);
    } catch {
      return { text: '(This content was encrypted with another key, or was removed.)' };
    }
  }
}
