import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, permissionsOfScope, type RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import { BaseQuery, column, row } from '#platform/database';
import { type InheritedGrant, OrganizationInheritance, type OrganizationInheritanceHandler } from '#directory/organizations';
import { DataSource } from 'typeorm';

const CLIENT_ROW = row({
  id: column.text(),
  name: column.text(),
  organizationId: column.text(),
  scopes: column.json<string[]>(),
});

/** Reads the machine clients of organizations whose tokens also work in the descendants, including disabled clients. */
@Injectable()
export class InheritedClientsQuery extends BaseQuery implements OrganizationInheritanceHandler, OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly inheritance: OrganizationInheritance,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.inheritance.register(this);
  }

  async listGrants(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<InheritedGrant[]> {
    const clients = await this.query(
      ctx,
      CLIENT_ROW,
      `SELECT id, name, organization_id AS "organizationId", resource_scopes -> $4 AS scopes FROM oauth_clients
       WHERE tenant_id = $1 AND organization_id = ANY ($2) AND (expires_at IS NULL OR expires_at > $3)
         AND 'client_credentials' = ANY (grant_types) AND resource_scopes ? $4 ORDER BY id`,
      [tenantId, organizationIds, this.clock.now(), this.config.baseUrl],
    );
    return clients.map(({ id, name, organizationId, scopes }) => ({
      holder: { type: 'oauth_client', id, name },
      organizationId,
      source: 'oauth_client',
      permissions: scopes.flatMap(permissionsOfScope),
    }));
  }
}
