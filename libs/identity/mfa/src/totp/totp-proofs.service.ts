import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { SecretSealer } from '#platform/crypto';
import type { UserKey } from '#directory/sessions';
import type { UseProof } from '../challenges/proof.js';
import type { MfaFailureReason } from '../mfa-errors.js';
import { totpContext } from '../sealing-contexts.js';
import { matchingStep } from './totp.js';
import { TotpFactorRepository } from './totp-factor.repository.js';

@Injectable()
export class TotpProofsService {
  constructor(
    private readonly totpFactors: TotpFactorRepository,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  /** Returns a function that uses up the correct code, or the reason why the code is wrong. */
  async verify(ctx: RequestContext, user: UserKey, code: string): Promise<UseProof | MfaFailureReason> {
    const factor = await this.totpFactors.find(ctx, user);
    if (!factor) return 'method_not_offered';
    const now = this.clock.now();
    const step = matchingStep(this.sealer.open(factor.seedSealed, totpContext(user.id)), code, now);
    if (step === null) return 'wrong_code';
    return async (ctx) => ((await this.totpFactors.useStep(ctx, factor, step, now)) ? null : 'totp_reused');
  }
}
