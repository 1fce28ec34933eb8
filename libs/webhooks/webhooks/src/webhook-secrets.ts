import { Injectable } from '@nestjs/common';
import { SecretSealer, WEBHOOK_SECRET_PREFIX } from '#platform/crypto';

/** A webhook's own headers, by name as they were given. */
export type CustomHeaders = Readonly<Record<string, string>>;

/** What stands in place of a header's value wherever headers are shown; sent back, it leaves the value as it is. */
export const MASKED_VALUE = '********';

/** Short secrets would be half told by four characters. */
const TELLING_LENGTH = 16;
const SHOWN_CHARACTERS = 4;

/** A webhook's secrets as they are kept. */
export interface SealedSecrets {
  readonly id: string;
  readonly secretSealed: string;
  readonly nextSecretSealed: string | null;
  readonly nextSecretInForce: boolean;
}

/** Seals and opens what of a webhook must not lie in the database as it is. Sealed text opens for its own webhook only. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly sealer: SecretSealer) {}

  sealSecret(webhookId: string, secret: string): string {
    return this.sealer.seal(secret, secretContext(webhookId));
  }

  /** @throws SecretUnreadable when its key is gone or the text was changed */
  openSecret(webhookId: string, sealed: string): string {
    return this.sealer.open(sealed, secretContext(webhookId));
  }

  /** The secret that signs now, and the one that will. @throws SecretUnreadable as `openSecret` does */
  openAll(webhook: SealedSecrets): { current: string; next?: string } {
    const open = (sealed: string) => this.openSecret(webhook.id, sealed);
    if (webhook.nextSecretSealed === null) return { current: open(webhook.secretSealed) };
    const next = open(webhook.nextSecretSealed);
    return webhook.nextSecretInForce ? { current: next } : { current: open(webhook.secretSealed), next };
  }

  /** Nothing to seal gives nothing. */
  sealHeaders(webhookId: string, headers: CustomHeaders): string | null {
    return Object.keys(headers).length === 0 ? null : this.sealer.seal(JSON.stringify(headers), headersContext(webhookId));
  }

  /** @throws SecretUnreadable as `openSecret` does */
  openHeaders(webhookId: string, sealed: string | null): CustomHeaders {
    return sealed === null ? {} : (JSON.parse(this.sealer.open(sealed, headersContext(webhookId))) as CustomHeaders);
  }
}

/** Enough of a secret to recognise it, too little to use it. */
export function maskedSecret(secret: string): string {
  const prefix = secret.startsWith(WEBHOOK_SECRET_PREFIX) ? WEBHOOK_SECRET_PREFIX : '';
  return `${prefix}…${secret.length >= TELLING_LENGTH ? secret.slice(-SHOWN_CHARACTERS) : ''}`;
}

export const maskedHeaders = (headers: CustomHeaders): CustomHeaders =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, MASKED_VALUE]));

const secretContext = (webhookId: string): string => `webhooks|secret|${webhookId}`;
const headersContext = (webhookId: string): string => `webhooks|headers|${webhookId}`;
