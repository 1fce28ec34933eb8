import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';

/** A webhook whose deliveries have failed for a long time, with the values for an email about it. */
const FAILING = row({
  tenantId: column.text(),
  id: column.text(),
  name: column.text(),
  url: column.text(),
  organizationId: column.text(),
  organizationName: column.text(),
  ancestorIds: column.arrayOf(column.text()),
  failingSince: column.nullable(column.timestamp()),
});
export type FailingWebhook = RowOf<typeof FAILING>;

const COLUMNS = `w.tenant_id AS "tenantId", w.id, w.name, w.url, w.organization_id AS "organizationId", o.name AS "organizationName",
  o.ancestor_ids AS "ancestorIds", h.failing_since AS "failingSince"`;

const FROM_WEBHOOKS = `webhook_health h JOIN webhooks w ON w.tenant_id = h.tenant_id AND w.id = h.webhook_id AND w.deleted_at IS NULL
  JOIN organizations o ON o.tenant_id = w.tenant_id AND o.id = w.organization_id AND o.deleted_at IS NULL`;

/** Finds webhooks whose deliveries have failed for a long time, measured from the first to the last failure. */
@Injectable()
export class FailingWebhooksQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Returns enabled webhooks without a success for `forMs` milliseconds. With `unwarned`, returns only webhooks whose owners were not
   * warned.
   */
  async find(ctx: RequestContext, forMs: number, unwarned: boolean, limit: number): Promise<FailingWebhook[]> {
    return this.query(
      ctx,
      FAILING,
      `SELECT ${COLUMNS} FROM ${FROM_WEBHOOKS}
       WHERE h.failing_since <= now() - $1 * interval '1 ms' AND h.last_delivery_at - h.failing_since >= $1 * interval '1 ms'
         AND w.enabled AND (NOT $2 OR h.warned_at IS NULL) ORDER BY h.failing_since LIMIT $3`,
      [forMs, unwarned, limit],
    );
  }

  async get(ctx: RequestContext, tenantId: string, webhookId: string): Promise<FailingWebhook | null> {
    const [found] = await this.query(
      ctx,
      FAILING,
      `SELECT ${COLUMNS} FROM ${FROM_WEBHOOKS} WHERE h.tenant_id = $1 AND h.webhook_id = $2`,
      [tenantId, webhookId],
    );
    return found ?? null;
  }

  /** Records that the owners are warned. Returns false if the owners were already warned. */
  async markWarned(ctx: RequestContext, { tenantId, id }: FailingWebhook): Promise<boolean> {
    const marked = await this.execute(
      ctx,
      'UPDATE webhook_health SET warned_at = now() WHERE tenant_id = $1 AND webhook_id = $2 AND failing_since IS NOT NULL AND warned_at IS NULL',
      [tenantId, id],
    );
    return marked > 0;
  }
}
