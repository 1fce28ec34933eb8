import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { ReplacementAuthorization } from '#directory/privileges';

/** A kind of resources that use a role, and their number. */
export interface RoleUse {
  readonly by: 'user' | 'group' | 'organization';
  readonly count: number;
  /**
   * Set if no list shows the resources, because they or their organizations are deleted. `restorableUntil` is the time until which the last
   * of them can be restored, or null for guests, who are deleted in another tenant.
   */
  readonly deleted?: { readonly restorableUntil: Date | null };
}

/** The replacement of a role by another in a tenant. */
export type RoleReplacement = Readonly<Record<'tenantId' | 'fromRoleId' | 'toRoleId', string>>;

/** Finds and replaces the uses of a role in a higher library, in the transaction that deletes the role. */
export interface RoleUsageHandler {
  listUses?(ctx: RequestContext, tenantId: string, roleId: string): Promise<RoleUse[]>;
  reassign(ctx: RequestContext, change: RoleReplacement, authorization: ReplacementAuthorization): Promise<void>;
}

/** The port through which higher libraries register their role usage handlers. */
@Injectable()
export class RoleUsage {
  private readonly handlers: RoleUsageHandler[] = [];

  register(handler: RoleUsageHandler): void {
    this.handlers.push(handler);
  }

  /** Returns all uses of a role, also by deleted users and organizations, which can be restored with the role. */
  async listUses(ctx: RequestContext, tenantId: string, roleId: string): Promise<RoleUse[]> {
    const uses: RoleUse[] = [];
    for (const handler of this.handlers) uses.push(...((await handler.listUses?.(ctx, tenantId, roleId)) ?? []));
    return uses;
  }

  async reassign(ctx: RequestContext, change: RoleReplacement, authorization: ReplacementAuthorization): Promise<void> {
    for (const handler of this.handlers) await handler.reassign(ctx, change, authorization);
  }
}
