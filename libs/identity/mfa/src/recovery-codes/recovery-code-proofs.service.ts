import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { UserKey } from '#directory/sessions';
import type { UseProof } from '../challenges/proof.js';
import { FactorNoticesService } from '../factors/factor-notices.service.js';
import type { MfaFailureReason } from '../mfa-errors.js';
import { RecoveryCodesService } from './recovery-codes.service.js';

@Injectable()
export class RecoveryCodeProofsService {
  constructor(
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly factorNotices: FactorNoticesService,
  ) {}

  /** Returns a function that uses up the correct code, or the reason why the code is wrong. @throws HashingOverloaded (503) */
  async verify(ctx: RequestContext, user: UserKey, code: string): Promise<UseProof | MfaFailureReason> {
    const hash = await this.recoveryCodes.findHash(ctx, user, code);
    if (!hash) return 'wrong_code';
    return async (ctx, owner) => {
      const codesLeft = await this.recoveryCodes.consume(ctx, user, hash);
      if (codesLeft === null) return 'recovery_code_used';
      await this.factorNotices.reportRecoveryCode(ctx, owner, codesLeft);
      return null;
    };
  }
}
