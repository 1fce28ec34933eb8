import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { type ChallengedSignIn, MfaChallengeInvalid, MfaFailed, type OfferedProof, SecondFactorsService } from '#identity/mfa';
import { OrganizationScopeQuery } from '#directory/organizations';
import { type User, UserActivationService, type UserAtHome } from '#directory/users';
import type { AttemptJudgement } from '../attempts/attempt-limits.js';
import { AttemptQueue } from '../attempts/attempt-queue.js';
import { type NamedAccount, SignInAttemptsService } from '../attempts/sign-in-attempts.service.js';
import { FailedSignInsService } from '../login/failed-sign-ins.service.js';
import { SignInLocked } from '../sign-in-errors.js';
import type { FirstFactor, SignInOutcome } from '../sign-in-outcome.js';
import { SignInService } from '../sign-in.service.js';

/** Whose second factor is to be proven, and where. */
interface Challenged {
  readonly user: UserAtHome;
  readonly organization: OrganizationScope;
  readonly firstMethod: FirstFactor;
}

type Proof = OfferedProof & { readonly challengeToken: string };

/** The second step of signing in. Wrong proofs count like wrong passwords, so that no new challenge brings new tries without end. */
@Injectable()
export class SecondFactorSignInService {
  constructor(
    private readonly secondFactors: SecondFactorsService,
    private readonly users: UserActivationService,
    private readonly scopes: OrganizationScopeQuery,
    private readonly queue: AttemptQueue,
    private readonly attempts: SignInAttemptsService,
    private readonly signIn: SignInService,
    private readonly failed: FailedSignInsService,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws MfaChallengeInvalid, MfaFailed (401), SignInLocked, TooManySignIns (429), HashingOverloaded (503), OrganizationSuspended,
   * OrganizationPending (409), InvalidCredentials (401) when the user is not active any more
   */
  async verify(ctx: RequestContext, proof: Proof): Promise<{ outcome: SignInOutcome; user: User }> {
    const challenged = await this.challenged(ctx, await this.secondFactors.find(ctx, proof.challengeToken));
    const { organization, user } = challenged;
    const named = { organization, organizationHandle: organization.slug, email: user.user.email };
    const outcome = await this.queue.run(ctx, { organization: named.organizationHandle, email: named.email }, () =>
      this.attempt(ctx, named, challenged, proof),
    );
    return { outcome, user: user.user };
  }

  private async attempt(ctx: RequestContext, named: NamedAccount, challenged: Challenged, proof: Proof): Promise<SignInOutcome> {
    const judgement = await this.attempts.begin(ctx, named, challenged.user.user);
    if (judgement.kind === 'refused') {
      await this.record(ctx, challenged, 'locked', judgement.failures, false);
      throw new SignInLocked(Math.max(1, Math.ceil((judgement.until.getTime() - this.clock.now().getTime()) / 1_000)));
    }
    try {
      return await this.proven(ctx, challenged, proof, judgement);
    } catch (error) {
      // What is no failure of the person, such as an overload, does not count as one.
      if (error instanceof MfaFailed) await this.record(ctx, challenged, error.reason, judgement.pair.failures, judgement.locks);
      else await this.attempts.withdraw(ctx, named);
      throw error;
    }
  }

  private async proven(
    ctx: RequestContext,
    { user, organization, firstMethod }: Challenged,
    proof: Proof,
    { earlierFailures }: Extract<AttemptJudgement, { kind: 'admitted' }>,
  ): Promise<SignInOutcome> {
    const { method: mfaMethod } = await this.secondFactors.verify(ctx, proof);
    return this.signIn.completeSecondFactor(ctx, { user, organization, method: firstMethod, mfaMethod, earlierFailures });
  }

  private async record(
    ctx: RequestContext,
    { user: { user }, organization, firstMethod: method }: Challenged,
    reason: MfaFailed['reason'] | 'locked',
    failedAttempts: number,
    locked: boolean,
  ): Promise<void> {
    await this.failed.record(ctx, organization, { user, email: user.email, method, reason, failedAttempts, locked });
  }

  private async challenged(ctx: RequestContext, begun: ChallengedSignIn | null): Promise<Challenged> {
    const user = begun && (await this.users.find(ctx, begun.user));
    const organization = begun && (await this.scopes.findScope(ctx, begun.organizationId));
    if (!user || !organization) throw new MfaChallengeInvalid();
    return { user, organization, firstMethod: begun.firstMethod as FirstFactor };
  }
}
