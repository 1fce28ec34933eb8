import { headerProblem, signatureHeaderName } from '#webhooks/webhooks';
import { signPayload, standardWebhookSignature } from './signature.js';

export const CONTENT_TYPE = 'application/json';

export interface DeliveryHeadersInput {
  /** Value of SERVICE_NAME, which is part of the name of the signature header and of the user agent. */
  serviceName: string;
  /**
   * Secrets, the current secret first. Only the current secret creates the service's own signature. Each secret creates one signature in
   * `webhook-signature`, so that receivers can move to the next secret during a rotation.
   */
  secrets: readonly [string, ...string[]];
  /** ID of the message, which is the same for every attempt, so that receivers can detect a duplicate. */
  messageId: string;
  /** The time of this attempt. */
  timestampSeconds: number;
  /** The body exactly as sent. */
  body: string | Buffer;
  /** Default: JSON. */
  contentType?: string;
  /** The gapless number of the delivery within its webhook. */
  sequence?: number | bigint | string;
  /** The custom headers of the webhook. */
  customHeaders?: Readonly<Record<string, string>>;
}

/** Returns the user agent of deliveries. */
export const userAgent = (serviceName: string): string => `${serviceName}-webhooks/1.0`;

/**
 * Returns all headers of one attempt, with names in lower case. Omits a custom header that is reserved or can't be sent, instead of failing
 * the delivery. A header can become reserved when SERVICE_NAME changes.
 */
export function deliveryHeaders(input: DeliveryHeadersInput): Record<string, string> {
  const {
    serviceName,
    secrets,
    messageId,
    timestampSeconds,
    body,
    contentType = CONTENT_TYPE,
    sequence,
    customHeaders = {},
  } = input;
  const custom = Object.entries(customHeaders)
    .filter(([name, value]) => headerProblem(name, value, serviceName) === undefined)
    .map(([name, value]) => [name.toLowerCase(), value] as const);

  return {
    ...Object.fromEntries(custom),
    'content-type': contentType,
    'user-agent': userAgent(serviceName),
    [signatureHeaderName(serviceName)]: signPayload({ secret: secrets[0], body, timestampSeconds }),
    'webhook-id': messageId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets
      .map((secret) => standardWebhookSignature({ secret, messageId, timestampSeconds, body }))
      .join(' '),
    ...(sequence === undefined ? {} : { 'webhook-sequence': String(sequence) }),
  };
}
