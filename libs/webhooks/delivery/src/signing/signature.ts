import { createHmac, timingSafeEqual } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX } from '#platform/crypto';

const TIMESTAMP_TOLERANCE_SECONDS = 300;

/** Base64 as the reference library reads it: padding may be missing, and fewer than 4 characters are refused. */
const BASE64_KEY = /^(?=.{4})[A-Za-z0-9+/]+={0,2}$/;

export interface SignPayloadInput {
  /** The webhook's secret; its UTF-8 bytes are the key, a `whsec_` in front included. */
  secret: string;
  /** The body as it is sent; a string stands for its UTF-8 bytes. */
  body: string | Buffer;
  timestampSeconds: number;
}

/** The value of the service's own signature header: `t=<unix>,v1=<hex>` (specification section 6.4). */
export function signPayload({ secret, body, timestampSeconds }: SignPayloadInput): string {
  return `t=${timestampSeconds},v1=${payloadHmac(secret, String(timestampSeconds), body).toString('hex')}`;
}

export interface StandardSignatureInput extends SignPayloadInput {
  messageId: string;
}

/**
 * One signature of `webhook-signature`: `v1,<base64>` over `<id>.<timestamp>.<body>` (Standard Webhooks 1.0).
 *
 * The key: behind `whsec_`, the decoded base64. Any other secret: its UTF-8 bytes; a receiver gives those bytes to the
 * reference library with `{format: 'raw'}`, since it reads every secret as base64 otherwise. A secret that begins with
 * `whsec_` but does not go on in base64 makes the reference library throw, so no receiver can rely on it; such a secret
 * counts as any other: all of its UTF-8 bytes, the prefix included, verifiable with `{format: 'raw'}`.
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
  /** How much older than now the timestamp may be. */
  toleranceSeconds?: number;
}

/**
 * Verifies what signPayload made, in constant time. False when the header can't be read, the timestamp is more than the
 * tolerance older than now, or no `v1` in it fits (there may be several while a secret is rotated).
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
