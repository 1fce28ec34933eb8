import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ReceivedRequest } from './receiver.js';

/**
 * Returns whether a secret signed the request, as section 6.4 of the specification describes: the header has a timestamp in seconds and a lowercase
 * hex HMAC of `<timestamp>.<body>`. Independent of the code of the service.
 */
export function isSigned(
  { headers, body, receivedAt }: Pick<ReceivedRequest, 'headers' | 'body' | 'receivedAt'>,
  secret: string,
  { header = 'service-signature', withinSeconds = 300 }: { header?: string; withinSeconds?: number } = {},
): boolean {
  const [, timestamp, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers[header])) ?? [];
  if (signature === undefined) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  const isRecent = Math.abs(receivedAt / 1_000 - Number(timestamp)) < withinSeconds;
  return isRecent && timingSafeEqual(Buffer.from(signature, 'hex'), expected);
}
