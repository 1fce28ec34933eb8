import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext, ResourceNotFound, sessionOf } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { OneTimeTokens, SessionService } from '#directory/sessions';
import { UserAccess, UserActivationService, type UserAtHome, UserFactorsService } from '#directory/users';
import { EnrolledFactorsService, type Factors, methodsOf } from './enrolled-factors.service.js';
import { FactorNoticesService } from './factor-notices.service.js';
import { FactorRulesService } from './factor-rules.service.js';
import { type FactorReference, FactorStoreService } from './factor-store.service.js';

/** Removes factors, with all that follows from it. */
@Injectable()
export class FactorRemovalService {
  constructor(
    private readonly store: FactorStoreService,
    private readonly factors: EnrolledFactorsService,
    private readonly rules: FactorRulesService,
    private readonly users: UserActivationService,
    private readonly userFactors: UserFactorsService,
    private readonly access: UserAccess,
    private readonly sessions: SessionService,
    private readonly tokens: OneTimeTokens,
    private readonly notices: FactorNoticesService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Removes a factor of the signed-in user and ends the user's other sessions.
   * @throws ResourceNotFound (404) when there is no such factor, FactorNeeded (409) when the user can't do without
   */
  async removeOwn(ctx: RequestContext, factor: FactorReference): Promise<void> {
    const key = ownUserOf(ctx);
    await this.work.run(ctx, async (ctx) => {
      const owner = await this.users.lock(ctx, key);
      if (!owner || !(await this.store.remove(ctx, key, factor))) throw notFound(factor);
      await this.rules.demandEnough(ctx, owner, methodsOf(await this.factors.of(ctx, key)));
      await this.settle(ctx, owner, factor);
      await this.sessions.revokeAll(ctx, key, 'mfa_changed', owner.home, { exceptId: sessionOf(ctx).id });
      await this.notices.write(ctx, owner, { kind: 'factor_removed', method: factor.method });
    });
  }

  /**
   * Removes all factors of a user, ends all sessions and voids every pending link and change of the account: for a user who lost them.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges, OwnSignIn (403)
   */
  async removeAll(ctx: RequestContext, userId: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const owner = await this.access.lockForChange(ctx, userId);
      await this.access.assertCanChangeSignIn(ctx, owner.user);
      await this.tokens.voidAll(ctx, owner.user);
      const removed = referencesOf(await this.factors.of(ctx, owner.user));
      if (removed.length === 0) return;
      for (const factor of removed) {
        await this.store.remove(ctx, owner.user, factor);
        await this.settle(ctx, owner, factor);
      }
      await this.sessions.revokeAll(ctx, owner.user, 'mfa_reset', owner.home);
      await this.notices.write(ctx, owner, { kind: 'factors_removed' });
    });
  }

  /** What follows from a factor that is gone. */
  private async settle(ctx: RequestContext, { user, home }: UserAtHome, { method }: FactorReference): Promise<void> {
    const mfaMethods = methodsOf(await this.factors.of(ctx, user));
    if (mfaMethods.length === 0) await this.store.removeRest(ctx, user);
    await this.store.voidChallenges(ctx, user);
    await this.userFactors.record(ctx, user, mfaMethods);
    const data = { userId: user.id, method, mfaMethods: user.mfaMethods };
    await this.work.publish(ctx, 'user.mfa_disabled', home, data, { userId: user.id });
  }
}

const notFound = (factor: FactorReference): ResourceNotFound =>
  factor.method === 'passkey'
    ? new ResourceNotFound('passkey', factor.passkeyId)
    : new ResourceNotFound('mfa_factor', factor.method);

const referencesOf = ({ totp, codes, passkeys }: Factors): FactorReference[] => [
  ...passkeys.map(({ id }): FactorReference => ({ method: 'passkey', passkeyId: id })),
  ...(totp ? [{ method: 'totp' } as const] : []),
  ...codes.map(({ method }): FactorReference => ({ method })),
];
