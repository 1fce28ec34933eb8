import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { constantTimeEqual, randomToken, SecretSealer } from '#platform/crypto';
import { UnitOfWork } from '#platform/events';
import type { UserKey } from '#directory/sessions';
import { CodeFactorsService } from '../codes/code-factors.service.js';
import { digitsOf, maskedDestination, newSecurityCode } from '../codes/security-code.js';
import { FactorNoticesService } from '../factors/factor-notices.service.js';
import { MfaChallengeInvalid, type MfaFailureReason } from '../mfa-errors.js';
import type { CodeMethod } from '../mfa-method.js';
import { PasskeysService } from '../passkeys/passkeys.service.js';
import { PASSKEY_CHALLENGE_LIFETIME_MS, type PublicKeyCredentialRequestOptionsJSON } from '../passkeys/web-authn.service.js';
import { RecoveryCodesService } from '../recovery-codes/recovery-codes.service.js';
import { codeContext, totpContext } from '../sealing-contexts.js';
import { matchingStep } from '../totp/totp.js';
import { TotpFactorRepository } from '../totp/totp-factor.repository.js';
import { LiveChallengesService } from './live-challenges.service.js';
import type { MfaChallenge } from './mfa-challenge.entity.js';
import { MfaChallengeRepository } from './mfa-challenge.repository.js';
import type { OfferedProof, UseProof } from './proof.js';

export interface SentCode {
  readonly method: CodeMethod;
  /** The masked email address or phone number. */
  readonly destination: string;
  readonly expiresAt: Date;
}

/**
 * Prepares and verifies the proofs of second factors: sends codes, creates the challenges that passkeys sign, and verifies codes and
 * responses. Verifies outside transactions, because hashing is slow.
 */
@Injectable()
export class ChallengeProofsService {
  constructor(
    private readonly liveChallenges: LiveChallengesService,
    private readonly mfaChallenges: MfaChallengeRepository,
    private readonly codeFactors: CodeFactorsService,
    private readonly passkeys: PasskeysService,
    private readonly totpFactors: TotpFactorRepository,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly factorNotices: FactorNoticesService,
    private readonly sealer: SecretSealer,
    private readonly work: UnitOfWork,
  ) {}

  /** Sends a new code. The previous code stops working. @throws MfaChallengeInvalid (401), CodeLimit (429) */
  async sendCode(
    ctx: RequestContext,
    { challengeToken, method }: { challengeToken: string; method: CodeMethod },
  ): Promise<SentCode> {
    return this.work.run(ctx, async (ctx) => {
      const { challenge, owner } = await this.liveChallenges.get(ctx, challengeToken, method);
      const destination = await this.codeFactors.findDestination(ctx, owner, method);
      if (destination === null) throw new MfaChallengeInvalid();
      const code = newSecurityCode();
      const { tokenHash, expiresAt } = challenge;
      await this.mfaChallenges.updateCode(ctx, challenge, method, this.sealer.seal(code, codeContext(tokenHash)));
      await this.codeFactors.sendCode(ctx, owner, { method, destination }, { code, expiresAt });
      return { method, destination: maskedDestination(destination), expiresAt };
    });
  }

  /** Returns new options for a browser, which expire after five minutes. Previous options stop working. @throws MfaChallengeInvalid (401) */
  async createPasskeyOptions(ctx: RequestContext, challengeToken: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.work.run(ctx, async (ctx) => {
      const { challenge, owner } = await this.liveChallenges.get(ctx, challengeToken, 'passkey');
      const passkeyChallenge = randomToken();
      const expiresAt = new Date(this.work.now().getTime() + PASSKEY_CHALLENGE_LIFETIME_MS);
      await this.mfaChallenges.updatePasskeyChallenge(ctx, challenge, passkeyChallenge, expiresAt);
      return this.passkeys.createOptions(ctx, owner.user, passkeyChallenge);
    });
  }

  /** Returns a function that uses up the correct proof, or the reason why the proof is wrong. @throws HashingOverloaded (503) */
  async verify(ctx: RequestContext, challenge: MfaChallenge, proof: OfferedProof): Promise<UseProof | MfaFailureReason> {
    const { method, code = '', credential = {} } = proof;
    if (!challenge.methods.includes(method)) return 'method_not_offered';
    const user = { tenantId: challenge.tenantId, id: challenge.userId };
    switch (method) {
      case 'totp':
        return this.verifyTotp(ctx, user, code);
      case 'passkey':
        return this.verifyPasskey(ctx, challenge, credential);
      case 'recovery_code':
        return this.verifyRecoveryCode(ctx, user, code);
      case 'email':
      case 'sms':
        return this.verifySentCode(challenge, method, code);
    }
  }

  private async verifyTotp(ctx: RequestContext, user: UserKey, code: string): Promise<UseProof | MfaFailureReason> {
    const factor = await this.totpFactors.find(ctx, user);
    if (!factor) return 'method_not_offered';
    const now = this.work.now();
    const step = matchingStep(this.sealer.open(factor.seedSealed, totpContext(user.id)), code, now);
    if (step === null) return 'wrong_code';
    return async (ctx) => ((await this.totpFactors.useStep(ctx, factor, step, now)) ? null : 'totp_reused');
  }

  /** A challenge accepts only one response of a passkey, correct or not. */
  private async verifyPasskey(
    ctx: RequestContext,
    challenge: MfaChallenge,
    credential: object,
  ): Promise<UseProof | MfaFailureReason> {
    const { tenantId, userId, passkeyChallenge, passkeyExpiresAt } = challenge;
    if (passkeyChallenge === null || passkeyExpiresAt === null || passkeyExpiresAt <= this.work.now()) return 'passkey_refused';
    if (!(await this.mfaChallenges.consumePasskeyChallenge(ctx, challenge, passkeyChallenge))) return 'passkey_refused';
    const verified = await this.passkeys.verify(ctx, tenantId, credential, passkeyChallenge, { userVerified: false });
    if (verified?.passkey.userId !== userId) return 'passkey_refused';
    return async (ctx) => ((await this.passkeys.recordUse(ctx, verified)) ? null : 'passkey_counter');
  }

  private async verifyRecoveryCode(ctx: RequestContext, user: UserKey, code: string): Promise<UseProof | MfaFailureReason> {
    const hash = await this.recoveryCodes.findHash(ctx, user, code);
    if (!hash) return 'wrong_code';
    return async (ctx, owner) => {
      const codesLeft = await this.recoveryCodes.consume(ctx, user, hash);
      if (codesLeft === null) return 'recovery_code_used';
      await this.factorNotices.reportRecoveryCode(ctx, owner, codesLeft);
      return null;
    };
  }

  private verifySentCode(
    { tenantId, userId, tokenHash, codeMethod, codeSealed }: MfaChallenge,
    method: CodeMethod,
    code: string,
  ): UseProof | MfaFailureReason {
    if (codeMethod !== method || codeSealed === null) return 'wrong_code';
    const sent = this.sealer.open(codeSealed, codeContext(tokenHash));
    if (!constantTimeEqual(digitsOf(code), sent)) return 'wrong_code';
    const user = { tenantId, id: userId };
    return async (ctx) => ((await this.codeFactors.recordUse(ctx, user, method)) ? null : 'method_not_offered');
  }
}
