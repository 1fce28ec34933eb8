import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { unneeded } from '#directory/privileges';
import { UserActivationService } from '#directory/users';
import { MfaNotEnabled } from '../enrolment/enrolment-errors.js';
import { FactorNoticesService } from '../factors/factor-notices.service.js';
import { ReauthenticationService } from '../reauthentication/reauthentication.service.js';
import { RecoveryCodesService } from './recovery-codes.service.js';

@Injectable()
export class RecoveryCodeRenewalService {
  constructor(
    private readonly reauthentication: ReauthenticationService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly userActivation: UserActivationService,
    private readonly factorNotices: FactorNoticesService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Returns ten new codes. The previous codes stop working.
   * @throws CurrentPasswordRequired, CurrentPasswordWrong (403), ReauthenticationLocked (429), MfaNotEnabled (409), HashingOverloaded (503)
   */
  async renew(ctx: RequestContext, currentPassword: string | undefined): Promise<readonly string[]> {
    await this.reauthentication.assertReauthenticated(ctx, currentPassword);
    const generated = await this.recoveryCodes.generate();
    return this.work.run(ctx, async (ctx) => {
      const owner = await this.userActivation.lock(ctx, ownUserOf(ctx));
      if (!owner?.user.mfaEnabled) throw new MfaNotEnabled();
      await this.recoveryCodes.replace(ctx, owner.user, generated, unneeded<'sign_in'>('own_account'));
      const userId = owner.user.id;
      await this.work.publish(ctx, 'user.recovery_codes_renewed', owner.managingOrganization, { userId }, { userId });
      await this.factorNotices.notify(ctx, owner, { kind: 'recovery_codes_renewed' });
      return generated.codes;
    });
  }
}
