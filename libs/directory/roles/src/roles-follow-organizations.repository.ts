import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { type OrganizationFollower, OrganizationFollowers } from '#directory/organizations';
import { DataSource } from 'typeorm';

/** When an organization is purged, the roles it made go with it. */
@Injectable()
export class RolesFollowOrganizationsRepository extends SqlRepository implements OrganizationFollower, OnModuleInit {
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
    await this.query(ctx, 'DELETE FROM roles WHERE tenant_id = $1 AND organization_id = ANY($2)', [tenantId, ids]);
  }
}
