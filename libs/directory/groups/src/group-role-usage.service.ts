import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import type { ReplacementAuthorization } from '#directory/privileges';
import { OWNER_ROLE_ID, type RoleReplacement, RoleUsage, type RoleUsageHandler } from '#directory/roles';
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
  async reassign(ctx: RequestContext, change: RoleReplacement, authorization: ReplacementAuthorization): Promise<void> {
    const { tenantId, fromRoleId, toRoleId } = change;
    if (toRoleId === OWNER_ROLE_ID && (await this.assignments.isAssigned(ctx, tenantId, fromRoleId)))
      throw new OwnerRoleNotForGroups();
    await this.replacement.replace(ctx, change, this.clock.now(), authorization);
  }
}
