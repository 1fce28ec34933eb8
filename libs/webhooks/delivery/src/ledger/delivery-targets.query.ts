import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, inTenants, row, type RowOf } from '#platform/database';
import { WebhookSecrets } from '#webhooks/webhooks';
import { DataSource } from 'typeorm';
import { ReceiverKinds, SignedFormat } from '../destinations/index.js';
import {
  type DeliveryTarget,
  receiverTarget,
  SEALED_WEBHOOK,
  sealedWebhookColumns,
  SecretsUnreadable,
  type TargetParts,
  type WebhookTarget,
  webhookTarget,
} from './delivery-target.js';

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

const WEBHOOK = row({ ...SEALED_WEBHOOK, probed_id: column.nullable(column.text()) });

/** A webhook with the ID of the delivery that is attempted although the webhook is disabled. */
interface FoundWebhook {
  readonly target: WebhookTarget | SecretsUnreadable;
  readonly probedId: string | null;
}

/** Reads the events and webhooks that attempts need. */
@Injectable()
export class DeliveryTargetsQuery extends BaseQuery {
  private readonly parts: TargetParts;

  constructor(
    dataSource: DataSource,
    secrets: WebhookSecrets,
    format: SignedFormat,
    private readonly receivers: ReceiverKinds,
  ) {
    super(dataSource);
    this.parts = { secrets, format };
  }

  /**
   * Returns the targets in the order of the keys, with null for a webhook that does not exist. Reads and decrypts each webhook and each
   * payload only once for all deliveries that share it.
   */
  async findAll(ctx: RequestContext, keys: readonly TargetKey[]): Promise<(DeliveryTarget | SecretsUnreadable | null)[]> {
    const [webhooks, payloads] = await Promise.all([this.findReceivers(ctx, keys), this.findPayloads(ctx, keys)]);
    return keys.map(({ eventId, webhookId, deliveryId }) => {
      const webhook = webhooks.get(webhookId);
      if (!webhook) return null;
      const { target, probedId } = webhook;
      if (target instanceof SecretsUnreadable) return target;
      const { payload = null, traceparent = null } = payloads.get(eventId) ?? {};
      return { ...target, payload, traceparent, probe: probedId !== null && probedId === deliveryId };
    });
  }

  /** Returns the webhooks and other receivers by id. */
  private async findReceivers(ctx: RequestContext, keys: readonly TargetKey[]): Promise<Map<string, FoundWebhook>> {
    const others = keys.filter(({ webhookId }) => this.receivers.includes(webhookId));
    if (others.length === 0) return this.findWebhooks(ctx, keys);
    const [webhooks, targets] = await Promise.all([
      others.length === keys.length ? [] : this.findWebhooks(ctx, keys),
      this.receivers.findTargets(
        ctx,
        others.map(({ tenantId, webhookId: id }) => ({ tenantId, id })),
      ),
    ]);
    const found = [...targets].map(([id, target]) => [id, { target: receiverTarget(target), probedId: null }] as const);
    return new Map([...webhooks, ...found]);
  }

  private async findWebhooks(ctx: RequestContext, keys: readonly TargetKey[]): Promise<Map<string, FoundWebhook>> {
    const webhookKeys = [...new Map(keys.map((key) => [key.webhookId, key])).values()];
    const rows = await this.query(
      ctx,
      WEBHOOK,
      `SELECT ${sealedWebhookColumns()}, CASE WHEN NOT w.enabled AND w.disabled_by = 'failures' THEN h.probe_delivery_id END AS probed_id
       FROM unnest($1::text[], $2::text[]) AS j (tenant_id, id)
       JOIN webhooks w ON w.tenant_id = j.tenant_id AND w.id = j.id
       LEFT JOIN webhook_health h ON h.tenant_id = w.tenant_id AND h.webhook_id = w.id
       WHERE ${inTenants('w.tenant_id', '$1')}`,
      [webhookKeys.map(({ tenantId }) => tenantId), webhookKeys.map(({ webhookId }) => webhookId)],
      { prepared: true },
    );
    return new Map(rows.map((row) => [row.id, { target: webhookTarget(this.parts, row), probedId: row.probed_id }]));
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
}
