import { Injectable } from '@nestjs/common';
import { DomainError, type RequestContext } from '#platform/common';
import { lockKey } from '#platform/database';
import { OwnersQuery } from './owners.query.js';

export class LastOwner extends DomainError {
  readonly code = 'last_owner';
  readonly kind = 'conflict';
  constructor(organization: string) {
    super(`The user is the last owner of the organization "${organization}". Make another user an owner first.`);
  }
}

/** Ensures that an organization with an owner keeps at least one owner. Only a platform key can remove the last owner. */
@Injectable()
export class OwnersService {
  constructor(private readonly owners: OwnersQuery) {}

  /**
   * Asserts that an organization has another owner. Must run before a user loses the owner role or is suspended or deleted. Without
   * `organizationId`, checks all organizations that the user owns. Locks each checked organization, so that concurrent transactions can't
   * remove the last two owners.
   * @throws LastOwner (409)
   */
  async assertOtherRemains(ctx: RequestContext, userId: string, organizationId?: string): Promise<void> {
    if (ctx.caller.kind === 'platform' || ctx.caller.kind === 'system') return;
    for (const organization of await this.owners.listOwned(ctx, userId, organizationId)) {
      await lockKey(ctx, 'owners', organization.id);
      if (!(await this.owners.hasOtherOwner(ctx, organization, userId))) throw new LastOwner(organization.name);
    }
  }
}
