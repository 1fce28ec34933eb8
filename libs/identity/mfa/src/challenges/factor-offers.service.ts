import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { UserKey } from '#directory/sessions';
import { EnrolledFactorsService, methodsOf } from '../factors/enrolled-factors.service.js';
import type { MfaMethod } from '../mfa-method.js';
import { RecoveryCodesService } from '../recovery-codes/recovery-codes.service.js';
import { offeredMethods } from './offered-methods.js';

/** What users can complete a sign-in with. */
@Injectable()
export class FactorOffersService {
  constructor(
    private readonly factors: EnrolledFactorsService,
    private readonly recoveryCodes: RecoveryCodesService,
  ) {}

  /** The strongest first, recovery codes last; none for a user without a factor. */
  async to(ctx: RequestContext, user: UserKey, allowed: readonly string[]): Promise<MfaMethod[]> {
    const offered = offeredMethods(methodsOf(await this.factors.of(ctx, user)), allowed);
    if (offered.length === 0) return [];
    const codesLeft = (await this.recoveryCodes.countLeft(ctx, user)) ?? 0;
    return [...offered, ...(codesLeft > 0 ? ['recovery_code' as const] : [])];
  }
}
