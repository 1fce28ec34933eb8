import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';

/** What holds roles; registered by the libs above, which alone know. All run in the transaction of the role's deletion. */
export interface RoleUsageHandler {
  isUsed(ctx: RequestContext, tenantId: string, roleId: string): Promise<boolean>;
  /** Puts another role in the place of one that goes. */
  reassign(ctx: RequestContext, tenantId: string, fromRoleId: string, toRoleId: string): Promise<void>;
}

/** Asks all who hold roles before one is deleted. */
@Injectable()
export class RoleUsage {
  private readonly handlers: RoleUsageHandler[] = [];

  register(holder: RoleUsageHandler): void {
    this.handlers.push(holder);
  }

  async isUsed(ctx: RequestContext, tenantId: string, roleId: string): Promise<boolean> {
    for (const holder of this.handlers) if (await holder.isUsed(ctx, tenantId, roleId)) return true;
    return false;
  }

  async reassign(ctx: RequestContext, tenantId: string, fromRoleId: string, toRoleId: string): Promise<void> {
    for (const holder of this.handlers) await holder.reassign(ctx, tenantId, fromRoleId, toRoleId);
  }
}
