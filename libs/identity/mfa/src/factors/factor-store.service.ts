import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { PendingProofs, type UserKey } from '#directory/sessions';
import { MfaChallengeRepository } from '../challenges/mfa-challenge.repository.js';
import { CodeFactorRepository } from '../codes/code-factor.repository.js';
import { MfaEnrolmentRepository } from '../enrolment/mfa-enrolment.repository.js';
import type { FactorMethod } from '../mfa-method.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { RecoveryCodesService } from '../recovery-codes/recovery-codes.service.js';
import { TotpFactorRepository } from '../totp/totp-factor.repository.js';

/** One factor of a user: of passkeys there are several, of the others one each. */
export type FactorReference =
  | { readonly method: Exclude<FactorMethod, 'passkey'> }
  | { readonly method: 'passkey'; readonly passkeyId: string };

/** Takes factors away, wherever they are kept. */
@Injectable()
export class FactorStoreService implements OnModuleInit {
  constructor(
    private readonly totps: TotpFactorRepository,
    private readonly codeFactors: CodeFactorRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly enrolments: MfaEnrolmentRepository,
    private readonly challenges: MfaChallengeRepository,
    private readonly pendingProofs: PendingProofs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.pendingProofs.register(async (ctx, user) => {
      await this.voidChallenges(ctx, user);
      await this.enrolments.deleteAll(ctx, user);
    });
  }

  /** False when the user has no such factor. */
  async remove(ctx: RequestContext, user: UserKey, factor: FactorReference): Promise<boolean> {
    if (factor.method === 'passkey') return this.passkeys.delete(ctx, user, factor.passkeyId);
    return factor.method === 'totp' ? this.totps.delete(ctx, user) : this.codeFactors.delete(ctx, user, factor.method);
  }

  /** Sign-ins that wait for a factor begin anew, now that the user has others. */
  async voidChallenges(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.challenges.voidAll(ctx, user, this.clock.now());
  }

  /** What is worth nothing without a factor, and what was begun. */
  async removeRest(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.recoveryCodes.remove(ctx, user);
    await this.enrolments.deleteAll(ctx, user);
  }
}
