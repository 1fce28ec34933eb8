import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OneTimeTokenService, SessionService } from '#directory/sessions';
import { UserAccessService } from '#directory/users';
import { FactorChangesService } from '../factors/factor-changes.service.js';

/** Lets administrators remove all factors of a user, for example after the loss of a device. */
@Injectable()
export class MfaResetService {
  constructor(
    private readonly userAccess: UserAccessService,
    private readonly factorChanges: FactorChangesService,
    private readonly sessions: SessionService,
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly work: UnitOfWork,
  ) {}

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
