import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { UserActivationService, type UserWithOrganization } from '#directory/users';
import { FactorRulesService } from '../factors/factor-rules.service.js';
import type { FactorMethod } from '../mfa-method.js';
import { ReauthenticationService } from '../reauthentication/reauthentication.service.js';

@Injectable()
export class EnrolmentAuthorizationService {
  constructor(
    private readonly factorRules: FactorRulesService,
    private readonly reauthentication: ReauthenticationService,
    private readonly userActivation: UserActivationService,
  ) {}

  /**
   * Returns the signed-in user if the user can add a factor of the method.
   * @throws MfaMethodNotAllowed, StrongerFactorNeeded (422), CurrentPasswordRequired, CurrentPasswordWrong (403), ReauthenticationRequired
   * (401), ReauthenticationLocked (429)
   */
  async authorize(ctx: RequestContext, method: FactorMethod, currentPassword: string | undefined): Promise<UserWithOrganization> {
    const key = ownUserOf(ctx);
    await this.factorRules.assertCanAdd(ctx, method);
    await this.reauthentication.assertReauthenticated(ctx, currentPassword, { isRecentSignInEnough: true });
    const owner = await this.userActivation.find(ctx, key);
    if (!owner) throw new ResourceNotFound('user', key.id);
    return owner;
  }
}
