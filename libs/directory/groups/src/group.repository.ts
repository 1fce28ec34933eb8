import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, Page, PageRequest, RequestContext } from '#platform/common';
import { BaseRepository, isUniqueViolation, lockKey } from '#platform/database';
import { In, Repository } from 'typeorm';
import { GroupNameTaken } from './group-errors.js';
import { Group } from './group.entity.js';

type Organization = Pick<OrganizationScope, 'id' | 'tenantId'>;

@Injectable()
export class GroupRepository extends BaseRepository<Group> {
  constructor(@InjectRepository(Group) groups: Repository<Group>) {
    super(groups);
  }

  find(ctx: RequestContext, { tenantId, id: organizationId }: Organization, id: string): Promise<Group | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id });
  }

  /** Locks the row until the transaction ends. */
  lock(ctx: RequestContext, { tenantId, id: organizationId }: Organization, id: string): Promise<Group | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id }, 'FOR UPDATE');
  }

  /**
   * Returns a page of the groups of an organization, newest first.
   * @throws InvalidCursor (400)
   */
  list(ctx: RequestContext, { tenantId, id: organizationId }: Organization, request: PageRequest): Promise<Page<Group>> {
    return this.findPage(ctx, 'group', { tenantId, organizationId }, request);
  }

  /** Counts the groups of an organization. Locks the count until the transaction ends. */
  async countLocked(ctx: RequestContext, { tenantId, id: organizationId }: Organization): Promise<number> {
    await lockKey(ctx, 'groups', organizationId);
    return this.rows(ctx).countBy({ tenantId, organizationId });
  }

  /** @throws GroupNameTaken */
  async insert(ctx: RequestContext, group: Group): Promise<void> {
    await this.withUniqueName(group, () => this.rows(ctx).insert(group));
  }

  /** @throws GroupNameTaken */
  async update(ctx: RequestContext, group: Group): Promise<void> {
    await this.withUniqueName(group, () => this.rows(ctx).save(group));
  }

  async delete(ctx: RequestContext, { tenantId, id }: Group): Promise<void> {
    await this.rows(ctx).delete({ tenantId, id });
  }

  async deleteByOrganizations(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    await this.rows(ctx).delete({ tenantId, organizationId: In([...organizationIds]) });
  }

  private async withUniqueName(group: Group, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      throw isUniqueViolation(error, 'groups_name_key') ? new GroupNameTaken(group.name) : error;
    }
  }
}
