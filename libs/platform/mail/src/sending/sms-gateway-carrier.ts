import { fetch } from 'undici';
import type { SmsContent } from '../outbox/message-content.js';
import type { MessageCarrier, Outgoing } from './message-carrier.js';

/** Hands SMS to the operator's gateway: `POST {to, text}`; any 2xx is success. Redirects are not followed. */
export class SmsGatewayCarrier implements MessageCarrier<SmsContent> {
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
    // fetch takes no credentials in an address.
    this.url.username = '';
    this.url.password = '';
  }

  async carry({ id, recipient, content }: Outgoing<SmsContent>): Promise<void> {
    const response = await fetch(this.url, {
      method: 'POST',
      // The key lets a gateway tell a repetition.
      headers: { 'content-type': 'application/json', 'idempotency-key': id, ...this.authorization },
      body: JSON.stringify({ to: recipient, text: content.text }),
      redirect: 'manual',
      signal: AbortSignal.timeout(this.timeoutMs),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The SMS gateway responded with status ${response.status}.`);
  }
}
