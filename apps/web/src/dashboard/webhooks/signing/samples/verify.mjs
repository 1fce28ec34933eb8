import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/** `body`: the raw bytes, before any JSON parser (in Express: express.raw({ type: 'application/json' })). */
export function isGenuine(headers, body, secret) {
  const parts = String(headers['service-signature'] ?? '').split(',');
  const timestamp = parts.find((part) => /^t=\d+$/.test(part))?.slice(2);
  if (timestamp === undefined || Date.now() / 1000 - Number(timestamp) > TOLERANCE_SECONDS) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  return parts
    .filter((part) => /^v1=[0-9a-f]{64}$/.test(part))
    .some((part) => timingSafeEqual(Buffer.from(part.slice(3), 'hex'), expected));
}
