import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { OWNER_ROLE_ID, RoleUsage, type RoleUsageHandler } from '#directory/roles';
import { OwnerRoleNotForGroups } from './group-errors.js';
import { GroupRoleAssignmentRepository } from './group-role-assignment.repository.js';
import { GroupRoleReplacementQuery } from './group-role-replacement.query.js';

/** Replaces the role of groups by another role. */
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

  /** @throws OwnerRoleNotForGroups (422) if a group has the role and the new role is `owner` */
  async reassign(ctx: RequestContext, tenantId: string, fromRoleId: string, toRoleId: string): Promise<void> {
    if (toRoleId === OWNER_ROLE_ID && (await this.assignments.isAssigned(ctx, tenantId, fromRoleId)))
      throw new OwnerRoleNotForGroups();
    await this.replacement.replace(ctx, tenantId, fromRoleId, toRoleId, this.clock.now());
  }
}
