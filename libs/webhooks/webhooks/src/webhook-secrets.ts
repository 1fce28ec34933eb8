import { Injectable } from '@nestjs/common';
import { SecretSealer, WEBHOOK_SECRET_PREFIX } from '#platform/crypto';

/** The custom headers of a webhook, with names in their original case. */
export type CustomHeaders = Readonly<Record<string, string>>;

/** The value of headers in responses. A request with this value keeps the previous value. */
export const MASKED_VALUE = '********';

/** Minimum length of a secret whose last characters are shown. For a shorter secret, the characters would reveal too much. */
const PREVIEW_MIN_LENGTH = 16;
const PREVIEW_CHARACTERS = 4;

export interface SealedSecrets {
  readonly id: string;
  readonly secretSealed: string;
  readonly nextSecretSealed: string | null;
  readonly nextSecretInForce: boolean;
}

/**
 * Encrypts and decrypts the secrets and headers of webhooks. Text that was encrypted for a webhook can't be decrypted for another
 * webhook.
 */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly sealer: SecretSealer) {}

  sealSecret(webhookId: string, secret: string): string {
    return this.sealer.seal(secret, secretContext(webhookId));
  }

  /** Decrypts a secret. @throws SecretUnreadable if the encryption key was removed or the text was changed */
  openSecret(webhookId: string, sealed: string): string {
    return this.sealer.open(sealed, secretContext(webhookId));
  }

  /** Returns the current secret and, during a rotation, the next secret. @throws SecretUnreadable */
  openAll(webhook: SealedSecrets): { current: string; next?: string } {
    const open = (sealed: string) => this.openSecret(webhook.id, sealed);
    if (webhook.nextSecretSealed === null) return { current: open(webhook.secretSealed) };
    const next = open(webhook.nextSecretSealed);
    return webhook.nextSecretInForce ? { current: next } : { current: open(webhook.secretSealed), next };
  }

  /** Encrypts headers. Returns null if there are no headers. */
  sealHeaders(webhookId: string, headers: CustomHeaders): string | null {
    return Object.keys(headers).length === 0 ? null : this.sealer.seal(JSON.stringify(headers), headersContext(webhookId));
  }

  /** Decrypts headers. @throws SecretUnreadable */
  openHeaders(webhookId: string, sealed: string | null): CustomHeaders {
    return sealed === null ? {} : (JSON.parse(this.sealer.open(sealed, headersContext(webhookId))) as CustomHeaders);
  }
}

/** Returns the prefix and, of a long secret, the last characters. */
export function maskedSecret(secret: string): string {
  const prefix = secret.startsWith(WEBHOOK_SECRET_PREFIX) ? WEBHOOK_SECRET_PREFIX : '';
  return `${prefix}…${secret.length >= PREVIEW_MIN_LENGTH ? secret.slice(-PREVIEW_CHARACTERS) : ''}`;
}

export const maskedHeaders = (headers: CustomHeaders): CustomHeaders =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, MASKED_VALUE]));

const secretContext = (webhookId: string): string => `webhooks|secret|${webhookId}`;
const headersContext = (webhookId: string): string => `webhooks|headers|${webhookId}`;
