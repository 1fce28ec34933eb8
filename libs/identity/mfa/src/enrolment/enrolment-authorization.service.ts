import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { SsoRequirementService, UserActivationService, type UserWithOrganization } from '#directory/users';
import { FactorRulesService } from '../factors/factor-rules.service.js';
import type { FactorMethod } from '../mfa-method.js';
import { ReauthenticationService } from '../reauthentication/reauthentication.service.js';

@Injectable()
export class EnrolmentAuthorizationService {
  constructor(
    private readonly factorRules: FactorRulesService,
    private readonly reauthentication: ReauthenticationService,
    private readonly userActivation: UserActivationService,
    private readonly ssoRequirement: SsoRequirementService,
  ) {}

  /**
   * Returns the signed-in user if the user can add a factor of the method.
   * @throws MfaMethodNotAllowed, StrongerFactorNeeded (422), SsoRequired, CurrentPasswordRequired, CurrentPasswordWrong (403), ReauthenticationRequired
   * (401), ReauthenticationLocked (429)
   */
  async authorize(ctx: RequestContext, method: FactorMethod, currentPassword: string | undefined): Promise<UserWithOrganization> {
    const key = ownUserOf(ctx);
    await this.factorRules.assertCanAdd(ctx, method);
    const owner = await this.userActivation.find(ctx, key);
    if (!owner) throw new ResourceNotFound('user', key.id);
    await this.assertNotRequired(ctx, owner, method);
    await this.reauthentication.assertReauthenticated(ctx, currentPassword, { isRecentSignInEnough: true });
    return owner;
  }

  /** Asserts that a user who can sign in only with an identity provider adds no passkey, which can sign in. @throws SsoRequired (403) */
  async assertNotRequired(ctx: RequestContext, owner: UserWithOrganization, method: FactorMethod): Promise<void> {
    if (method === 'passkey') await this.ssoRequirement.assertNotRequired(ctx, owner);
  }
}
