import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { type InheritedGrant, OrganizationInheritance, type OrganizationInheritanceHandler } from '#directory/organizations';
import { DataSource } from 'typeorm';

const KEY_ROW = row({
  id: column.text(),
  name: column.text(),
  organizationId: column.text(),
  scopes: column.arrayOf(column.text()),
});

/** Reads the API keys of organizations, which also work in the descendants, including disabled keys. */
@Injectable()
export class InheritedApiKeysQuery extends BaseQuery implements OrganizationInheritanceHandler, OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly inheritance: OrganizationInheritance,
    private readonly clock: Clock,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.inheritance.register(this);
  }

  async listGrants(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<InheritedGrant[]> {
    const keys = await this.query(
      ctx,
      KEY_ROW,
      `SELECT id, name, organization_id AS "organizationId", scopes FROM api_keys
       WHERE tenant_id = $1 AND organization_id = ANY ($2) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3) ORDER BY id`,
      [tenantId, organizationIds, this.clock.now()],
    );
    return keys.map(({ id, name, organizationId, scopes }) => ({
      holder: { type: 'api_key', id, name },
      organizationId,
      source: 'api_key',
      permissions: scopes,
    }));
  }
}
