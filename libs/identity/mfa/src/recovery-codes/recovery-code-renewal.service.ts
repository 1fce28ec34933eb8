import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { UserActivationService } from '#directory/users';
import { MfaNotEnabled } from '../enrolment/enrolment-errors.js';
import { FactorNoticesService } from '../factors/factor-notices.service.js';
import { ReauthenticationService } from '../reauthentication/reauthentication.service.js';
import { RecoveryCodesService } from './recovery-codes.service.js';

/** Gives signed-in users new recovery codes. */
@Injectable()
export class RecoveryCodeRenewalService {
  constructor(
    private readonly reauthentication: ReauthenticationService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly users: UserActivationService,
    private readonly notices: FactorNoticesService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Ten new codes; those before are worth nothing any more.
   * @throws CurrentPasswordRequired, CurrentPasswordWrong (403), ReauthenticationLocked (429), MfaNotEnabled (409), HashingOverloaded (503)
   */
  async renew(ctx: RequestContext, currentPassword: string | undefined): Promise<readonly string[]> {
    await this.reauthentication.demand(ctx, currentPassword);
    const prepared = await this.recoveryCodes.prepare();
    return this.work.run(ctx, async (ctx) => {
      const owner = await this.users.lock(ctx, ownUserOf(ctx));
      if (!owner?.user.mfaEnabled) throw new MfaNotEnabled();
      await this.recoveryCodes.store(ctx, owner.user, prepared);
      const userId = owner.user.id;
      await this.work.publish(ctx, 'user.recovery_codes_renewed', owner.home, { userId }, { userId });
      await this.notices.write(ctx, owner, { kind: 'recovery_codes_renewed' });
      return prepared.codes;
    });
  }
}
