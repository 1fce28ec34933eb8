import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';

/** Finds and replaces the uses of a role in a higher library, in the transaction that deletes the role. */
export interface RoleUsageHandler {
  isUsed(ctx: RequestContext, tenantId: string, roleId: string): Promise<boolean>;
  reassign(ctx: RequestContext, tenantId: string, fromRoleId: string, toRoleId: string): Promise<void>;
}

/** The port through which higher libraries register their role usage handlers. */
@Injectable()
export class RoleUsage {
  private readonly handlers: RoleUsageHandler[] = [];

  register(handler: RoleUsageHandler): void {
    this.handlers.push(handler);
  }

  async isUsed(ctx: RequestContext, tenantId: string, roleId: string): Promise<boolean> {
    for (const handler of this.handlers) if (await handler.isUsed(ctx, tenantId, roleId)) return true;
    return false;
  }

  async reassign(ctx: RequestContext, tenantId: string, fromRoleId: string, toRoleId: string): Promise<void> {
    for (const handler of this.handlers) await handler.reassign(ctx, tenantId, fromRoleId, toRoleId);
  }
}
