import { SecretUnreadable } from '#platform/crypto';
import { column, row, type RowOf } from '#platform/database';
import type { WebhookSecrets } from '#webhooks/webhooks';
import type { ReceiverTarget, SignedFormat } from '../destinations/index.js';

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
export interface WebhookTarget extends WebhookState, ReceiverTarget {
  /** Maximum number of deliveries per second, or null without a limit. */
  readonly rateLimit: number | null;
}

/** What decides whether a webhook receives deliveries now. */
export interface WebhookState {
  readonly enabled: boolean;
  readonly disabledBy: string | null;
  readonly webhookDeleted: boolean;
  /** Whether the organization of the webhook or an ancestor is suspended: its deliveries wait. */
  readonly suspended: boolean;
}

/** The secrets of a webhook can't be decrypted, most likely because a key was removed from SECRETS_KEY. */
export class SecretsUnreadable {
  constructor(
    readonly webhook: WebhookState,
    readonly cause: SecretUnreadable,
  ) {}
}

/** The columns of `sealedWebhookColumns`. */
export const SEALED_WEBHOOK = {
  id: column.text(),
  url: column.text(),
  format: column.text(),
  secret_sealed: column.text(),
  next_secret_sealed: column.nullable(column.text()),
  next_in_force: column.nullable(column.boolean()),
  headers_sealed: column.nullable(column.text()),
  rate_limit: column.nullable(column.integer()),
  enabled: column.boolean(),
  disabled_by: column.nullable(column.text()),
  deleted: column.boolean(),
  suspended: column.boolean(),
};

/**
 * Returns the condition that the organization of a webhook `w` or an ancestor is suspended. `tenant` is the tenant of the webhook: a parameter
 * if the statement has one, so that Citus uses only the shard of the tenant.
 */
export const isSuspended = (
  tenant = 'w.tenant_id',
): string => `EXISTS (SELECT FROM organizations g CROSS JOIN LATERAL unnest(g.ancestor_ids || g.id) AS a (id)
  JOIN organizations s ON s.tenant_id = g.tenant_id AND s.id = a.id AND s.status = 'suspended'
  WHERE g.tenant_id = ${tenant} AND g.id = w.organization_id)`;

/** Returns the columns of a webhook `w` that a target needs. `tenant` as in `isSuspended`. */
export const sealedWebhookColumns = (
  tenant?: string,
): string => `w.id, w.url, w.format, w.secret_sealed, w.next_secret_sealed, w.next_secret_at <= now() AS next_in_force, w.headers_sealed,
  w.rate_limit, w.enabled, w.disabled_by, w.deleted_at IS NOT NULL AS deleted, ${isSuspended(tenant)} AS suspended`;

const SEALED_WEBHOOK_ROW = row(SEALED_WEBHOOK);
export type SealedWebhook = RowOf<typeof SEALED_WEBHOOK_ROW>;

/** What targets of webhooks are made with. */
export interface TargetParts {
  readonly secrets: WebhookSecrets;
  readonly format: SignedFormat;
}

/** The state of a receiver that is no webhook. */
const ALWAYS_ENABLED = { enabled: true, disabledBy: null, webhookDeleted: false, suspended: false, rateLimit: null };

/** Returns the target of a receiver that is no webhook. */
export const receiverTarget = (target: ReceiverTarget): WebhookTarget => ({ ...ALWAYS_ENABLED, ...target });

/** Decrypts the secrets and headers of a webhook. */
export function webhookTarget({ secrets, format }: TargetParts, webhook: SealedWebhook): WebhookTarget | SecretsUnreadable {
  const state = {
    enabled: webhook.enabled,
    disabledBy: webhook.disabled_by,
    webhookDeleted: webhook.deleted,
    suspended: webhook.suspended,
  };
  try {
    const target = {
      webhookId: webhook.id,
      format: webhook.format,
      secrets: secretsOf(secrets, webhook),
      headers: secrets.openHeaders(webhook.id, webhook.headers_sealed),
    };
    return {
      ...state,
      url: webhook.url,
      encode: (event) => format.encode(event, target),
      rateLimit: webhook.rate_limit,
    };
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    return new SecretsUnreadable(state, error);
  }
}

/** Returns the current secret and, during a rotation, the next secret. Receivers can then verify with either. */
function secretsOf(secrets: WebhookSecrets, webhook: SealedWebhook): [string, ...string[]] {
  const { current, next } = secrets.openAll({
    id: webhook.id,
    secretSealed: webhook.secret_sealed,
    nextSecretSealed: webhook.next_secret_sealed,
    nextSecretInForce: webhook.next_in_force ?? false,
  });
  return next === undefined ? [current] : [current, next];
}
