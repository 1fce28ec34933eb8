import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery } from '#platform/database';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import { DataSource } from 'typeorm';

/** Deletes the webhooks of purged organizations. Their deliveries stay until retention deletes them. */
@Injectable()
export class PurgedWebhooksQuery extends BaseQuery implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly followers: OrganizationLifecycleHandlers,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.followers.register(this);
  }

  async onPurged(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<void> {
    for (const table of ['webhook_sequences', 'webhook_health', 'webhook_daily_stats', 'webhook_paces']) {
      await this.execute(
        ctx,
        `DELETE FROM ${table} s USING webhooks w
         WHERE w.tenant_id = $1 AND w.organization_id = ANY($2) AND s.tenant_id = w.tenant_id AND s.webhook_id = w.id`,
        [tenantId, ids],
      );
    }
    await this.execute(ctx, 'DELETE FROM webhooks WHERE tenant_id = $1 AND organization_id = ANY($2)', [tenantId, ids]);
  }
}
