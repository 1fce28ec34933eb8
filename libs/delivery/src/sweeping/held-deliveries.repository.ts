import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#common';
import { BaseRepository } from '#database';
import { DataSource } from 'typeorm';

const WEBHOOKS_MAX = 500;

/** Deliveries that wait for their webhook to be switched on again. */
@Injectable()
export class HeldDeliveriesRepository extends BaseRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Webhooks with waiting deliveries that need not wait any longer: switched on, switched off by hand, or deleted. */
  async releasableWebhooks(ctx: RequestContext): Promise<{ tenantId: string; webhookId: string }[]> {
    return this.query(
      ctx,
      `WITH RECURSIVE holding AS (
         (SELECT tenant_id, webhook_id, 1 AS hops FROM deliveries WHERE status = 'pending' AND next_attempt_at IS NULL
          ORDER BY tenant_id, webhook_id LIMIT 1)
         UNION ALL
         SELECT next.tenant_id, next.webhook_id, h.hops + 1 FROM holding h CROSS JOIN LATERAL (
           SELECT d.tenant_id, d.webhook_id FROM deliveries d WHERE d.status = 'pending' AND d.next_attempt_at IS NULL
             AND (d.tenant_id, d.webhook_id) > (h.tenant_id, h.webhook_id) ORDER BY d.tenant_id, d.webhook_id LIMIT 1
         ) next WHERE h.hops < ${WEBHOOKS_MAX}
       )
       SELECT h.tenant_id AS "tenantId", h.webhook_id AS "webhookId" FROM holding h
       JOIN webhooks w ON w.tenant_id = h.tenant_id AND w.id = h.webhook_id
       JOIN organizations o ON o.tenant_id = w.tenant_id AND o.id = w.organization_id
       WHERE w.enabled OR w.disabled_by = 'hand' OR w.deleted_at IS NOT NULL OR o.deleted_at IS NOT NULL`,
    );
  }

  /** Makes the oldest of them due. */
  async release(ctx: RequestContext, tenantId: string, webhookId: string, limit: number): Promise<number> {
    return this.execute(
      ctx,
      `UPDATE deliveries d SET next_attempt_at = now() FROM (
         SELECT event_id, id FROM deliveries
         WHERE tenant_id = $1 AND webhook_id = $2 AND status = 'pending' AND next_attempt_at IS NULL ORDER BY id LIMIT $3
       ) held
       WHERE d.tenant_id = $1 AND d.event_id = held.event_id AND d.id = held.id AND d.status = 'pending' AND d.next_attempt_at IS NULL`,
      [tenantId, webhookId, limit],
    );
  }
}
