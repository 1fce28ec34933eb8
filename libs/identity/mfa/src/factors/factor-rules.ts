import { type RequestContext, sessionOf } from '#platform/common';
import { MFA_METHODS } from '#directory/organizations';
import { FactorNeeded, MfaMethodNotAllowed, StrongerFactorNeeded } from '../enrolment/enrolment-errors.js';
import { type FactorMethod, isRestricted } from '../mfa-method.js';

/** Returns the rules for factors in the session of the context. */
export function sessionRules(ctx: RequestContext): {
  readonly requireMfa: boolean;
  readonly mfaMethods: readonly FactorMethod[];
} {
  const { requireMfa, mfaMethods } = sessionOf(ctx).rules;
  const isKnown = (method: string): method is FactorMethod => MFA_METHODS.some((each) => each === method);
  return { requireMfa, mfaMethods: mfaMethods.filter(isKnown) };
}

/**
 * Asserts that the rules of the session allow another factor of the method.
 * @throws MfaMethodNotAllowed, StrongerFactorNeeded (422)
 */
export function assertAddable(ctx: RequestContext, method: FactorMethod, enrolled: readonly FactorMethod[]): void {
  const { mfaMethods } = sessionRules(ctx);
  if (!mfaMethods.includes(method)) throw new MfaMethodNotAllowed(mfaMethods);
  if (!addableMethods(mfaMethods, enrolled).includes(method)) throw new StrongerFactorNeeded();
}

export function addableMethods(allowed: readonly FactorMethod[], enrolled: readonly FactorMethod[]): FactorMethod[] {
  const canBeRestricted = allowed.every(isRestricted) || !enrolled.every(isRestricted);
  return allowed.filter((method) => canBeRestricted || !isRestricted(method));
}

/** Asserts that the remaining methods satisfy the rules of the session. @throws FactorNeeded (409) */
export function assertSufficient(ctx: RequestContext, remaining: readonly FactorMethod[]): void {
  const { requireMfa, mfaMethods } = sessionRules(ctx);
  if (requireMfa && !remaining.some((method) => mfaMethods.includes(method))) throw new FactorNeeded('required');
  if (remaining.length > 0 && remaining.every(isRestricted) && !mfaMethods.every(isRestricted))
    throw new FactorNeeded('only_restricted_left');
}
