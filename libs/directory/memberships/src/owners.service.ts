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

/** Ensures that an organization with an owner keeps one. Only a platform key can remove the last owner. */
@Injectable()
export class OwnersService {
  constructor(private readonly owners: OwnersQuery) {}

  /**
   * Must run before an owner loses the role or the ability to use it. Without `organizationId`, checks all organizations that the user owns.
   * Transactions that remove different owners of one organization wait for each other.
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
