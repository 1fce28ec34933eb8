import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import { OAuthClientQuery } from './clients/oauth-client.query.js';
import { OAuthGrantQuery } from './grants/oauth-grant.query.js';
import { OAuthResourceQuery } from './resources/oauth-resource.query.js';

/** Deletes the grants, clients and resources of purged organizations, in the transaction of the purge. */
@Injectable()
export class PurgedOrganizationsService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly clientQuery: OAuthClientQuery,
    private readonly grantQuery: OAuthGrantQuery,
    private readonly resourceQuery: OAuthResourceQuery,
    private readonly lifecycleHandlers: OrganizationLifecycleHandlers,
  ) {}

  onModuleInit(): void {
    this.lifecycleHandlers.register(this);
  }

  async onPurged(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    await this.grantQuery.deleteOfOrganizations(ctx, tenantId, organizationIds);
    await this.clientQuery.deleteOfOrganizations(ctx, tenantId, organizationIds);
    await this.resourceQuery.deleteOfOrganizations(ctx, tenantId, organizationIds);
  }
}
