import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { FactorNoticesService } from '../factors/factor-notices.service.js';
import { MfaChallengeInvalid, MfaFailed, type MfaFailureReason } from '../mfa-errors.js';
import type { MfaMethod } from '../mfa-method.js';
import { type LiveChallenge, LiveChallengesService, signInOf } from './live-challenges.service.js';
import { MfaChallengeRepository } from './mfa-challenge.repository.js';
import type { ChallengedSignIn } from './mfa-challenges.service.js';
import type { OfferedProof, UseProof } from './proof.js';
import { ProofsService } from './proofs.service.js';

/** Completes challenges with a second factor. A challenge allows five attempts within ten minutes. */
@Injectable()
export class ChallengeVerificationService {
  constructor(
    private readonly liveChallenges: LiveChallengesService,
    private readonly mfaChallenges: MfaChallengeRepository,
    private readonly proofs: ProofsService,
    private readonly factorNotices: FactorNoticesService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Completes the challenge of a sign-in or, with `sessionId`, of a reauthentication. Only one of several concurrent correct proofs
   * succeeds. Must run outside a transaction, so that a failed attempt stays counted.
   * @throws MfaChallengeInvalid (401) if the challenge is not live, MfaFailed (401) if the proof is wrong, HashingOverloaded (503)
   */
  async verify(
    ctx: RequestContext,
    { challengeToken, ...proof }: OfferedProof & { challengeToken: string },
    sessionId: string | null = null,
  ): Promise<ChallengedSignIn & { method: MfaMethod }> {
    if (ctx.transaction) throw new Error('A factor must be verified before the transaction that creates the session.');
    const liveChallenge = await this.liveChallenges.startAttempt(ctx, challengeToken, sessionId);
    const result = await this.proofs.verify(ctx, liveChallenge.challenge, proof);
    const isWrong = typeof result === 'string';
    const failure = isWrong ? result : await this.complete(ctx, liveChallenge, result);
    if (failure !== null) throw await this.failureOf(ctx, liveChallenge, failure);
    return { ...signInOf(liveChallenge.challenge), method: proof.method };
  }

  /** Uses up the challenge and the proof in one transaction. Returns the reason if the proof was already used up, else null. */
  private async complete(
    ctx: RequestContext,
    { challenge, owner }: LiveChallenge,
    useProof: UseProof,
  ): Promise<MfaFailureReason | null> {
    try {
      await this.work.run(ctx, async (ctx) => {
        if (!(await this.mfaChallenges.consume(ctx, challenge, this.work.now()))) throw new MfaChallengeInvalid();
        const failure = await useProof(ctx, owner);
        if (failure !== null) throw new ProofUsedUp(failure);
      });
      return null;
    } catch (error) {
      if (error instanceof ProofUsedUp) return error.reason;
      throw error;
    }
  }

  private async failureOf(
    ctx: RequestContext,
    { challenge, owner }: LiveChallenge,
    reason: MfaFailureReason,
  ): Promise<MfaFailed> {
    if (reason === 'passkey_counter' || reason === 'totp_reused') await this.factorNotices.reportReuse(ctx, owner, reason);
    const { user, organizationId, firstMethod } = signInOf(challenge);
    return new MfaFailed(reason, user, organizationId, firstMethod);
  }
}

/** The proof was already used up. The error rolls back the transaction, so that the challenge allows another attempt. */
class ProofUsedUp extends Error {
  constructor(readonly reason: MfaFailureReason) {
    super(reason);
  }
}
