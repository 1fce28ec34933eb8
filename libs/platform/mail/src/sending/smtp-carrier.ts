import { createTransport } from 'nodemailer';
import type { MailContent } from '../outbox/message-content.js';
import { type MessageCarrier, MessageRefused, type Outgoing } from './message-carrier.js';

/** Name and address, apart: mail libraries are never given a text that they would have to take to pieces. */
export interface MailSender {
  readonly name: string;
  readonly address: string;
}

/** Takes apart what the configuration has checked: `Name <address>`, or the address alone. */
export function mailSenderOf(text: string): MailSender {
  const [, name = '', address = text] = /^([^<]+) <([^>]+)>$/.exec(text) ?? [];
  return { name, address };
}

/** Sends mails by SMTP (RFC 5321), one connection for each. */
export class SmtpCarrier implements MessageCarrier<MailContent> {
  private readonly transport;

  constructor(
    smtpUrl: string,
    private readonly sender: MailSender,
    timeoutMs = 10_000,
  ) {
    this.transport = createTransport({
      url: smtpUrl,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async carry({ id, recipient, content }: Outgoing<MailContent>): Promise<void> {
    try {
      await this.transport.sendMail({
        from: this.sender,
        to: { name: '', address: recipient },
        subject: content.subject,
        text: content.text,
        html: content.html,
        // The same at every repetition, so that receivers can tell a second copy.
        messageId: `<${id}@${this.sender.address.slice(this.sender.address.lastIndexOf('@') + 1)}>`,
        // No out-of-office answers to a machine (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      });
    } catch (error) {
      if (isRefusedRecipient(error))
        throw new MessageRefused(`The mail server rejected the recipient: ${(error as Error).message}`);
      throw error;
    }
  }
}

/** A 5xx answer to this recipient is final; to anything else (signing in, our sender) it is a fault that the operator may mend. */
const isRefusedRecipient = (error: unknown): boolean => {
  const { responseCode = 0, command } = error as { responseCode?: number; command?: string };
  return responseCode >= 500 && command === 'RCPT TO';
};
