import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext, sessionOf } from '#platform/common';
import { MFA_METHODS } from '#directory/organizations';
import { FactorNeeded, MfaMethodNotAllowed, StrongerFactorNeeded } from '../enrolment/enrolment-errors.js';
import { type FactorMethod, isRestricted } from '../mfa-method.js';
import { EnrolledFactorsService, methodsOf } from './enrolled-factors.service.js';

@Injectable()
export class FactorRulesService {
  constructor(private readonly enrolledFactors: EnrolledFactorsService) {}

  /** Returns the rules for factors in the session of the context. */
  getSessionRules(ctx: RequestContext): { readonly requireMfa: boolean; readonly mfaMethods: readonly FactorMethod[] } {
    const { requireMfa, mfaMethods } = sessionOf(ctx).rules;
    return { requireMfa, mfaMethods: MFA_METHODS.filter((method) => mfaMethods.includes(method)) };
  }

  /**
   * Asserts that the signed-in user can add a factor of the method.
   * @throws MfaMethodNotAllowed, StrongerFactorNeeded (422)
   */
  async assertCanAdd(ctx: RequestContext, method: FactorMethod): Promise<void> {
    const { mfaMethods } = this.getSessionRules(ctx);
    if (!mfaMethods.includes(method)) throw new MfaMethodNotAllowed(mfaMethods);
    const enrolled = methodsOf(await this.enrolledFactors.get(ctx, ownUserOf(ctx)));
    if (!this.listAddable(mfaMethods, enrolled).includes(method)) throw new StrongerFactorNeeded();
  }

  listAddable(allowed: readonly FactorMethod[], enrolled: readonly FactorMethod[]): FactorMethod[] {
    const canBeRestricted = allowed.every(isRestricted) || !enrolled.every(isRestricted);
    return allowed.filter((method) => canBeRestricted || !isRestricted(method));
  }

  /** Asserts that the remaining methods satisfy the rules of the session. @throws FactorNeeded (409) */
  assertSufficient(ctx: RequestContext, remaining: readonly FactorMethod[]): void {
    const { requireMfa, mfaMethods } = this.getSessionRules(ctx);
    if (requireMfa && !remaining.some((method) => mfaMethods.includes(method))) throw new FactorNeeded('required');
    if (remaining.length > 0 && remaining.every(isRestricted) && !mfaMethods.every(isRestricted))
      throw new FactorNeeded('only_restricted_left');
  }
}
