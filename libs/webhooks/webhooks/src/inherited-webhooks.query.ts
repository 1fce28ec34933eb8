import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { type InheritedWebhook, OrganizationInheritance, type OrganizationInheritanceHandler } from '#directory/organizations';
import { DataSource } from 'typeorm';

const WEBHOOK_ROW = row({ id: column.text(), name: column.text(), organizationId: column.text() });

/** Reads the webhooks that receive the events of descendants, including disabled webhooks. */
@Injectable()
export class InheritedWebhooksQuery extends BaseQuery implements OrganizationInheritanceHandler, OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly inheritance: OrganizationInheritance,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.inheritance.register(this);
  }

  listWebhooks(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<InheritedWebhook[]> {
    return this.query(
      ctx,
      WEBHOOK_ROW,
      `SELECT id, name, organization_id AS "organizationId" FROM webhooks
       WHERE tenant_id = $1 AND organization_id = ANY ($2) AND include_descendants AND deleted_at IS NULL ORDER BY id`,
      [tenantId, organizationIds],
    );
  }
}
