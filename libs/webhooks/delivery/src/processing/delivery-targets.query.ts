import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { type CustomHeaders, WebhookSecrets } from '#webhooks/webhooks';
import { DataSource } from 'typeorm';

/** The current destination and payload of a delivery. */
export interface DeliveryTarget {
  /** Null if retention deleted the event. */
  readonly payload: string | null;
  /** The trace context of the request that published the event, or null if tracing was disabled. */
  readonly traceparent: string | null;
  readonly url: string;
  readonly secrets: readonly [string, ...string[]];
  readonly headers: CustomHeaders;
  /** Maximum number of deliveries per second, or null without a limit. */
  readonly rateLimit: number | null;
  readonly enabled: boolean;
  readonly disabledBy: string | null;
  /** Whether this delivery is a probe: it is attempted although the webhook is disabled, to check whether the destination works again. */
  readonly probe: boolean;
  readonly webhookDeleted: boolean;
}

export interface TargetKey {
  readonly tenantId: string;
  readonly eventId: string;
  readonly webhookId: string;
  /** Absent for a test delivery, which is stored after it was sent. */
  readonly deliveryId?: string;
}

const EVENT = row({
  tenant_id: column.text(),
  id: column.text(),
  payload: column.text(),
  traceparent: column.nullable(column.text()),
});
type EventRow = RowOf<typeof EVENT>;

const WEBHOOK = row({
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
  probed_id: column.nullable(column.text()),
});
type WebhookRow = RowOf<typeof WEBHOOK>;

/** Reads the events and webhooks that attempts need. */
@Injectable()
export class DeliveryTargetsQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly secrets: WebhookSecrets,
  ) {
    super(dataSource);
  }

  /**
   * Returns the targets in the order of the keys, with null for a webhook that does not exist. Reads and decrypts each webhook and each
   * payload only once for all deliveries that share it.
   */
  async findAll(ctx: RequestContext, keys: readonly TargetKey[]): Promise<(DeliveryTarget | SecretsUnreadable | null)[]> {
    const [webhooks, payloads] = await Promise.all([this.findWebhooks(ctx, keys), this.findPayloads(ctx, keys)]);
    return keys.map(({ eventId, webhookId, deliveryId }) => {
      const webhook = webhooks.get(webhookId);
      if (!webhook || webhook instanceof SecretsUnreadable) return webhook ?? null;
      const { probedId, ...target } = webhook;
      const probe = probedId !== null && probedId === deliveryId;
      const { payload = null, traceparent = null } = payloads.get(eventId) ?? {};
      return { ...target, payload, traceparent, probe };
    });
  }

  private async findWebhooks(
    ctx: RequestContext,
    keys: readonly TargetKey[],
  ): Promise<Map<string, WebhookTarget | SecretsUnreadable>> {
    const wanted = [...new Map(keys.map((key) => [key.webhookId, key])).values()];
    const rows = await this.query(
      ctx,
      WEBHOOK,
      `SELECT w.id, w.url, w.secret_sealed, w.next_secret_sealed, w.next_secret_at <= now() AS next_in_force, w.headers_sealed,
         w.rate_limit, w.enabled, w.disabled_by, w.deleted_at IS NOT NULL AS deleted,
         CASE WHEN NOT w.enabled AND w.disabled_by = 'failures' THEN h.probe_delivery_id END AS probed_id
       FROM unnest($1::text[], $2::text[]) AS j (tenant_id, id)
       JOIN webhooks w ON w.tenant_id = j.tenant_id AND w.id = j.id
       LEFT JOIN webhook_health h ON h.tenant_id = w.tenant_id AND h.webhook_id = w.id`,
      [wanted.map(({ tenantId }) => tenantId), wanted.map(({ webhookId }) => webhookId)],
      { prepared: true },
    );
    return new Map(rows.map((row) => [row.id, this.targetOf(row)]));
  }

  /**
   * Returns the payloads by event ID. IDs are unique across tenants, and a query without a join has a good plan for any number of events.
   */
  private async findPayloads(ctx: RequestContext, keys: readonly TargetKey[]): Promise<Map<string, EventRow>> {
    const tenantOf = new Map(keys.map(({ eventId, tenantId }) => [eventId, tenantId]));
    const rows = await this.query(
      ctx,
      EVENT,
      'SELECT tenant_id, id, payload, traceparent FROM events WHERE tenant_id = ANY ($1::text[]) AND id = ANY ($2::text[])',
      [[...new Set(tenantOf.values())], [...tenantOf.keys()]],
      { prepared: true },
    );
    const own = rows.filter(({ id, tenant_id: tenantId }) => tenantOf.get(id) === tenantId);
    return new Map(own.map((row) => [row.id, row]));
  }

  private targetOf(row: WebhookRow): WebhookTarget | SecretsUnreadable {
    try {
      return {
        url: row.url,
        secrets: this.secretsOf(row),
        headers: this.secrets.openHeaders(row.id, row.headers_sealed),
        rateLimit: row.rate_limit,
        enabled: row.enabled,
        disabledBy: row.disabled_by,
        webhookDeleted: row.deleted,
        probedId: row.probed_id,
      };
    } catch (error) {
      return new SecretsUnreadable(error);
    }
  }

  /** Returns the current secret and, during a rotation, the next secret. Receivers can then verify with either. */
  private secretsOf(row: WebhookRow): [string, ...string[]] {
    const open = (sealed: string) => this.secrets.openSecret(row.id, sealed);
    if (row.next_secret_sealed === null) return [open(row.secret_sealed)];
    return row.next_in_force ? [open(row.next_secret_sealed)] : [open(row.secret_sealed), open(row.next_secret_sealed)];
  }
}

/** The secret or headers of a webhook can't be decrypted, most likely because a key was removed from SECRETS_KEY. */
export class SecretsUnreadable {
  constructor(readonly cause: unknown) {}
}

/**
 * The part of a target that all deliveries of a webhook share. `probedId` is the delivery that is attempted although the webhook is
 * disabled.
 */
type WebhookTarget = Omit<DeliveryTarget, 'payload' | 'traceparent' | 'probe'> & { readonly probedId: string | null };
