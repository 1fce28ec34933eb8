import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import type { LossAuthorization } from '#directory/privileges';
import { RoleQuery } from './role.query.js';

/** Deletes the roles of purged organizations. */
@Injectable()
export class RolePurgeService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly roleQuery: RoleQuery,
    private readonly handlers: OrganizationLifecycleHandlers,
  ) {}

  onModuleInit(): void {
    this.handlers.register(this);
  }

  async onPurged(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    loss: LossAuthorization,
  ): Promise<void> {
    await this.roleQuery.deleteByOrganizations(ctx, tenantId, organizationIds, loss);
  }
}
