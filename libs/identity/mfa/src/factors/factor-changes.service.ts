import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import type { SignInAuthorization } from '#directory/privileges';
import { type UserWithOrganization, UserFactorsService } from '#directory/users';
import type { FactorMethod } from '../mfa-method.js';
import { RecoveryCodesService } from '../recovery-codes/recovery-codes.service.js';
import { EnrolledFactorsService, type FactorReference, methodsOf, referencesOf } from './enrolled-factors.service.js';
import { FactorNoticesService } from './factor-notices.service.js';
import { PendingMfaService } from './pending-mfa.service.js';

/**
 * Changes the factors of a locked user, in the caller's transaction. Records the methods in the user's row, publishes events and notifies
 * the user.
 */
@Injectable()
export class FactorChangesService {
  constructor(
    private readonly enrolledFactors: EnrolledFactorsService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly pendingMfa: PendingMfaService,
    private readonly userFactors: UserFactorsService,
    private readonly factorNotices: FactorNoticesService,
    private readonly work: UnitOfWork,
  ) {}

  async recordAdded(ctx: RequestContext, owner: UserWithOrganization, method: FactorMethod): Promise<void> {
    const { user, managingOrganization } = owner;
    await this.userFactors.record(ctx, user, methodsOf(await this.enrolledFactors.get(ctx, user)));
    const data = { userId: user.id, method, mfaMethods: user.mfaMethods };
    await this.work.publish(ctx, 'user.mfa_enabled', managingOrganization, data, { userId: user.id });
    await this.factorNotices.notify(ctx, owner, { kind: 'factor_added', method });
  }

  /** Removes a factor. Returns the remaining methods, or null if the factor does not exist. */
  async remove(
    ctx: RequestContext,
    owner: UserWithOrganization,
    factor: FactorReference,
    signIn: SignInAuthorization,
  ): Promise<FactorMethod[] | null> {
    const remaining = await this.removeOne(ctx, owner, factor, signIn);
    if (remaining) await this.factorNotices.notify(ctx, owner, { kind: 'factor_removed', method: factor.method });
    return remaining;
  }

  /** Removes all factors. Returns whether the user had a factor. */
  async removeAll(ctx: RequestContext, owner: UserWithOrganization, signIn: SignInAuthorization): Promise<boolean> {
    const factors = referencesOf(await this.enrolledFactors.get(ctx, owner.user));
    if (factors.length === 0) return false;
    for (const factor of factors) await this.removeOne(ctx, owner, factor, signIn);
    await this.factorNotices.notify(ctx, owner, { kind: 'factors_removed' });
    return true;
  }

  /** Removes a factor and publishes `user.mfa_disabled`. Deletes the recovery codes with the last factor. */
  private async removeOne(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    factor: FactorReference,
    signIn: SignInAuthorization,
  ): Promise<FactorMethod[] | null> {
    if (!(await this.enrolledFactors.delete(ctx, user, factor, signIn))) return null;
    const remaining = methodsOf(await this.enrolledFactors.get(ctx, user));
    if (remaining.length === 0) {
      await this.recoveryCodes.delete(ctx, user, signIn);
      await this.pendingMfa.voidAll(ctx, user);
    } else await this.pendingMfa.voidChallenges(ctx, user);
    await this.userFactors.record(ctx, user, remaining);
    const data = { userId: user.id, method: factor.method, mfaMethods: user.mfaMethods };
    await this.work.publish(ctx, 'user.mfa_disabled', managingOrganization, data, { userId: user.id });
    return remaining;
  }
}
