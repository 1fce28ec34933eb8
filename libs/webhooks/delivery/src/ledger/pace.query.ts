import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, inTenants, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import type { Pace } from './pace.js';

interface WebhookKey {
  readonly tenantId: string;
  readonly webhookId: string;
}

/** The pace of a webhook, with the time of the database (milliseconds since 1970). */
const CURRENT_PACE = row({
  tenantId: column.text(),
  webhookId: column.text(),
  freeFromMs: column.float(),
  bookedUntilMs: column.float(),
  nowMs: column.float(),
});
export type CurrentPace = RowOf<typeof CURRENT_PACE>;

/** A claimed delivery that is released until its booked time. */
export interface Postponement {
  readonly tenantId: string;
  readonly eventId: string;
  readonly deliveryId: string;
  readonly leaseOwner: string;
  /** The booked time in milliseconds since 1970, or null if the delivery has no booked time yet. */
  readonly bookedForMs: number | null;
}

/** Reads and writes the paces of webhooks with a rate limit. Each webhook has one row, shared by all workers. */
@Injectable()
export class PaceQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Locks paces in the order of the webhooks' IDs, so that workers can't deadlock. The update changes nothing: it locks and returns existing
   * rows and inserts missing rows in one statement.
   */
  async lock(ctx: RequestContext, webhooks: readonly WebhookKey[]): Promise<CurrentPace[]> {
    return this.query(
      ctx,
      CURRENT_PACE,
      `INSERT INTO webhook_paces AS p (tenant_id, webhook_id) SELECT * FROM unnest($1::text[], $2::text[]) AS w (tenant_id, webhook_id)
       ORDER BY 1, 2 ON CONFLICT (tenant_id, webhook_id) DO UPDATE SET free_from = p.free_from
       RETURNING tenant_id AS "tenantId", webhook_id AS "webhookId", extract(epoch FROM free_from)::float8 * 1000 AS "freeFromMs",
         extract(epoch FROM booked_until)::float8 * 1000 AS "bookedUntilMs", extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs"`,
      [webhooks.map(({ tenantId }) => tenantId), webhooks.map(({ webhookId }) => webhookId)],
    );
  }

  async save(ctx: RequestContext, paces: readonly (Pace & WebhookKey)[]): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE webhook_paces p SET free_from = to_timestamp(g.free_from_ms / 1000), booked_until = to_timestamp(g.booked_until_ms / 1000)
       FROM unnest($1::text[], $2::text[], $3::float8[], $4::float8[]) AS g (tenant_id, webhook_id, free_from_ms, booked_until_ms)
       WHERE p.tenant_id = g.tenant_id AND p.webhook_id = g.webhook_id AND ${inTenants('p.tenant_id', '$1')}`,
      [
        paces.map(({ tenantId }) => tenantId),
        paces.map(({ webhookId }) => webhookId),
        paces.map(({ freeFromMs }) => freeFromMs),
        paces.map(({ bookedUntilMs }) => bookedUntilMs),
      ],
    );
  }

  /** Releases deliveries until their booked times. Deliveries without a booked time wait for the sweeper. No attempt is counted. */
  async postpone(ctx: RequestContext, postponements: readonly Postponement[]): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE deliveries d SET next_attempt_at = to_timestamp(g.slot_ms / 1000), slot_at = to_timestamp(g.slot_ms / 1000),
         lease_owner = NULL, lease_until = NULL
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::float8[]) AS g (tenant_id, event_id, id, lease_owner, slot_ms)
       WHERE d.tenant_id = g.tenant_id AND d.event_id = g.event_id AND d.id = g.id AND d.event_id = ANY ($2::text[])
         AND d.lease_owner = g.lease_owner AND d.status = 'pending' AND ${inTenants('d.tenant_id', '$1')}`,
      [
        postponements.map(({ tenantId }) => tenantId),
        postponements.map(({ eventId }) => eventId),
        postponements.map(({ deliveryId }) => deliveryId),
        postponements.map(({ leaseOwner }) => leaseOwner),
        postponements.map(({ bookedForMs }) => bookedForMs),
      ],
    );
  }
}
