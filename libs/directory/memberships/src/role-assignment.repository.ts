import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { GainAuthorization, LossAuthorization } from '#directory/privileges';
import { Any, In, Not, Repository } from 'typeorm';
import { tenantIdsOf, type UserInTenants } from './directory-user.js';
import { RoleAssignment } from './role-assignment.entity.js';

type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId'>;

@Injectable()
export class RoleAssignmentRepository extends BaseRepository<RoleAssignment> {
  constructor(@InjectRepository(RoleAssignment) assignments: Repository<RoleAssignment>) {
    super(assignments);
  }

  find(ctx: RequestContext, { tenantId, id }: OrganizationRef, userId: string, roleId: string): Promise<RoleAssignment | null> {
    return this.findByKey(ctx, { tenantId, organizationId: id, userId, roleId });
  }

  /** Returns the role assignments of several users in one organization, oldest first, with one query. */
  listOfUsers(ctx: RequestContext, { tenantId, id }: OrganizationRef, userIds: readonly string[]): Promise<RoleAssignment[]> {
    return this.findRows(ctx, {
      where: { tenantId, organizationId: id, userId: In([...userIds]) },
      order: { assignedAt: 'ASC', roleId: 'ASC' },
    });
  }

  insertAllDeferred(ctx: RequestContext, assignments: readonly RoleAssignment[], _gain: GainAuthorization): void {
    this.insertDeferred(ctx, assignments);
  }

  async save(
    ctx: RequestContext,
    assignment: RoleAssignment,
    _authorization: GainAuthorization | LossAuthorization,
  ): Promise<void> {
    await this.saveRow(ctx, assignment);
  }

  /** Copies the status of a user to the role assignments of the user in all tenants. */
  async updateUserStatus(ctx: RequestContext, user: UserInTenants, userStatus: string): Promise<void> {
    const ofUser = { tenantId: Any(tenantIdsOf(user)), userId: user.id };
    await this.updateRows(ctx, { ...ofUser, userStatus: Not(userStatus) }, { userStatus });
  }

  async delete(
    ctx: RequestContext,
    { tenantId, organizationId, userId, roleId }: RoleAssignment,
    _loss: LossAuthorization,
  ): Promise<void> {
    await this.deleteRows(ctx, { tenantId, organizationId, userId, roleId });
  }

  async deleteOfMember(
    ctx: RequestContext,
    { tenantId, id }: OrganizationRef,
    userId: string,
    _loss: LossAuthorization,
  ): Promise<void> {
    await this.deleteRows(ctx, { tenantId, organizationId: id, userId });
  }

  /** Deletes the roles of a user in all tenants. */
  async deleteOfUser(ctx: RequestContext, user: UserInTenants, _loss: LossAuthorization): Promise<void> {
    await this.deleteRows(ctx, { tenantId: Any(tenantIdsOf(user)), userId: user.id });
  }
}
