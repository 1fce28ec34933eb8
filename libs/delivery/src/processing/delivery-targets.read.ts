import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#common';
import { BaseRepository } from '#database';
import { type CustomHeaders, WebhookSecrets } from '#webhooks';
import { DataSource } from 'typeorm';

/** Where a delivery goes and what it carries, as things stand now. */
export interface DeliveryTarget {
  /** Null when the event is past its retention. */
  readonly payload: string | null;
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
export class DeliveryTargetsRead extends BaseRepository {
  constructor(
    dataSource: DataSource,
    private readonly secrets: WebhookSecrets,
  ) {
    super(dataSource);
  }

  /** In the order of the keys; null where there is no such webhook, or where its secret can't be opened. */
  async findAll(ctx: RequestContext, keys: readonly TargetKey[]): Promise<(DeliveryTarget | SecretsUnreadable | null)[]> {
    const rows = await this.query<TargetRow>(
      ctx,
      `SELECT j.number::int AS number, e.payload, w.id AS webhook_id, w.url, w.secret_sealed, w.next_secret_sealed,
         w.next_secret_at <= now() AS next_in_force, w.headers_sealed, w.rate_limit, w.enabled, w.disabled_by,
         COALESCE(NOT w.enabled AND w.disabled_by = 'failures' AND h.probe_delivery_id = j.delivery_id, false) AS probe,
         w.deleted_at IS NOT NULL AS webhook_deleted
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS j (tenant_id, event_id, webhook_id, delivery_id, number)
       JOIN webhooks w ON w.tenant_id = j.tenant_id AND w.id = j.webhook_id
       LEFT JOIN webhook_health h ON h.tenant_id = w.tenant_id AND h.webhook_id = w.id
       LEFT JOIN events e ON e.tenant_id = j.tenant_id AND e.id = j.event_id AND e.id = ANY ($2::text[])`,
      [
        keys.map(({ tenantId }) => tenantId),
        keys.map(({ eventId }) => eventId),
        keys.map(({ webhookId }) => webhookId),
        keys.map(({ deliveryId }) => deliveryId ?? null),
      ],
    );
    const found = new Map(rows.map((row) => [row.number, this.targetOf(row)]));
    return keys.map((_, index) => found.get(index + 1) ?? null);
  }

  private targetOf(row: TargetRow): DeliveryTarget | SecretsUnreadable {
    try {
      return {
        payload: row.payload,
        url: row.url,
        secrets: this.secretsOf(row),
        headers: this.secrets.openHeaders(row.webhook_id, row.headers_sealed),
        rateLimit: row.rate_limit,
        enabled: row.enabled,
        disabledBy: row.disabled_by,
        probe: row.probe,
        webhookDeleted: row.webhook_deleted,
      };
    } catch (error) {
      return new SecretsUnreadable(error);
    }
  }

  /** While a secret is being replaced, the old one signs, and receivers can check with either. */
  private secretsOf(row: TargetRow): [string, ...string[]] {
    const open = (sealed: string) => this.secrets.openSecret(row.webhook_id, sealed);
    if (row.next_secret_sealed === null) return [open(row.secret_sealed)];
    return row.next_in_force ? [open(row.next_secret_sealed)] : [open(row.secret_sealed), open(row.next_secret_sealed)];
  }
}

/** A webhook's secret or headers can't be opened, most likely since a key was taken out of SECRETS_KEY. */
export class SecretsUnreadable {
  constructor(readonly cause: unknown) {}
}

interface TargetRow {
  number: number;
  payload: string | null;
  webhook_id: string;
  url: string;
  secret_sealed: string;
  next_secret_sealed: string | null;
  next_in_force: boolean | null;
  headers_sealed: string | null;
  rate_limit: number | null;
  enabled: boolean;
  disabled_by: string | null;
  probe: boolean;
  webhook_deleted: boolean;
}
