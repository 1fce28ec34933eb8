import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { DefaultRolesService } from '#directory/organizations';
import { type RoleUsageHandler, RoleUsage } from '#directory/roles';
import { RoleAssignmentRepository } from './role-assignment.repository.js';
import { RoleReplacementQuery } from './role-replacement.query.js';

/** Checks whether a role is assigned to a member or is a default role, and replaces the role by another role. */
@Injectable()
export class MemberRoleUsageService implements RoleUsageHandler, OnModuleInit {
  constructor(
    private readonly usage: RoleUsage,
    private readonly assignments: RoleAssignmentRepository,
    private readonly replacement: RoleReplacementQuery,
    private readonly defaultRoles: DefaultRolesService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.usage.register(this);
  }

  async isUsed(ctx: RequestContext, tenantId: string, roleId: string): Promise<boolean> {
    const isAssigned = await this.assignments.isAssigned(ctx, tenantId, roleId);
    return isAssigned || this.defaultRoles.isUsed(ctx, tenantId, roleId);
  }

  async reassign(ctx: RequestContext, tenantId: string, fromRoleId: string, toRoleId: string): Promise<void> {
    await this.replacement.replace(ctx, tenantId, fromRoleId, toRoleId, this.clock.now());
    await this.defaultRoles.replace(ctx, tenantId, fromRoleId, toRoleId);
  }
}
