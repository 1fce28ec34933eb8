import type { WebhookEvent } from './events.js';
import { type Bytes, bytesOf, fromBase64, fromHex, ImportedSecret, toBase64, toHex } from './signature.js';

const TOLERANCE_SECONDS = 300;
const DEFAULT_SIGNATURE_HEADER = 'service-signature';

export interface WebhookOptions {
  /** The signing secret, or several secrets during a rotation. */
  readonly secret: string | readonly string[];
  /** The signature header of the service, `<SERVICE_NAME>-signature`. Default: `service-signature`. */
  readonly signatureHeader?: string;
  /** Maximum difference between the timestamp and now. Default: 300 seconds. */
  readonly toleranceSeconds?: number;
  /** Returns the current time in milliseconds since 1970, for tests. */
  readonly now?: () => number;
}

/** Headers of `fetch`, or of Node.js with names in lower case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerificationFailure =
  /** No signature header is present or can be parsed. */
  | 'signature_missing'
  /** No signature matches the body and the secrets: the secret is wrong, the body was changed, or the delivery is forged. */
  | 'signature_mismatch'
  /** The timestamp differs too much from the current time. */
  | 'timestamp_out_of_tolerance'
  /** The signature is valid, but the body is not an event. */
  | 'body_invalid';

/** The request is not a valid delivery. Respond with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: VerificationFailure;

  constructor(code: VerificationFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A parsed signature header. */
interface Claim {
  readonly timestamp: string;
  isValid(secret: ImportedSecret, body: Bytes): Promise<boolean>;
}

/** Verifies deliveries with WebCrypto only: in Node.js, browsers and edge functions. Create one instance for each webhook. */
export class Webhooks {
  readonly #secrets: readonly ImportedSecret[];
  readonly #signatureHeader: string;
  readonly #toleranceSeconds: number;
  readonly #now: () => number;

  constructor({
    secret,
    signatureHeader = DEFAULT_SIGNATURE_HEADER,
    toleranceSeconds = TOLERANCE_SECONDS,
    now = Date.now,
  }: WebhookOptions) {
    const secrets = [secret].flat();
    if (secrets.length === 0 || secrets.some((each) => typeof each !== 'string' || each === '')) {
      throw new TypeError('The secret of the webhook is missing.');
    }
    this.#secrets = secrets.map((each) => new ImportedSecret(each));
    this.#signatureHeader = signatureHeader.toLowerCase();
    this.#toleranceSeconds = toleranceSeconds;
    this.#now = now;
  }

  /**
   * Returns the event of a valid delivery. `body` is the body exactly as received, before any JSON parser.
   * One valid signature is enough, in the header of the service or in the header of Standard Webhooks.
   * @throws WebhookVerificationError for an invalid delivery
   */
  async verify(body: string | ArrayBuffer | Uint8Array, headers: WebhookHeaders): Promise<WebhookEvent> {
    const claims = [this.#serviceClaim(headers), standardClaim(headers)].filter((claim) => claim !== undefined);
    if (claims.length === 0) {
      throw new WebhookVerificationError(
        'signature_missing',
        `The request has no valid "${this.#signatureHeader}" or "webhook-signature" header.`,
      );
    }
    const recentClaims = claims.filter(
      ({ timestamp }) => Math.abs(this.#now() / 1_000 - Number(timestamp)) <= this.#toleranceSeconds,
    );
    if (recentClaims.length === 0) {
      throw new WebhookVerificationError(
        'timestamp_out_of_tolerance',
        `The timestamp of the signature differs by more than ${this.#toleranceSeconds} seconds from the current time. If the delivery is not a replayed request, check the clock of this machine.`,
      );
    }
    const bytes = bytesOf(body);
    const results = await Promise.all(
      recentClaims.flatMap((claim) => this.#secrets.map((secret) => claim.isValid(secret, bytes))),
    );
    if (!results.includes(true)) {
      throw new WebhookVerificationError(
        'signature_mismatch',
        'No signature matches. The secret is wrong, or the body is not byte for byte the body that was received.',
      );
    }
    return eventIn(bytes);
  }

  /** Verifies a `Request` of `fetch`: `new Webhooks({ secret }).verifyRequest(request)`. */
  async verifyRequest(request: Request): Promise<WebhookEvent> {
    return this.verify(await request.arrayBuffer(), request.headers);
  }

  /** Returns the headers of a valid delivery, signed with the first secret: for tests of your receiver. */
  async sign(body: string | ArrayBuffer | Uint8Array, eventId: string): Promise<Record<string, string>> {
    const [bytes, [secret], timestamp] = [bytesOf(body), this.#secrets, String(Math.floor(this.#now() / 1_000))];
    return {
      'content-type': 'application/json',
      [this.#signatureHeader]: `t=${timestamp},v1=${toHex(await secret!.signServiceHeader(timestamp, bytes))}`,
      'webhook-id': eventId,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${toBase64(await secret!.signStandardHeader(eventId, timestamp, bytes))}`,
    };
  }

  /** Parses `t=<unix seconds>,v1=<hex>`, with a `v1` for each secret. */
  #serviceClaim(headers: WebhookHeaders): Claim | undefined {
    const parts = (headerOf(headers, this.#signatureHeader) ?? '').split(',').map((part) => part.trim());
    const timestamps = parts.filter((part) => /^t=\d{1,15}$/.test(part)).map((part) => part.slice(2));
    const signatures = parts.filter((part) => /^v1=[0-9a-f]{64}$/.test(part)).map((part) => fromHex(part.slice(3)));
    const [timestamp] = timestamps;
    if (timestamp === undefined || timestamps.length > 1 || signatures.length === 0) return undefined;
    return { timestamp, isValid: (secret, body) => secret.verifyServiceHeader(signatures, timestamp, body) };
  }
}

/** Parses `v1,<base64>`, one for each secret, separated by spaces (Standard Webhooks). */
function standardClaim(headers: WebhookHeaders): Claim | undefined {
  const [id, timestamp = ''] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')];
  const signatures = (headerOf(headers, 'webhook-signature') ?? '')
    .split(' ')
    .filter((part) => /^v1,[A-Za-z0-9+/]{43}=$/.test(part))
    .map((part) => fromBase64(part.slice(3)));
  if (!id || !/^\d{1,15}$/.test(timestamp) || signatures.length === 0) return undefined;
  return { timestamp, isValid: (secret, body) => secret.verifyStandardHeader(signatures, id, timestamp, body) };
}

function eventIn(body: Bytes): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Partial<WebhookEvent> | null;
    if (typeof event?.id !== 'string' || typeof event.type !== 'string') throw new TypeError('The event has no id or type.');
    return event as WebhookEvent;
  } catch (cause) {
    throw new WebhookVerificationError('body_invalid', 'The body has a valid signature but does not contain an event.', {
      cause,
    });
  }
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'object' ? value[0] : value;
}

/** Checks for a method, because a runtime can have several classes named `Headers`. */
const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function';
