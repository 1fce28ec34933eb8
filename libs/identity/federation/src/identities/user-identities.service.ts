import { Injectable } from '@nestjs/common';
import { type RequestContext, ResourceNotFound } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { OneTimeTokenService, SessionService } from '#directory/sessions';
import { FederatedUsersService, UserAccessService, type UserIdentity } from '#directory/users';

@Injectable()
export class UserIdentitiesService {
  constructor(
    private readonly federatedUsers: FederatedUsersService,
    private readonly userAccess: UserAccessService,
    private readonly sessions: SessionService,
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly transactions: TransactionRunner,
  ) {}

  /** @throws ResourceNotFound (404), ManagedElsewhere (403) */
  async list(ctx: RequestContext, userId: string): Promise<UserIdentity[]> {
    return this.federatedUsers.list(ctx, (await this.userAccess.findManaged(ctx, userId)).user);
  }

  /**
   * Unlinks an identity, ends all sessions, and voids all pending links and changes of the account.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges, OwnSignIn (403)
   */
  async unlink(ctx: RequestContext, userId: string, identityProviderId: string): Promise<void> {
    await this.transactions.run(ctx, async (ctx) => {
      const owner = await this.userAccess.lockForChange(ctx, userId);
      const signIn = await this.userAccess.assertCanChangeSignIn(ctx, owner.user);
      if (!(await this.federatedUsers.unlink(ctx, owner, identityProviderId, signIn)))
        throw new ResourceNotFound('identity_provider', identityProviderId);
      await this.oneTimeTokens.voidAll(ctx, owner.user);
      await this.sessions.revokeAll(ctx, owner.user, 'identity_unlinked', owner.managingOrganization, signIn);
    });
  }
}
