import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { OWNER_ROLE_ID, RoleUsage, type RoleUsageHandler } from '#directory/roles';
import { OwnerRoleNotForGroups } from './group-errors.js';
import { GroupRoleAssignmentRepository } from './group-role-assignment.repository.js';
import { GroupRoleReplacementQuery } from './group-role-replacement.query.js';

/** Checks whether a role is assigned to a group, and replaces the role by another role. */
@Injectable()
export class GroupRoleUsageService implements RoleUsageHandler, OnModuleInit {
  constructor(
    private readonly usage: RoleUsage,
    private readonly assignments: GroupRoleAssignmentRepository,
    private readonly replacement: GroupRoleReplacementQuery,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.usage.register(this);
  }

  isUsed(ctx: RequestContext, tenantId: string, roleId: string): Promise<boolean> {
    return this.assignments.isAssigned(ctx, tenantId, roleId);
  }

  /** @throws OwnerRoleNotForGroups (422) if a group has the role and the new role is `owner` */
  async reassign(ctx: RequestContext, tenantId: string, fromRoleId: string, toRoleId: string): Promise<void> {
    if (toRoleId === OWNER_ROLE_ID && (await this.isUsed(ctx, tenantId, fromRoleId))) throw new OwnerRoleNotForGroups();
    await this.replacement.replace(ctx, tenantId, fromRoleId, toRoleId, this.clock.now());
  }
}
