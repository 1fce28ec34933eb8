import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import type { LossAuthorization } from '#directory/privileges';
import { DirectoryLifecycleQuery } from './directory-lifecycle.query.js';

/**
 * Removes users from the directories and counts of other organizations after the deletion of the managing organization. A restore adds the
 * users again.
 */
@Injectable()
export class DirectoryLifecycleService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly lifecycleHandlers: OrganizationLifecycleHandlers,
    private readonly directoryLifecycle: DirectoryLifecycleQuery,
  ) {}

  onModuleInit(): void {
    this.lifecycleHandlers.register(this);
  }

  async onDeleted(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    loss: LossAuthorization,
  ): Promise<void> {
    await this.directoryLifecycle.markUsersDeleted(ctx, tenantId, organizationIds, loss);
  }

  async onRestored(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    loss: LossAuthorization,
  ): Promise<void> {
    await this.directoryLifecycle.markUsersRestored(ctx, tenantId, organizationIds, loss);
  }

  async onPurged(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    loss: LossAuthorization,
  ): Promise<void> {
    await this.directoryLifecycle.deleteRows(ctx, tenantId, organizationIds, loss);
  }
}
