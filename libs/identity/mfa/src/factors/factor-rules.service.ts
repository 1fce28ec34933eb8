import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext, sessionOf } from '#platform/common';
import { EffectiveSettingsService, OrganizationScopeQuery, type OrganizationSettings } from '#directory/organizations';
import type { UserWithOrganization } from '#directory/users';
import { FactorNeeded, MfaMethodNotAllowed, StrongerFactorNeeded } from '../enrolment/enrolment-errors.js';
import { type FactorMethod, isRestricted } from '../mfa-method.js';
import { EnrolledFactorsService, methodsOf } from './enrolled-factors.service.js';

@Injectable()
export class FactorRulesService {
  constructor(
    private readonly enrolledFactors: EnrolledFactorsService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
  ) {}

  async getSessionSettings(ctx: RequestContext): Promise<Pick<OrganizationSettings, 'requireMfa' | 'mfaMethods'>> {
    const organization = await this.organizationScopes.findScope(ctx, sessionOf(ctx).organizationId);
    return organization ? (await this.effectiveSettings.get(ctx, organization)).values : { requireMfa: true, mfaMethods: [] };
  }

  /**
   * Asserts that the signed-in user can add a factor of the method.
   * @throws MfaMethodNotAllowed, StrongerFactorNeeded (422)
   */
  async assertCanAdd(ctx: RequestContext, method: FactorMethod): Promise<void> {
    const { mfaMethods } = await this.getSessionSettings(ctx);
    if (!mfaMethods.includes(method)) throw new MfaMethodNotAllowed(mfaMethods);
    const enrolled = methodsOf(await this.enrolledFactors.get(ctx, ownUserOf(ctx)));
    if (!this.listAddable(mfaMethods, enrolled).includes(method)) throw new StrongerFactorNeeded();
  }

  listAddable(allowed: readonly FactorMethod[], enrolled: readonly FactorMethod[]): FactorMethod[] {
    const canBeRestricted = allowed.every(isRestricted) || !enrolled.every(isRestricted);
    return allowed.filter((method) => canBeRestricted || !isRestricted(method));
  }

  /**
   * Asserts that the remaining methods satisfy the organization of the session and the organization of the user.
   * @throws FactorNeeded (409)
   */
  async assertSufficient(
    ctx: RequestContext,
    { managingOrganization }: UserWithOrganization,
    remaining: readonly FactorMethod[],
  ): Promise<void> {
    const settings = [await this.getSessionSettings(ctx), (await this.effectiveSettings.get(ctx, managingOrganization)).values];
    for (const { requireMfa, mfaMethods } of settings) {
      if (requireMfa && !remaining.some((method) => mfaMethods.includes(method))) throw new FactorNeeded('required');
      if (remaining.length > 0 && remaining.every(isRestricted) && !mfaMethods.every(isRestricted))
        throw new FactorNeeded('only_restricted_left');
    }
  }
}
