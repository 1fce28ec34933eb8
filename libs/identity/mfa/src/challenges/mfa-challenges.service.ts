import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext, type RequestSession } from '#platform/common';
import { hashToken, randomToken } from '#platform/crypto';
import type { UserKey } from '#directory/sessions';
import { EnrolledMethodsQuery } from '../factors/enrolled-methods.query.js';
import type { MfaMethod } from '../mfa-method.js';
import { RecoveryCodesService } from '../recovery-codes/recovery-codes.service.js';
import { MfaChallengeRepository } from './mfa-challenge.repository.js';
import { offeredMethods } from './offered-methods.js';

/** The lifetime of challenges and codes. NIST SP 800-63B-4, 3.1.3.2, allows ten minutes. */
const LIFETIME_MS = 10 * 60_000;

export interface ChallengedSignIn {
  readonly user: UserKey;
  readonly organizationId: string;
  readonly firstMethod: string;
  /** The identity provider that verified the first factor. */
  readonly identityProviderId: string | null;
  /** The result of `listMethods`. */
  readonly methods: readonly MfaMethod[];
}

export interface StartedChallenge {
  /** A token of 256 random bits, returned only once. */
  readonly challengeToken: string;
  readonly methods: readonly MfaMethod[];
  readonly expiresAt: Date;
}

/** Starts challenges to verify a second factor, for sign-ins and reauthentications. */
@Injectable()
export class MfaChallengesService {
  constructor(
    private readonly mfaChallenges: MfaChallengeRepository,
    private readonly enrolledMethods: EnrolledMethodsQuery,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly clock: Clock,
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
    const createdAt = this.clock.now();
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
}
