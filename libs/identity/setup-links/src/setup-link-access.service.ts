import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OrganizationScopeQuery } from '#directory/organizations';
import { AccountAccess, type AccessRemoval, type UserWithOrganization } from '#directory/users';
import { SetupLinkQuery } from './setup-link.query.js';
import { SetupLinkRepository } from './setup-link.repository.js';
import { setupLinkData } from './setup-links.definitions.js';

/** Revokes the setup links of users who lose all access to their accounts. */
@Injectable()
export class SetupLinkAccessService implements OnModuleInit {
  constructor(
    private readonly setupLinks: SetupLinkRepository,
    private readonly setupLinkQuery: SetupLinkQuery,
    private readonly scopes: OrganizationScopeQuery,
    private readonly accountAccess: AccountAccess,
    private readonly work: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.accountAccess.register((ctx, owner, removal) => this.revokeAll(ctx, owner, removal));
  }

  private async revokeAll(ctx: RequestContext, { user }: UserWithOrganization, { signIn }: AccessRemoval): Promise<void> {
    for (const setupLink of await this.setupLinks.listOwned(ctx, user, [user.tenantId, ...user.guestTenantIds])) {
      await this.setupLinkQuery.delete(ctx, setupLink, signIn);
      const organization = await this.scopes.findScope(ctx, setupLink.organizationId);
      if (organization) await this.work.publish(ctx, 'setup_link.revoked', organization, setupLinkData(setupLink));
    }
  }
}
