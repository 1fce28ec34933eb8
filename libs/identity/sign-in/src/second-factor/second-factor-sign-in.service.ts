import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { ForwardedSignIns } from '#identity/auth';
import { LiveChallengesService, MfaChallengeInvalid, MfaChallengesService, MfaFailed, type OfferedProof } from '#identity/mfa';
import { OrganizationScopeQuery } from '#directory/organizations';
import { type User, UserActivationService, type UserWithOrganization } from '#directory/users';
import type { AdmittedAttempt } from '../attempts/attempt-limits.js';
import { AttemptQueueService } from '../attempts/attempt-queue.service.js';
import { type NamedAccount, SignInAttemptsService } from '../attempts/sign-in-attempts.service.js';
import type { FirstFactor, SignInOutcome } from '../sign-in-outcome.js';
import { SignInService } from '../sign-in.service.js';

interface ChallengedSignIn {
  readonly owner: UserWithOrganization;
  readonly organization: OrganizationScope;
  readonly firstMethod: FirstFactor;
  readonly identityProviderId: string | null;
}

type Proof = OfferedProof & { readonly challengeToken: string };

/** Completes sign-ins with a second factor. Wrong proofs count like wrong passwords, so that new challenges don't allow more attempts. */
@Injectable()
export class SecondFactorSignInService implements OnModuleInit {
  constructor(
    private readonly liveChallenges: LiveChallengesService,
    private readonly mfaChallenges: MfaChallengesService,
    private readonly userActivation: UserActivationService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly forwardedSignIns: ForwardedSignIns,
    private readonly attemptQueue: AttemptQueueService,
    private readonly signInAttempts: SignInAttemptsService,
    private readonly signIn: SignInService,
  ) {}

  onModuleInit(): void {
    this.forwardedSignIns.register('challengeToken', (ctx, token) => this.liveChallenges.findOrganization(ctx, token));
  }

  /**
   * @throws MfaChallengeInvalid, MfaFailed (401), SignInLocked, TooManySignIns (429), HashingOverloaded (503), OrganizationSuspended,
   * OrganizationPending (409), InvalidCredentials (401) if the user is not active
   */
  async verify(ctx: RequestContext, proof: Proof): Promise<{ outcome: SignInOutcome; user: User }> {
    const challengedSignIn = await this.getSignIn(ctx, proof.challengeToken);
    const { organization, owner } = challengedSignIn;
    const account = { organization, organizationHandle: organization.slug, email: owner.user.email };
    const outcome = await this.attemptQueue.run(ctx, { organization: account.organizationHandle, email: account.email }, () =>
      this.attempt(ctx, account, challengedSignIn, proof),
    );
    return { outcome, user: owner.user };
  }

  /** @throws MfaChallengeInvalid (401) */
  private async getSignIn(ctx: RequestContext, challengeToken: string): Promise<ChallengedSignIn> {
    const signIn = await this.liveChallenges.findSignIn(ctx, challengeToken);
    const owner = signIn && (await this.userActivation.find(ctx, signIn.user));
    const organization = signIn && (await this.organizationScopes.findScope(ctx, signIn.organizationId));
    if (!owner || !organization) throw new MfaChallengeInvalid();
    const { firstMethod, identityProviderId } = signIn;
    return { owner, organization, firstMethod: firstMethod as FirstFactor, identityProviderId };
  }

  private async attempt(
    ctx: RequestContext,
    account: NamedAccount,
    challengedSignIn: ChallengedSignIn,
    proof: Proof,
  ): Promise<SignInOutcome> {
    const isAddressKnown = this.signInAttempts.isAddressKnown(ctx, challengedSignIn.owner.user);
    const decision = await this.signInAttempts.begin(ctx, account, isAddressKnown);
    if (decision.kind === 'refused') {
      await this.recordFailure(ctx, challengedSignIn, 'locked', decision.failures, false);
      throw this.signInAttempts.lockedError(decision);
    }
    try {
      return await this.complete(ctx, challengedSignIn, proof, decision);
    } catch (error) {
      // An error that the person did not cause, such as an overload, does not count as a failure.
      if (error instanceof MfaFailed)
        await this.recordFailure(ctx, challengedSignIn, error.reason, decision.fromAddress.failures, decision.locks);
      else await this.signInAttempts.withdraw(ctx, account);
      throw error;
    }
  }

  private async complete(
    ctx: RequestContext,
    { owner, organization, firstMethod: method, identityProviderId }: ChallengedSignIn,
    proof: Proof,
    { earlierFailures }: AdmittedAttempt,
  ): Promise<SignInOutcome> {
    const { method: mfaMethod } = await this.mfaChallenges.verify(ctx, proof);
    return this.signIn.completeSecondFactor(ctx, {
      owner,
      organization,
      method,
      identityProviderId,
      mfaMethod,
      earlierFailures,
    });
  }

  private async recordFailure(
    ctx: RequestContext,
    { owner, organization, firstMethod: method }: ChallengedSignIn,
    reason: MfaFailed['reason'] | 'locked',
    failedAttempts: number,
    locked: boolean,
  ): Promise<void> {
    await this.signInAttempts.recordFailure(ctx, organization, {
      owner,
      email: owner.user.email,
      method,
      reason,
      failedAttempts,
      locked,
    });
  }
}
