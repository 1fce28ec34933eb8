import { createOperatorAgent } from '#platform/outbound';
import { fetch } from 'undici';
import type { SmsContent } from '../outbox/message-content.js';
import type { MessageCarrier, Outgoing } from './message-carrier.js';

/** Sends text messages to the operator's gateway: `POST {to, text}`. A 2xx response means success. Does not follow redirects. */
export class SmsGatewayCarrier implements MessageCarrier<SmsContent> {
  private readonly agent = createOperatorAgent();
  private readonly url: URL;
  private readonly authorization: Record<string, string>;

  constructor(
    gatewayUrl: string,
    private readonly timeoutMs = 10_000,
  ) {
    this.url = new URL(gatewayUrl);
    const { username, password } = this.url;
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
    this.authorization = username || password ? { authorization: `Basic ${credentials}` } : {};
    // fetch does not accept credentials in a URL.
    this.url.username = '';
    this.url.password = '';
  }

  async send({ id, recipient, content }: Outgoing<SmsContent>): Promise<void> {
    const response = await fetch(this.url, {
      dispatcher: this.agent,
      method: 'POST',
      // A gateway can detect duplicates by this key.
      headers: { 'content-type': 'application/json', 'idempotency-key': id, ...this.authorization },
      body: JSON.stringify({ to: recipient, text: content.text }),
      redirect: 'manual',
      signal: AbortSignal.timeout(this.timeoutMs),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The SMS gateway responded with status ${response.status}.`);
  }
}
