import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { GainAuthorization, LossAuthorization } from '#directory/privileges';
import { Any, In, Repository } from 'typeorm';
import { tenantIdsOf, type UserInTenants } from './directory-user.js';
import { Membership } from './membership.entity.js';

type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId'>;

@Injectable()
export class MembershipRepository extends BaseRepository<Membership> {
  constructor(@InjectRepository(Membership) memberships: Repository<Membership>) {
    super(memberships);
  }

  find(ctx: RequestContext, { tenantId, id }: OrganizationRef, userId: string): Promise<Membership | null> {
    return this.findByKey(ctx, { tenantId, organizationId: id, userId });
  }

  async mapByUser(
    ctx: RequestContext,
    { tenantId, id }: OrganizationRef,
    userIds: readonly string[],
  ): Promise<Map<string, Membership>> {
    const memberships = await this.rows(ctx).findBy({ tenantId, organizationId: id, userId: In([...userIds]) });
    return new Map(memberships.map((membership) => [membership.userId, membership]));
  }

  /** Returns the memberships of several users in several organizations. */
  listOfUsers(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    userIds: readonly string[],
  ): Promise<Membership[]> {
    return this.rows(ctx).findBy({ tenantId, organizationId: In([...organizationIds]), userId: In([...userIds]) });
  }

  insertAllDeferred(ctx: RequestContext, memberships: readonly Membership[], _gain: GainAuthorization): void {
    this.insertDeferred(ctx, memberships);
  }

  async save(ctx: RequestContext, membership: Membership, _gain: GainAuthorization): Promise<void> {
    await this.saveRow(ctx, membership);
  }

  async delete(ctx: RequestContext, { tenantId, id }: OrganizationRef, userId: string, _loss: LossAuthorization): Promise<void> {
    await this.deleteRows(ctx, { tenantId, organizationId: id, userId });
  }

  /** Deletes the memberships of a user in all tenants. */
  async deleteOfUser(ctx: RequestContext, user: UserInTenants, _loss: LossAuthorization): Promise<void> {
    await this.deleteRows(ctx, { tenantId: Any(tenantIdsOf(user)), userId: user.id });
  }
}
