import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext, sessionOf } from '#platform/common';
import { EffectiveSettingsService, OrganizationScopeQuery, type OrganizationSettings } from '#directory/organizations';
import type { UserAtHome } from '#directory/users';
import { FactorNeeded, MfaMethodNotAllowed, StrongerFactorNeeded } from '../enrolment/enrolment-errors.js';
import { type FactorMethod, isRestricted } from '../mfa-method.js';
import { EnrolledFactorsService, methodsOf } from './enrolled-factors.service.js';

/** What organizations demand of their users' factors. */
@Injectable()
export class FactorRulesService {
  constructor(
    private readonly factors: EnrolledFactorsService,
    private readonly scopes: OrganizationScopeQuery,
    private readonly settings: EffectiveSettingsService,
  ) {}

  /** The settings of the organization that was signed in to. */
  async ofSession(ctx: RequestContext): Promise<Pick<OrganizationSettings, 'requireMfa' | 'mfaMethods'>> {
    const organization = await this.scopes.findScope(ctx, sessionOf(ctx).organizationId);
    return organization ? (await this.settings.of(ctx, organization)).values : { requireMfa: true, mfaMethods: [] };
  }

  /**
   * Before the signed-in user adds a factor. Codes that are sent need a stronger factor beside them, where the organization allows one.
   * @throws MfaMethodNotAllowed (422), StrongerFactorNeeded (422)
   */
  async demandAllowed(ctx: RequestContext, method: FactorMethod): Promise<void> {
    const { mfaMethods } = await this.ofSession(ctx);
    if (!mfaMethods.includes(method)) throw new MfaMethodNotAllowed(mfaMethods);
    const enrolled = methodsOf(await this.factors.of(ctx, ownUserOf(ctx)));
    if (!this.addable(mfaMethods, enrolled).includes(method)) throw new StrongerFactorNeeded();
  }

  /** What of the allowed methods can be added by a user with these. */
  addable(allowed: readonly FactorMethod[], enrolled: readonly FactorMethod[]): FactorMethod[] {
    const mayBeRestricted = allowed.every(isRestricted) || !enrolled.every(isRestricted);
    return allowed.filter((method) => mayBeRestricted || !isRestricted(method));
  }

  /**
   * After the signed-in user removed a factor: what is left must do where a second factor is required, at home or where the session is.
   * @throws FactorNeeded (409)
   */
  async demandEnough(ctx: RequestContext, { home }: UserAtHome, left: readonly FactorMethod[]): Promise<void> {
    const places = [await this.ofSession(ctx), (await this.settings.of(ctx, home)).values];
    for (const { requireMfa, mfaMethods } of places) {
      if (requireMfa && !left.some((method) => mfaMethods.includes(method))) throw new FactorNeeded('required');
      if (left.length > 0 && left.every(isRestricted) && !mfaMethods.every(isRestricted))
        throw new FactorNeeded('only_restricted_left');
    }
  }
}
