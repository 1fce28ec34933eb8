import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource, In } from 'typeorm';
import { Membership } from './membership.entity.js';

/** Reads memberships across organizations. */
@Injectable()
export class MembershipReads extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** The memberships of several users in one organization, by user id. */
  async ofUsers(
    ctx: RequestContext,
    place: Pick<OrganizationScope, 'id' | 'tenantId'>,
    userIds: readonly string[],
  ): Promise<Map<string, Membership>> {
    const found = await this.rows(ctx, Membership).findBy({
      tenantId: place.tenantId,
      organizationId: place.id,
      userId: In([...userIds]),
    });
    return new Map(found.map((membership) => [membership.userId, membership]));
  }
}
