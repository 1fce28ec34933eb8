import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import { OrganizationFollowingQuery } from './organization-following.query.js';

/**
 * Removes the users that a deleted organization manages from the directories and counts of other organizations. A restore of the
 * organization adds the users again.
 */
@Injectable()
export class OrganizationFollowingService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly followers: OrganizationLifecycleHandlers,
    private readonly following: OrganizationFollowingQuery,
  ) {}

  onModuleInit(): void {
    this.followers.register(this);
  }

  async onDeleted(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    await this.following.markUsersDeleted(ctx, tenantId, organizationIds);
  }

  async onRestored(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    await this.following.markUsersRestored(ctx, tenantId, organizationIds);
  }

  async onPurged(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    await this.following.deleteRows(ctx, tenantId, organizationIds);
  }
}
