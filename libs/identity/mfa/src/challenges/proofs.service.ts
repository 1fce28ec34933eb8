import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { constantTimeEqual, SecretSealer } from '#platform/crypto';
import type { UserAtHome } from '#directory/users';
import { CodeFactorRepository } from '../codes/code-factor.repository.js';
import { typedDigits } from '../codes/security-code.js';
import { FactorNoticesService } from '../factors/factor-notices.service.js';
import type { MfaFailureReason } from '../mfa-errors.js';
import type { CodeMethod, MfaMethod } from '../mfa-method.js';
import { PasskeyProofsService } from '../passkeys/passkey-proofs.service.js';
import { RecoveryCodesService } from '../recovery-codes/recovery-codes.service.js';
import { matchingStep } from '../totp/totp.js';
import { TotpFactorRepository } from '../totp/totp-factor.repository.js';
import { codeContext, totpContext } from '../sealing-contexts.js';
import type { MfaChallenge } from './mfa-challenge.entity.js';
import { MfaChallengeRepository } from './mfa-challenge.repository.js';

/** What a person offers as a proof. */
export interface OfferedProof {
  readonly method: MfaMethod;
  /** From an app, a message or the list of recovery codes. */
  readonly code?: string | undefined;
  /** A passkey's answer, as the browser gives it. */
  readonly credential?: object | undefined;
}

/** A proof that was found right. In the transaction that consumes the challenge it is used up; a reason when that came too late. */
export type UsableProof = (ctx: RequestContext, owner: UserAtHome) => Promise<MfaFailureReason | null>;

/** Judges proofs of second factors. What is slow happens here, outside transactions; using a proof up is one statement. */
@Injectable()
export class ProofsService {
  constructor(
    private readonly challenges: MfaChallengeRepository,
    private readonly totps: TotpFactorRepository,
    private readonly codeFactors: CodeFactorRepository,
    private readonly passkeys: PasskeyProofsService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly notices: FactorNoticesService,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  /** How to use the proof up, or why it proves nothing. @throws HashingOverloaded (503) */
  async judge(ctx: RequestContext, challenge: MfaChallenge, proof: OfferedProof): Promise<UsableProof | MfaFailureReason> {
    if (!challenge.methods.includes(proof.method)) return 'method_not_offered';
    switch (proof.method) {
      case 'totp':
        return this.judgeTotp(ctx, challenge, proof.code ?? '');
      case 'passkey':
        return this.judgePasskey(ctx, challenge, proof.credential ?? {});
      case 'recovery_code':
        return this.judgeRecoveryCode(ctx, challenge, proof.code ?? '');
      default:
        return this.judgeSentCode(challenge, proof.method, proof.code ?? '');
    }
  }

  private async judgeTotp(ctx: RequestContext, challenge: MfaChallenge, code: string): Promise<UsableProof | MfaFailureReason> {
    const user = userOf(challenge);
    const factor = await this.totps.find(ctx, user);
    if (!factor) return 'method_not_offered';
    const now = this.clock.now();
    const step = matchingStep(this.sealer.open(factor.seedSealed, totpContext(user)), code, now);
    if (step === null) return 'wrong_code';
    return async (ctx) => ((await this.totps.useStep(ctx, factor, step, now)) ? null : 'totp_reused');
  }

  private judgeSentCode(challenge: MfaChallenge, method: CodeMethod, code: string): UsableProof | MfaFailureReason {
    const { codeMethod, codeSealed } = challenge;
    if (codeMethod !== method || codeSealed === null) return 'wrong_code';
    const sent = this.sealer.open(codeSealed, codeContext(challenge.tokenHash));
    if (!constantTimeEqual(typedDigits(code), sent)) return 'wrong_code';
    return async (ctx) =>
      (await this.codeFactors.recordUse(ctx, userOf(challenge), method, this.clock.now())) ? null : 'method_not_offered';
  }

  private async judgePasskey(
    ctx: RequestContext,
    challenge: MfaChallenge,
    credential: object,
  ): Promise<UsableProof | MfaFailureReason> {
    const { passkeyChallenge, passkeyExpiresAt } = challenge;
    if (passkeyChallenge === null || passkeyExpiresAt === null || passkeyExpiresAt <= this.clock.now()) return 'passkey_refused';
    if (!(await this.challenges.consumePasskeyChallenge(ctx, challenge, passkeyChallenge))) return 'passkey_refused';
    const proven = await this.passkeys.judge(ctx, challenge.tenantId, credential, passkeyChallenge, { userVerified: false });
    if (!proven || proven.passkey.userId !== challenge.userId) return 'passkey_refused';
    return async (ctx) => ((await this.passkeys.use(ctx, proven)) ? null : 'passkey_counter');
  }

  private async judgeRecoveryCode(
    ctx: RequestContext,
    challenge: MfaChallenge,
    code: string,
  ): Promise<UsableProof | MfaFailureReason> {
    const user = userOf(challenge);
    const hash = await this.recoveryCodes.find(ctx, user, code);
    if (!hash) return 'wrong_code';
    return async (ctx, owner) => {
      const left = await this.recoveryCodes.take(ctx, user, hash);
      if (left === null) return 'recovery_code_used';
      await this.notices.reportRecoveryCode(ctx, owner, left);
      return null;
    };
  }
}

const userOf = ({ tenantId, userId }: MfaChallenge) => ({ tenantId, id: userId });
