import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { LossAuthorization, PolicyAuthorization } from '#directory/privileges';
import { ArrayContains, IsNull, Repository } from 'typeorm';
import { Organization } from './organization.entity.js';

type OrganizationKey = Pick<OrganizationScope, 'tenantId' | 'id'>;

@Injectable()
export class OrganizationRepository extends BaseRepository<Organization> {
  constructor(@InjectRepository(Organization) organizations: Repository<Organization>) {
    super(organizations);
  }

  /** Defers the insert to the next statement of the transaction or to the commit. */
  insert(ctx: RequestContext, organization: Organization, _policy: PolicyAuthorization): void {
    this.insertDeferred(ctx, [organization]);
  }

  async save(
    ctx: RequestContext,
    organization: Organization,
    _authorization: PolicyAuthorization | LossAuthorization,
  ): Promise<void> {
    await this.saveRow(ctx, organization);
  }

  async findLive(ctx: RequestContext, { tenantId, id }: OrganizationKey): Promise<Organization | null> {
    const [organization] = await this.findRows(ctx, { where: { tenantId, id, deletedAt: IsNull() } });
    return organization ?? null;
  }

  /** Returns an organization and its descendants, oldest first. */
  listSubtree(ctx: RequestContext, { tenantId, id }: OrganizationKey): Promise<Organization[]> {
    const live = { tenantId, deletedAt: IsNull() };
    const where = [
      { ...live, id },
      { ...live, ancestorIds: ArrayContains([id]) },
    ];
    return this.findRows(ctx, { where, order: { id: 'ASC' } });
  }

  /** Locks an organization, including a deleted organization, until the transaction ends. */
  lock(ctx: RequestContext, { tenantId, id }: OrganizationKey): Promise<Organization | null> {
    return this.findByKey(ctx, { tenantId, id }, 'FOR UPDATE');
  }

  hasLiveChildren(ctx: RequestContext, { tenantId, id }: OrganizationKey): Promise<boolean> {
    return this.rows(ctx).existsBy({ tenantId, parentId: id, deletedAt: IsNull() });
  }
}
