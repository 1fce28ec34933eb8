import { MASKED_VALUE, signatureHeaderName } from '#webhooks/webhooks';
import { CONTENT_TYPE, userAgent } from './delivery-headers.js';

/** What is kept of the request of an attempt. */
export interface KeptRequest {
  readonly url: string;
  readonly headers: KeptHeaders;
}

/** The signatures as they were sent, and the names of the webhook's own headers, each with null. The rest follows from the delivery. */
export type KeptHeaders = Readonly<Record<string, string | null>>;

const STANDARD_SIGNATURE = 'webhook-signature';
const FOLLOWING = new Set(['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-sequence']);

/** What to keep of the headers that `deliveryHeaders` made. */
export function keptHeaders(sent: Readonly<Record<string, string>>, serviceName: string): KeptHeaders {
  const signed = new Set([signatureHeaderName(serviceName), STANDARD_SIGNATURE]);
  const kept: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(sent)) if (!FOLLOWING.has(name)) kept[name] = signed.has(name) ? value : null;
  return kept;
}

/**
 * The headers as they were sent, but for the values of the webhook's own, which may be credentials. What is kept comes back from `jsonb` in
 * another order than it was written.
 */
export function sentHeaders(kept: KeptHeaders, eventId: string, sequence: string | null): Record<string, string> {
  const [signatureName, signature] = Object.entries(kept).find(isOwnSignature)!;
  const custom = Object.keys(kept).filter((name) => kept[name] === null);
  return {
    'content-type': CONTENT_TYPE,
    'user-agent': userAgent(signatureName.slice(0, -signatureHeaderName('').length)),
    [signatureName]: signature,
    'webhook-id': eventId,
    'webhook-timestamp': signature.slice('t='.length, signature.indexOf(',')),
    [STANDARD_SIGNATURE]: kept[STANDARD_SIGNATURE]!,
    ...(sequence === null ? {} : { 'webhook-sequence': sequence }),
    ...Object.fromEntries(custom.map((name) => [name, MASKED_VALUE])),
  };
}

const isOwnSignature = (header: [name: string, value: string | null]): header is [string, string] =>
  header[0] !== STANDARD_SIGNATURE && header[1] !== null;
