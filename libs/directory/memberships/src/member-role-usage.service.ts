import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { DefaultRolesService } from '#directory/organizations';
import type { ReplacementAuthorization } from '#directory/privileges';
import { type RoleReplacement, type RoleUsageHandler, RoleUsage, type RoleUse } from '#directory/roles';
import { RoleReplacementQuery } from './role-replacement.query.js';
import { RoleUseQuery } from './role-use.query.js';

/** Lists the uses of a role, and replaces the role of members and the default role by another role. */
@Injectable()
export class MemberRoleUsageService implements RoleUsageHandler, OnModuleInit {
  constructor(
    private readonly usage: RoleUsage,
    private readonly uses: RoleUseQuery,
    private readonly replacement: RoleReplacementQuery,
    private readonly defaultRoles: DefaultRolesService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.usage.register(this);
  }

  listUses(ctx: RequestContext, tenantId: string, roleId: string): Promise<RoleUse[]> {
    return this.uses.listUses(ctx, tenantId, roleId);
  }

  async reassign(ctx: RequestContext, change: RoleReplacement, authorization: ReplacementAuthorization): Promise<void> {
    await this.replacement.replace(ctx, change, this.clock.now(), authorization);
    await this.defaultRoles.replace(ctx, change.tenantId, change.fromRoleId, change.toRoleId);
  }
}
