import { MASKED_VALUE, signatureHeaderName } from '#webhooks/webhooks';
import { CONTENT_TYPE, userAgent } from './delivery-headers.js';

/** The stored part of the request of an attempt. */
export interface StoredRequest {
  readonly url: string;
  readonly headers: StoredHeaders;
  /** The name of the format of the body. Absent for the payload itself. */
  readonly format?: string;
}

/**
 * The sent signatures, a content type other than JSON, and the names of the custom headers with null as their values. The other headers
 * derive from the delivery.
 */
export type StoredHeaders = Readonly<Record<string, string | null>>;

const STANDARD_SIGNATURE = 'webhook-signature';
const CONTENT_TYPE_HEADER = 'content-type';
const DERIVED = new Set(['user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-sequence']);

/** Returns the part of the sent headers to store. */
export function storedHeaders(sent: Readonly<Record<string, string>>, serviceName: string): StoredHeaders {
  const signed = new Set([signatureHeaderName(serviceName), STANDARD_SIGNATURE]);
  const stored: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(sent)) {
    if (name === CONTENT_TYPE_HEADER ? value !== CONTENT_TYPE : signed.has(name)) stored[name] = value;
    else if (name !== CONTENT_TYPE_HEADER && !DERIVED.has(name)) stored[name] = null;
  }
  return stored;
}

/**
 * Returns the headers as they were sent, with masked values of custom headers, which can be credentials. `jsonb` does not keep the order of
 * the stored headers.
 */
export function restoredHeaders(stored: StoredHeaders, eventId: string, sequence: string | null): Record<string, string> {
  // Stryker disable next-line ArrayDeclaration,StringLiteral: stored headers always contain a signature.
  const [signatureName, signature] = Object.entries(stored).find(isOwnSignature) ?? ['', ''];
  const custom = Object.keys(stored).filter((name) => stored[name] === null);
  return {
    [CONTENT_TYPE_HEADER]: stored[CONTENT_TYPE_HEADER] ?? CONTENT_TYPE,
    'user-agent': userAgent(signatureName.slice(0, -signatureHeaderName('').length)),
    [signatureName]: signature,
    'webhook-id': eventId,
    'webhook-timestamp': signature.slice('t='.length, signature.indexOf(',')),
    // Stryker disable next-line StringLiteral: stored headers always contain this signature.
    [STANDARD_SIGNATURE]: stored[STANDARD_SIGNATURE] ?? '',
    ...(sequence === null ? {} : { 'webhook-sequence': sequence }),
    ...Object.fromEntries(custom.map((name) => [name, MASKED_VALUE])),
  };
}

const isOwnSignature = (header: [name: string, value: string | null]): header is [string, string] =>
  header[0] !== STANDARD_SIGNATURE && header[0] !== CONTENT_TYPE_HEADER && header[1] !== null;
