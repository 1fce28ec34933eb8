import { Injectable } from '@nestjs/common';
import type { RequestContext, RequestSession } from '#platform/common';
import { hashToken, randomToken } from '#platform/crypto';
import { UnitOfWork } from '#platform/events';
import type { UserKey } from '#directory/sessions';
import { EnrolledMethodsQuery } from '../factors/enrolled-methods.query.js';
import { FactorNoticesService } from '../factors/factor-notices.service.js';
import { MfaChallengeInvalid, MfaFailed, type MfaFailureReason } from '../mfa-errors.js';
import type { MfaMethod } from '../mfa-method.js';
import { RecoveryCodesService } from '../recovery-codes/recovery-codes.service.js';
import { ChallengeProofsService } from './challenge-proofs.service.js';
import { type ChallengedSignIn, type LiveChallenge, LiveChallengesService, signInOf } from './live-challenges.service.js';
import { MfaChallengeRepository } from './mfa-challenge.repository.js';
import { offeredMethods } from './offered-methods.js';
import type { OfferedProof, UseProof } from './proof.js';

/** The lifetime of challenges and codes. NIST SP 800-63B-4, 3.1.3.2, allows ten minutes. */
const LIFETIME_MS = 10 * 60_000;

export interface StartedChallenge {
  /** A token of 256 random bits, returned only once. */
  readonly challengeToken: string;
  readonly methods: readonly MfaMethod[];
  readonly expiresAt: Date;
}

/** Starts and completes challenges to verify a second factor, for sign-ins and reauthentications. A challenge allows five attempts within ten minutes. */
@Injectable()
export class MfaChallengesService {
  constructor(
    private readonly mfaChallenges: MfaChallengeRepository,
    private readonly enrolledMethods: EnrolledMethodsQuery,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly liveChallenges: LiveChallengesService,
    private readonly challengeProofs: ChallengeProofsService,
    private readonly factorNotices: FactorNoticesService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Returns the methods that can complete a challenge of the user, strongest first, `recovery_code` last; empty for a user without a
   * factor. Returns all methods of the user if `allowed` contains none of them, because a setting must not disable the second factor.
   */
  async listMethods(
    ctx: RequestContext,
    user: UserKey,
    allowed: readonly string[] | Promise<readonly string[]>,
  ): Promise<MfaMethod[]> {
    const [enrolled, allowedMethods] = await Promise.all([this.enrolledMethods.list(ctx, user), allowed]);
    const offered = offeredMethods(enrolled, allowedMethods);
    if (offered.length === 0) return [];
    const unusedCodeCount = (await this.recoveryCodes.count(ctx, user)) ?? 0;
    return [...offered, ...(unusedCodeCount > 0 ? ['recovery_code' as const] : [])];
  }

  /** Starts the challenge of a sign-in after the first factor. */
  startForSignIn(ctx: RequestContext, signIn: ChallengedSignIn): Promise<StartedChallenge> {
    return this.start(ctx, { ...signIn, sessionId: null });
  }

  /** Starts the challenge of a reauthentication. Returns null for a user without a factor. */
  async startForSession(
    ctx: RequestContext,
    user: UserKey,
    session: Pick<RequestSession, 'id' | 'organizationId' | 'rules'>,
  ): Promise<StartedChallenge | null> {
    const { id: sessionId, organizationId, rules } = session;
    const methods = await this.listMethods(ctx, user, rules.mfaMethods);
    return methods.length === 0
      ? null
      : this.start(ctx, { user, organizationId, firstMethod: 'session', identityProviderId: null, methods, sessionId });
  }

  /** Returns whether the user has a factor for a challenge of the session. */
  async hasFactor(ctx: RequestContext, user: UserKey, { rules }: Pick<RequestSession, 'rules'>): Promise<boolean> {
    return (await this.listMethods(ctx, user, rules.mfaMethods)).length > 0;
  }

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
    const result = await this.challengeProofs.verify(ctx, liveChallenge.challenge, proof);
    const isWrong = typeof result === 'string';
    const failure = isWrong ? result : await this.complete(ctx, liveChallenge, result);
    if (failure !== null) throw await this.failureOf(ctx, liveChallenge, failure);
    return { ...signInOf(liveChallenge.challenge), method: proof.method };
  }

  private async start(
    ctx: RequestContext,
    {
      user,
      organizationId,
      firstMethod,
      identityProviderId,
      methods,
      sessionId,
    }: ChallengedSignIn & { readonly sessionId: string | null },
  ): Promise<StartedChallenge> {
    const createdAt = this.work.now();
    const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS);
    const challengeToken = randomToken();
    await this.mfaChallenges.insert(ctx, {
      tenantId: user.tenantId,
      tokenHash: hashToken(challengeToken),
      userId: user.id,
      organizationId,
      firstMethod,
      identityProviderId,
      sessionId,
      methods: [...methods],
      expiresAt,
      createdAt,
    });
    return { challengeToken, methods, expiresAt };
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
