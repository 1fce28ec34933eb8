import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OneTimeTokenService, SessionService } from '#directory/sessions';
import { AccountAccess, UserAccessService } from '#directory/users';
import { FactorChangesService } from '../factors/factor-changes.service.js';

/** Removes all factors of users: by administrators, for example after the loss of a device, and of users who lose all access to their accounts. */
@Injectable()
export class MfaResetService implements OnModuleInit {
  constructor(
    private readonly userAccess: UserAccessService,
    private readonly factorChanges: FactorChangesService,
    private readonly sessions: SessionService,
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly accountAccess: AccountAccess,
    private readonly work: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.accountAccess.register(async (ctx, owner, { signIn }) => {
      await this.factorChanges.removeAll(ctx, owner, signIn);
    });
  }

  /**
   * Removes all factors, ends all sessions, and voids all pending links and changes of the account.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges, OwnSignIn (403)
   */
  async reset(ctx: RequestContext, userId: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const owner = await this.userAccess.lockForChange(ctx, userId);
      const signIn = await this.userAccess.assertCanChangeSignIn(ctx, owner.user);
      await this.oneTimeTokens.voidAll(ctx, owner.user);
      if (await this.factorChanges.removeAll(ctx, owner, signIn))
        await this.sessions.revokeAll(ctx, owner.user, 'mfa_reset', owner.managingOrganization, signIn);
    });
  }
}
