import type { MailContent, SmsContent } from '../outbox/message-content.js';

/** A message on its way: opened, with the id that names it at every repetition. */
export interface Outgoing<C extends MailContent | SmsContent> {
  readonly id: string;
  readonly recipient: string;
  readonly content: C;
}

/** Hands a message over. It may be asked for the same message again, when it is unknown whether the first time succeeded. */
export interface MessageCarrier<C extends MailContent | SmsContent> {
  /** @throws MessageRefused when trying again can't help; any other error when it can. */
  carry(message: Outgoing<C>): Promise<void>;
}

/** Nobody will ever take this message. */
export class MessageRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MessageRefused';
  }
}

/** Keeps messages where they are, in the table, where the development mailbox shows them. */
export class KeepingCarrier implements MessageCarrier<MailContent | SmsContent> {
  async carry(): Promise<void> {}
}

/** Refuses everything, with the reason; for a channel that is not set up in production. */
export class RefusingCarrier implements MessageCarrier<MailContent | SmsContent> {
  constructor(private readonly reason: string) {}

  async carry(): Promise<void> {
    throw new MessageRefused(this.reason);
  }
}
