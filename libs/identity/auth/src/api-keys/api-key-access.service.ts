import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type AccessRemoval, AccountAccess, type UserWithOrganization } from '#directory/users';
import { ApiKeyQuery } from './api-key.query.js';
import { ApiKeyLookupService } from './api-key-lookup.service.js';

/** Revokes the API keys of users who lose all access to their accounts. */
@Injectable()
export class ApiKeyAccessService implements OnModuleInit {
  constructor(
    private readonly apiKeyQuery: ApiKeyQuery,
    private readonly apiKeyLookup: ApiKeyLookupService,
    private readonly accountAccess: AccountAccess,
    private readonly work: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.accountAccess.register((ctx, owner, removal) => this.revokeAll(ctx, owner, removal));
  }

  private async revokeAll(ctx: RequestContext, { user }: UserWithOrganization, { reason, signIn }: AccessRemoval): Promise<void> {
    const tenantIds = [user.tenantId, ...user.guestTenantIds];
    for (const { id, name, prefix, scopes, organization } of await this.apiKeyQuery.revokeOwned(
      ctx,
      user,
      tenantIds,
      this.work.now(),
      signIn,
    )) {
      await this.work.publish(ctx, 'security.api_key_revoked', organization, { id, name, prefix, scopes, reason });
      this.apiKeyLookup.invalidate(ctx, id);
    }
  }
}
