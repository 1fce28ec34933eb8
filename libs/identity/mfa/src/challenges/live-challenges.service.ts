import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { hashToken } from '#platform/crypto';
import type { UserKey } from '#directory/sessions';
import { UserActivationService, type UserWithOrganization } from '#directory/users';
import { MfaChallengeInvalid } from '../mfa-errors.js';
import type { MfaMethod } from '../mfa-method.js';
import { ChallengeAttemptQuery } from './challenge-attempt.query.js';
import type { MfaChallenge } from './mfa-challenge.entity.js';
import { MfaChallengeRepository } from './mfa-challenge.repository.js';

export interface ChallengedSignIn {
  readonly user: UserKey;
  readonly organizationId: string;
  readonly firstMethod: string;
  /** The identity provider that verified the first factor. */
  readonly identityProviderId: string | null;
  /** The result of `MfaChallengesService.listMethods`. */
  readonly methods: readonly MfaMethod[];
}

export interface LiveChallenge {
  readonly challenge: MfaChallenge;
  readonly owner: UserWithOrganization;
}

/** Finds challenges by their tokens. A live challenge is neither used nor expired, and has attempts left. */
@Injectable()
export class LiveChallengesService {
  constructor(
    private readonly mfaChallenges: MfaChallengeRepository,
    private readonly challengeAttempts: ChallengeAttemptQuery,
    private readonly userActivation: UserActivationService,
    private readonly clock: Clock,
  ) {}

  /** Returns the sign-in of a challenge, or null if the challenge is not live or belongs to a session. */
  async findSignIn(ctx: RequestContext, challengeToken: string): Promise<ChallengedSignIn | null> {
    const challenge = await this.mfaChallenges.findLive(ctx, hashToken(challengeToken), this.clock.now());
    return challenge?.sessionId === null ? signInOf(challenge) : null;
  }

  /** Returns the organization of a live challenge, of a sign-in or of a session. */
  async findOrganization(
    ctx: RequestContext,
    challengeToken: string,
  ): Promise<Pick<MfaChallenge, 'tenantId' | 'organizationId'> | null> {
    return this.mfaChallenges.findLive(ctx, hashToken(challengeToken), this.clock.now());
  }

  /** Returns a live challenge that offers the method. @throws MfaChallengeInvalid (401) */
  async get(ctx: RequestContext, challengeToken: string, method: MfaMethod): Promise<LiveChallenge> {
    const challenge = await this.mfaChallenges.findLive(ctx, hashToken(challengeToken), this.clock.now());
    const owner = challenge?.methods.includes(method) ? await this.findOwner(ctx, challenge) : null;
    if (!challenge || !owner) throw new MfaChallengeInvalid();
    return { challenge, owner };
  }

  /**
   * Counts an attempt at a live challenge and returns the challenge. `sessionId` is null for a sign-in.
   * @throws MfaChallengeInvalid (401)
   */
  async startAttempt(ctx: RequestContext, challengeToken: string, sessionId: string | null): Promise<LiveChallenge> {
    const challenge = await this.challengeAttempts.startAttempt(ctx, hashToken(challengeToken), this.clock.now());
    const owner = challenge && (await this.findOwner(ctx, challenge));
    if (!challenge || !owner || challenge.sessionId !== sessionId) throw new MfaChallengeInvalid();
    return { challenge, owner };
  }

  /**
   * Returns the user of a challenge. Returns null if the first factor was a password that has changed: an attacker may know the previous
   * password.
   */
  private async findOwner(ctx: RequestContext, challenge: MfaChallenge): Promise<UserWithOrganization | null> {
    const owner = await this.userActivation.find(ctx, signInOf(challenge).user);
    const changedAt = owner?.user.lastPasswordChangeAt;
    return challenge.firstMethod === 'password' && changedAt && changedAt > challenge.createdAt ? null : owner;
  }
}

export const signInOf = ({
  tenantId,
  userId,
  organizationId,
  firstMethod,
  identityProviderId,
  methods,
}: MfaChallenge): ChallengedSignIn => ({
  user: { tenantId, id: userId },
  organizationId,
  firstMethod,
  identityProviderId,
  methods,
});
