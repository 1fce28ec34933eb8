import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError, type OrganizationScope, type RequestContext } from '#platform/common';
import { lockKey } from '#platform/database';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import type { UserInTenants } from './directory-user.js';
import { OwnersQuery } from './owners.query.js';

export class LastOwner extends DomainError {
  readonly code = 'last_owner';
  readonly kind = 'conflict';
  constructor(organization: string, who = 'The user is the last owner') {
    super(`${who} of the organization "${organization}". Make another user an owner first.`);
  }
}

/** Ensures that an organization with an owner keeps at least one owner. Only a platform key can remove the last owner. */
@Injectable()
export class OwnersService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly owners: OwnersQuery,
    private readonly lifecycleHandlers: OrganizationLifecycleHandlers,
  ) {}

  onModuleInit(): void {
    this.lifecycleHandlers.register(this);
  }

  /** Asserts that other organizations keep an owner when the users of organizations lose the use of their accounts. @throws LastOwner (409) */
  async beforeLoss(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    if (ctx.caller.kind === 'platform' || ctx.caller.kind === 'system') return;
    const [owned] = await this.owners.listOwnedOnlyByUsersOf(ctx, tenantId, organizationIds);
    if (owned) throw new LastOwner(owned.name, 'Users of this organization are the last owners');
  }

  /**
   * Asserts that an organization has another owner. Must run before a user loses the owner role or is suspended or deleted. Without
   * `organization`, checks all organizations that the user owns. Locks each checked organization, so that concurrent transactions can't
   * remove the last two owners.
   * @throws LastOwner (409)
   */
  async assertOtherRemains(
    ctx: RequestContext,
    user: UserInTenants,
    organization?: Pick<OrganizationScope, 'tenantId' | 'id'>,
  ): Promise<void> {
    if (ctx.caller.kind === 'platform' || ctx.caller.kind === 'system') return;
    for (const owned of await this.owners.listOwned(ctx, user, organization)) {
      await lockKey(ctx, 'owners', owned.id);
      if (!(await this.owners.hasOtherOwner(ctx, owned, user.id))) throw new LastOwner(owned.name);
    }
  }
}
