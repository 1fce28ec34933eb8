import type { MailContent, SmsContent } from '../outbox/message-content.js';

/** A decrypted message. `id` is the same for each attempt. */
export interface Outgoing<C extends MailContent | SmsContent> {
  readonly id: string;
  readonly recipient: string;
  readonly content: C;
}

/** Sends messages. A message is retried if the result of an attempt is unknown, so the recipient can receive the message twice. */
export interface MessageCarrier<C extends MailContent | SmsContent> {
  /** Sends a message. @throws MessageRefused if a retry can't succeed, other errors if a retry can succeed */
  send(message: Outgoing<C>): Promise<void>;
}

/** The message can't be sent, and a retry can't succeed. */
export class MessageRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MessageRefused';
  }
}

/** Sends nothing. The messages are visible in the development mailbox. */
export class NoopCarrier implements MessageCarrier<MailContent | SmsContent> {
  async send(): Promise<void> {}
}

/** Rejects all messages, for a channel without configuration in production. */
export class RejectingCarrier implements MessageCarrier<MailContent | SmsContent> {
  constructor(private readonly reason: string) {}

  async send(): Promise<void> {
    throw new MessageRefused(this.reason);
  }
}
