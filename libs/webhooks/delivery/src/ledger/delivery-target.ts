import { column } from '#platform/database';
import type { CustomHeaders, WebhookSecrets } from '#webhooks/webhooks';

/** The current destination and payload of a delivery. */
export interface DeliveryTarget extends WebhookTarget {
  /** Null if retention deleted the event. */
  readonly payload: string | null;
  /** The trace context of the request that published the event, or null if tracing was disabled. */
  readonly traceparent: string | null;
  /** Whether this delivery is a probe: it is attempted although the webhook is disabled, to check whether the destination works again. */
  readonly probe: boolean;
}

/** The part of a target that all deliveries of a webhook share. */
export interface WebhookTarget {
  readonly url: string;
  readonly secrets: readonly [string, ...string[]];
  readonly headers: CustomHeaders;
  /** Maximum number of deliveries per second, or null without a limit. */
  readonly rateLimit: number | null;
  readonly enabled: boolean;
  readonly disabledBy: string | null;
  readonly webhookDeleted: boolean;
}

/** The secrets of a webhook can't be decrypted, most likely because a key was removed from SECRETS_KEY. */
export class SecretsUnreadable {
  constructor(readonly cause: unknown) {}
}

/** The columns of `SEALED_WEBHOOK_COLUMNS`. */
export const SEALED_WEBHOOK = {
  id: column.text(),
  url: column.text(),
  secret_sealed: column.text(),
  next_secret_sealed: column.nullable(column.text()),
  next_in_force: column.nullable(column.boolean()),
  headers_sealed: column.nullable(column.text()),
  rate_limit: column.nullable(column.integer()),
  enabled: column.boolean(),
  disabled_by: column.nullable(column.text()),
  deleted: column.boolean(),
};

/** The columns of a webhook `w` that a target needs. */
export const SEALED_WEBHOOK_COLUMNS = `w.id, w.url, w.secret_sealed, w.next_secret_sealed, w.next_secret_at <= now() AS next_in_force, w.headers_sealed,
  w.rate_limit, w.enabled, w.disabled_by, w.deleted_at IS NOT NULL AS deleted`;

export interface SealedWebhook {
  readonly id: string;
  readonly url: string;
  readonly secret_sealed: string;
  readonly next_secret_sealed: string | null;
  readonly next_in_force: boolean | null;
  readonly headers_sealed: string | null;
  readonly rate_limit: number | null;
  readonly enabled: boolean;
  readonly disabled_by: string | null;
  readonly deleted: boolean;
}

/** Decrypts the secrets and headers of a webhook. */
export function webhookTarget(secrets: WebhookSecrets, row: SealedWebhook): WebhookTarget | SecretsUnreadable {
  try {
    return {
      url: row.url,
      secrets: secretsOf(secrets, row),
      headers: secrets.openHeaders(row.id, row.headers_sealed),
      rateLimit: row.rate_limit,
      enabled: row.enabled,
      disabledBy: row.disabled_by,
      webhookDeleted: row.deleted,
    };
  } catch (error) {
    return new SecretsUnreadable(error);
  }
}

/** Returns the current secret and, during a rotation, the next secret. Receivers can then verify with either. */
function secretsOf(secrets: WebhookSecrets, row: SealedWebhook): [string, ...string[]] {
  const open = (sealed: string) => secrets.openSecret(row.id, sealed);
  if (row.next_secret_sealed === null) return [open(row.secret_sealed)];
  return row.next_in_force ? [open(row.next_secret_sealed)] : [open(row.secret_sealed), open(row.next_secret_sealed)];
}
