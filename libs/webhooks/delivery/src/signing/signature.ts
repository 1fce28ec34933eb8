import { createHmac, timingSafeEqual } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX } from '#platform/crypto';

const TIMESTAMP_TOLERANCE_SECONDS = 300;

/** Base64 as the reference library accepts it: padding is optional, and fewer than 4 characters are rejected. */
const BASE64_KEY = /^(?=.{4})[A-Za-z0-9+/]+={0,2}$/;

export interface SignPayloadInput {
  /** The secret of the webhook. All its UTF-8 bytes are the key, including the prefix `whsec_`. */
  secret: string;
  /** The body as sent. A string stands for its UTF-8 bytes. */
  body: string | Buffer;
  timestampSeconds: number;
}

/** Returns the value of the service's own signature header: `t=<unix>,v1=<hex>` (specification section 6.4). */
export function signPayload({ secret, body, timestampSeconds }: SignPayloadInput): string {
  return `t=${timestampSeconds},v1=${payloadHmac(secret, String(timestampSeconds), body).toString('hex')}`;
}

export interface StandardSignatureInput extends SignPayloadInput {
  messageId: string;
}

/**
 * Returns one signature of `webhook-signature`: `v1,<base64>` over `<id>.<timestamp>.<body>` (Standard Webhooks 1.0).
 * The key of a secret `whsec_<base64>` is the decoded base64. The key of any other secret, including `whsec_` with invalid base64, consists
 * of all its UTF-8 bytes. Receivers pass these bytes to the reference library with `{format: 'raw'}`.
 */
export function standardWebhookSignature({ secret, messageId, timestampSeconds, body }: StandardSignatureInput): string {
  const hmac = createHmac('sha256', standardKey(secret)).update(`${messageId}.${timestampSeconds}.`).update(body);
  return `v1,${hmac.digest('base64')}`;
}

export interface VerifySignatureInput {
  /** The received signature header. */
  header: string;
  /** The body exactly as received. */
  body: string | Buffer;
  secret: string;
  nowSeconds: number;
  /** Maximum age of the timestamp. */
  toleranceSeconds?: number;
}

/**
 * Verifies a signature of `signPayload`, in constant time. Returns false if the header is invalid, the timestamp is older than the
 * tolerance, or no `v1` matches. A header can contain several `v1` during a rotation.
 */
export function verifySignature(input: VerifySignatureInput): boolean {
  const { header, body, secret, nowSeconds, toleranceSeconds = TIMESTAMP_TOLERANCE_SECONDS } = input;
  const parts = header.split(',').map((part) => part.trim());
  const timestamps = parts.filter((part) => /^t=\d{1,15}$/.test(part)).map((part) => part.slice(2));
  const signatures = parts.filter((part) => /^v1=[0-9a-f]{64}$/.test(part)).map((part) => Buffer.from(part.slice(3), 'hex'));
  const [timestamp] = timestamps;
  if (timestamp === undefined || timestamps.length > 1) return false;
  if (nowSeconds - Number(timestamp) > toleranceSeconds) return false;

  const expected = payloadHmac(secret, timestamp, body);
  return signatures.filter((signature) => timingSafeEqual(signature, expected)).length > 0;
}

function payloadHmac(secret: string, timestamp: string, body: string | Buffer): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(WEBHOOK_SECRET_PREFIX) ? secret.slice(WEBHOOK_SECRET_PREFIX.length) : '';
  return BASE64_KEY.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret);
}
