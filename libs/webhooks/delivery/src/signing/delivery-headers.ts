import { headerProblem, signatureHeaderName } from '#webhooks/webhooks';
import { signPayload, standardWebhookSignature } from './signature.js';

export const CONTENT_TYPE = 'application/json';

export interface DeliveryHeadersInput {
  /** SERVICE_NAME: gives the signature header and the user agent their names. */
  serviceName: string;
  /**
   * The secret in force first: it makes the service's own signature. Each makes one signature in `webhook-signature`,
   * so that receivers can move to the next secret while both are known.
   */
  secrets: readonly [string, ...string[]];
  /** The same for every attempt, so that receivers can recognise a repetition. */
  messageId: string;
  /** The time of this attempt. */
  timestampSeconds: number;
  /** The body exactly as sent. */
  body: string | Buffer;
  /** The delivery's gapless number among those of its webhook. */
  sequence?: number | bigint | string;
  /** The webhook's own headers. */
  customHeaders?: Readonly<Record<string, string>>;
}

/** How deliveries name their sender. */
export const userAgent = (serviceName: string): string => `${serviceName}-webhooks/1.0`;

/**
 * All headers of one attempt, names in lower case. A header of the webhook's own that is reserved or can't be sent
 * (the service's name may have changed since it was set) is left out rather than failing the delivery.
 */
export function deliveryHeaders(input: DeliveryHeadersInput): Record<string, string> {
  const { serviceName, secrets, messageId, timestampSeconds, body, sequence, customHeaders = {} } = input;
  const custom = Object.entries(customHeaders)
    .filter(([name, value]) => headerProblem(name, value, serviceName) === undefined)
    .map(([name, value]) => [name.toLowerCase(), value] as const);

  return {
    ...Object.fromEntries(custom),
    'content-type': CONTENT_TYPE,
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
