import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { constantTimeEqual, SecretSealer } from '#platform/crypto';
import { UnitOfWork } from '#platform/events';
import { CodeFactorsService } from '../codes/code-factors.service.js';
import { CodeSenderService } from '../codes/code-sender.service.js';
import { digitsOf, maskedDestination, newSecurityCode } from '../codes/security-code.js';
import { MfaChallengeInvalid, type MfaFailureReason } from '../mfa-errors.js';
import type { CodeMethod } from '../mfa-method.js';
import { codeContext } from '../sealing-contexts.js';
import { LiveChallengesService } from './live-challenges.service.js';
import type { MfaChallenge } from './mfa-challenge.entity.js';
import { MfaChallengeRepository } from './mfa-challenge.repository.js';
import type { UseProof } from './proof.js';

export interface SentCode {
  readonly method: CodeMethod;
  /** The masked email address or phone number. */
  readonly destination: string;
  readonly expiresAt: Date;
}

@Injectable()
export class ChallengeCodesService {
  constructor(
    private readonly liveChallenges: LiveChallengesService,
    private readonly mfaChallenges: MfaChallengeRepository,
    private readonly codeFactors: CodeFactorsService,
    private readonly codeSender: CodeSenderService,
    private readonly sealer: SecretSealer,
    private readonly work: UnitOfWork,
  ) {}

  /** Sends a new code. The previous code stops working. @throws MfaChallengeInvalid (401), CodeLimit (429) */
  async send(ctx: RequestContext, { challengeToken, method }: { challengeToken: string; method: CodeMethod }): Promise<SentCode> {
    return this.work.run(ctx, async (ctx) => {
      const { challenge, owner } = await this.liveChallenges.get(ctx, challengeToken, method);
      const destination = await this.codeFactors.findDestination(ctx, owner, method);
      if (destination === null) throw new MfaChallengeInvalid();
      const code = newSecurityCode();
      const { tokenHash, expiresAt } = challenge;
      await this.mfaChallenges.updateCode(ctx, challenge, method, this.sealer.seal(code, codeContext(tokenHash)));
      await this.codeSender.send(ctx, owner, { method, destination }, { code, expiresAt });
      return { method, destination: maskedDestination(destination), expiresAt };
    });
  }

  /** Returns a function that uses up the correct code, or the reason why the code is wrong. */
  verify(
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
