import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';

/** What holds roles; registered by the libs above, which alone know. All run in the transaction of the role's deletion. */
export interface RoleHolder {
  isUsed(ctx: RequestContext, tenantId: string, roleId: string): Promise<boolean>;
  /** Puts another role in the place of one that goes. */
  reassign(ctx: RequestContext, tenantId: string, fromRoleId: string, toRoleId: string): Promise<void>;
}

/** Asks all who hold roles before one is deleted. */
@Injectable()
export class RoleUsage {
  private readonly holders: RoleHolder[] = [];

  register(holder: RoleHolder): void {
    this.holders.push(holder);
  }

  async isUsed(ctx: RequestContext, tenantId: string, roleId: string): Promise<boolean> {
    for (const holder of this.holders) if (await holder.isUsed(ctx, tenantId, roleId)) return true;
    return false;
  }

  async reassign(ctx: RequestContext, tenantId: string, fromRoleId: string, toRoleId: string): Promise<void> {
    for (const holder of this.holders) await holder.reassign(ctx, tenantId, fromRoleId, toRoleId);
  }
}
