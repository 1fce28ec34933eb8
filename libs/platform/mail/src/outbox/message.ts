/** A mail's content; the HTML says what the text says. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface SmsContent {
  readonly text: string;
}

/** A message to a person, as it waits to be sent. */
export interface StoredMessage {
  readonly tenantId: string;
  readonly id: string;
  readonly organizationId: string | null;
  readonly channel: MessageChannel;
  /** Which template it was made from, for logs and filters. */
  readonly template: string;
  readonly recipient: string;
  readonly contentSealed: string;
  readonly status: 'pending' | 'sending' | 'sent' | 'failed';
  /** Attempts begun. */
  readonly attemptCount: number;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
}

export type MessageChannel = 'email' | 'sms';

/** The channel on which senders hear that there are new messages. */
export const MESSAGES_NOTIFICATION = 'messages';
