import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { type OrganizationFollower, OrganizationFollowers } from '#directory/organizations';
import { DataSource } from 'typeorm';

/** When an organization is purged, its webhooks go with it. Their deliveries stay until retention takes them. */
@Injectable()
export class WebhooksFollowOrganizationsRepository extends SqlRepository implements OrganizationFollower, OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly followers: OrganizationFollowers,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.followers.register(this);
  }

  async onPurged(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<void> {
    for (const table of ['webhook_sequences', 'webhook_health', 'webhook_daily_stats', 'webhook_paces']) {
      await this.query(
        ctx,
        `DELETE FROM ${table} s USING webhooks w
         WHERE w.tenant_id = $1 AND w.organization_id = ANY($2) AND s.tenant_id = w.tenant_id AND s.webhook_id = w.id`,
        [tenantId, ids],
      );
    }
    await this.query(ctx, 'DELETE FROM webhooks WHERE tenant_id = $1 AND organization_id = ANY($2)', [tenantId, ids]);
  }
}
