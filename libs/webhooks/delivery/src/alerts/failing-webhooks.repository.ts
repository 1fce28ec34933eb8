import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';

/** A webhook that nothing has reached for long, with all that a mail about it says. */
export interface FailingWebhook {
  readonly tenantId: string;
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly ancestorIds: readonly string[];
  readonly failingSince: Date | null;
}

const COLUMNS = `w.tenant_id AS "tenantId", w.id, w.name, w.url, w.organization_id AS "organizationId", o.name AS "organizationName",
  o.ancestor_ids AS "ancestorIds", h.failing_since AS "failingSince"`;

const LIVING = `webhook_health h JOIN webhooks w ON w.tenant_id = h.tenant_id AND w.id = h.webhook_id AND w.deleted_at IS NULL
  JOIN organizations o ON o.tenant_id = w.tenant_id AND o.id = w.organization_id AND o.deleted_at IS NULL`;

/** Finds webhooks that have failed for long. What counts is the time from the first to the last of the failures, not silence after it. */
@Injectable()
export class FailingWebhooksRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Those that are on and have only failed for so long; with `unwarned`, only those of which nobody was told. */
  async find(ctx: RequestContext, forMs: number, unwarned: boolean, limit: number): Promise<FailingWebhook[]> {
    return this.query<FailingWebhook>(
      ctx,
      `SELECT ${COLUMNS} FROM ${LIVING}
       WHERE h.failing_since <= now() - $1 * interval '1 ms' AND h.last_delivery_at - h.failing_since >= $1 * interval '1 ms'
         AND w.enabled AND (NOT $2 OR h.warned_at IS NULL) ORDER BY h.failing_since LIMIT $3`,
      [forMs, unwarned, limit],
    );
  }

  async get(ctx: RequestContext, tenantId: string, webhookId: string): Promise<FailingWebhook | null> {
    const [row] = await this.query<FailingWebhook>(
      ctx,
      `SELECT ${COLUMNS} FROM ${LIVING} WHERE h.tenant_id = $1 AND h.webhook_id = $2`,
      [tenantId, webhookId],
    );
    return row ?? null;
  }

  /** Notes that its owners are told; false when they were told already. */
  async markWarned(ctx: RequestContext, { tenantId, id }: FailingWebhook): Promise<boolean> {
    const marked = await this.execute(
      ctx,
      'UPDATE webhook_health SET warned_at = now() WHERE tenant_id = $1 AND webhook_id = $2 AND failing_since IS NOT NULL AND warned_at IS NULL',
      [tenantId, id],
    );
    return marked > 0;
  }
}
