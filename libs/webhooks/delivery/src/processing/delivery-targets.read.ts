import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { type CustomHeaders, WebhookSecrets } from '#webhooks/webhooks';
import { DataSource } from 'typeorm';

/** Where a delivery goes and what it carries, as things stand now. */
export interface DeliveryTarget {
  /** Null when the event is past its retention. */
  readonly payload: string | null;
  /** The span that the event came from, if traces were on. */
  readonly traceparent: string | null;
  readonly url: string;
  readonly secrets: readonly [string, ...string[]];
  readonly headers: CustomHeaders;
  /** Deliveries per second; null without a limit. */
  readonly rateLimit: number | null;
  readonly enabled: boolean;
  readonly disabledBy: string | null;
  /** Whether this delivery is the one that may be tried though the webhook is switched off. */
  readonly probe: boolean;
  readonly webhookDeleted: boolean;
}

export interface TargetKey {
  readonly tenantId: string;
  readonly eventId: string;
  readonly webhookId: string;
  /** Absent for a test, which is not written down before it is sent. */
  readonly deliveryId?: string;
}

/** Reads all that an attempt needs of events and webhooks. */
@Injectable()
export class DeliveryTargetsRead extends SqlRepository {
  constructor(
    dataSource: DataSource,
    private readonly secrets: WebhookSecrets,
  ) {
    super(dataSource);
  }

  /**
   * In the order of the keys; null where there is no such webhook, or where its secret can't be opened. Each webhook and each payload is
   * read and opened once, however many deliveries share it.
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
    const rows = await this.prepared<WebhookRow>(
      ctx,
      `SELECT w.id, w.url, w.secret_sealed, w.next_secret_sealed, w.next_secret_at <= now() AS next_in_force, w.headers_sealed,
         w.rate_limit, w.enabled, w.disabled_by, w.deleted_at IS NOT NULL AS deleted,
         CASE WHEN NOT w.enabled AND w.disabled_by = 'failures' THEN h.probe_delivery_id END AS probed_id
       FROM unnest($1::text[], $2::text[]) AS j (tenant_id, id)
       JOIN webhooks w ON w.tenant_id = j.tenant_id AND w.id = j.id
       LEFT JOIN webhook_health h ON h.tenant_id = w.tenant_id AND h.webhook_id = w.id`,
      [wanted.map(({ tenantId }) => tenantId), wanted.map(({ webhookId }) => webhookId)],
    );
    return new Map(rows.map((row) => [row.id, this.targetOf(row)]));
  }

  /** By id, which is unique over all tenants; without a join, so that one plan serves few and many. */
  private async findPayloads(ctx: RequestContext, keys: readonly TargetKey[]): Promise<Map<string, EventRow>> {
    const tenantOf = new Map(keys.map(({ eventId, tenantId }) => [eventId, tenantId]));
    const rows = await this.prepared<EventRow>(
      ctx,
      'SELECT tenant_id, id, payload, traceparent FROM events WHERE tenant_id = ANY ($1::text[]) AND id = ANY ($2::text[])',
      [[...new Set(tenantOf.values())], [...tenantOf.keys()]],
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

  /** While a secret is being replaced, the old one signs, and receivers can check with either. */
  private secretsOf(row: WebhookRow): [string, ...string[]] {
    const open = (sealed: string) => this.secrets.openSecret(row.id, sealed);
    if (row.next_secret_sealed === null) return [open(row.secret_sealed)];
    return row.next_in_force ? [open(row.next_secret_sealed)] : [open(row.secret_sealed), open(row.next_secret_sealed)];
  }
}

/** A webhook's secret or headers can't be opened, most likely since a key was taken out of SECRETS_KEY. */
export class SecretsUnreadable {
  constructor(readonly cause: unknown) {}
}

/** What of a target is the same for all deliveries of a webhook; `probedId` is the one that may be tried though it is switched off. */
type WebhookTarget = Omit<DeliveryTarget, 'payload' | 'traceparent' | 'probe'> & { readonly probedId: string | null };

interface EventRow {
  tenant_id: string;
  id: string;
  payload: string;
  traceparent: string | null;
}

interface WebhookRow {
  id: string;
  url: string;
  secret_sealed: string;
  next_secret_sealed: string | null;
  next_in_force: boolean | null;
  headers_sealed: string | null;
  rate_limit: number | null;
  enabled: boolean;
  disabled_by: string | null;
  deleted: boolean;
  probed_id: string | null;
}
