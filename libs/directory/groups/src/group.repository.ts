import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseRepository, isUniqueViolation, lockKey } from '#platform/database';
import type { LossAuthorization } from '#directory/privileges';
import { Repository } from 'typeorm';
import { GroupExternalIdTaken, GroupNameTaken } from './group-errors.js';
import { Group } from './group.entity.js';

export type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId'>;

@Injectable()
export class GroupRepository extends BaseRepository<Group> {
  constructor(@InjectRepository(Group) groups: Repository<Group>) {
    super(groups);
  }

  find(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationRef, id: string): Promise<Group | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id });
  }

  /** Locks the row until the transaction ends. Every change of the group, its members and its roles locks the row first. */
  lock(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationRef, id: string): Promise<Group | null> {
    return this.findByKey(ctx, { tenantId, organizationId, id }, 'FOR UPDATE');
  }

  /** Counts the groups of an organization. Locks the count until the transaction ends. */
  async countLocked(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationRef): Promise<number> {
    await lockKey(ctx, 'groups', organizationId);
    return this.rows(ctx).countBy({ tenantId, organizationId });
  }

  /** @throws GroupNameTaken, GroupExternalIdTaken */
  async insert(ctx: RequestContext, group: Group): Promise<void> {
    await this.translateConflict(group, () => this.insertRow(ctx, group));
  }

  /** @throws GroupNameTaken, GroupExternalIdTaken */
  async update(ctx: RequestContext, group: Group): Promise<void> {
    await this.translateConflict(group, () => this.saveRow(ctx, group));
  }

  async delete(ctx: RequestContext, { tenantId, id }: Group, _loss: LossAuthorization): Promise<void> {
    await this.deleteRows(ctx, { tenantId, id });
  }

  private async translateConflict(group: Group, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (isUniqueViolation(error, 'groups_name_key') || isUniqueViolation(error, 'groups_name_key_key'))
        throw new GroupNameTaken(group.name);
      if (isUniqueViolation(error, 'groups_external_id_key')) throw new GroupExternalIdTaken(group.externalId ?? '');
      throw error;
    }
  }
}
