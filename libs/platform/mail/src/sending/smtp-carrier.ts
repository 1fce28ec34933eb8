import { createTransport } from 'nodemailer';
import type { MailContent } from '../outbox/message-content.js';
import { type MessageCarrier, MessageRefused, type Outgoing } from './message-carrier.js';

/** Name and address of the sender, as separate fields that nodemailer doesn't parse. */
export interface MailSender {
  readonly name: string;
  readonly address: string;
}

/** Parses a validated sender of the configuration: `Name <address>`, or only the address. */
export function mailSenderOf(text: string): MailSender {
  const [, name = '', address = text] = /^([^<]+) <([^>]+)>$/.exec(text) ?? [];
  return { name, address };
}

/** Sends emails by SMTP (RFC 5321), with one connection per email. */
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

  async send({ id, recipient, content }: Outgoing<MailContent>): Promise<void> {
    try {
      await this.transport.sendMail({
        from: this.sender,
        to: { name: '', address: recipient },
        subject: content.subject,
        text: content.text,
        html: content.html,
        // Each attempt has the same Message-ID, so that receivers can detect a duplicate.
        messageId: `<${id}@${this.sender.address.slice(this.sender.address.lastIndexOf('@') + 1)}>`,
        // Prevents automatic replies (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      });
    } catch (error) {
      if (isRecipientRejected(error))
        throw new MessageRefused(`The mail server rejected the recipient: ${(error as Error).message}`);
      throw error;
    }
  }
}

/**
 * Returns whether the server rejected the recipient (5xx response to RCPT TO). Other 5xx responses are problems that the operator can
 * fix, such as a wrong password.
 */
const isRecipientRejected = (error: unknown): boolean => {
  const { responseCode = 0, command } = error as { responseCode?: number; command?: string };
  return responseCode >= 500 && command === 'RCPT TO';
};
