import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { GainAuthorization, LossAuthorization } from '#directory/privileges';
import { Repository } from 'typeorm';
import { GroupRoleAssignment } from './group-role-assignment.entity.js';
import type { Group } from './group.entity.js';

type GroupKey = Pick<Group, 'tenantId' | 'id'>;

@Injectable()
export class GroupRoleAssignmentRepository extends BaseRepository<GroupRoleAssignment> {
  constructor(@InjectRepository(GroupRoleAssignment) assignments: Repository<GroupRoleAssignment>) {
    super(assignments);
  }

  /** Returns the roles of a group, oldest assignment first. */
  list(ctx: RequestContext, { tenantId, id }: GroupKey): Promise<GroupRoleAssignment[]> {
    return this.findRows(ctx, { where: { tenantId, groupId: id }, order: { assignedAt: 'ASC', roleId: 'ASC' } });
  }

  /** Returns the roles of all groups of an organization. */
  listOfOrganization(
    ctx: RequestContext,
    { tenantId, id: organizationId }: Pick<OrganizationScope, 'tenantId' | 'id'>,
  ): Promise<GroupRoleAssignment[]> {
    return this.findRows(ctx, { where: { tenantId, organizationId } });
  }

  isAssigned(ctx: RequestContext, tenantId: string, roleId: string): Promise<boolean> {
    return this.rows(ctx).existsBy({ tenantId, roleId });
  }

  async insert(ctx: RequestContext, assignment: GroupRoleAssignment, _gain: GainAuthorization): Promise<void> {
    await this.insertRow(ctx, assignment);
  }

  async delete(ctx: RequestContext, { tenantId, groupId, roleId }: GroupRoleAssignment, _loss: LossAuthorization): Promise<void> {
    await this.deleteRows(ctx, { tenantId, groupId, roleId });
  }

  async deleteOfGroup(ctx: RequestContext, { tenantId, id }: GroupKey, _loss: LossAuthorization): Promise<void> {
    await this.deleteRows(ctx, { tenantId, groupId: id });
  }
}
