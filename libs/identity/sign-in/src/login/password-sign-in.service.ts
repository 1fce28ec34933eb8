import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { addressGroup } from '#platform/http';
import { PasswordsService, PreviousPasswordsService } from '#identity/credentials';
import { OrganizationScopeQuery } from '#directory/organizations';
import type { UserWithOrganization } from '#directory/users';
import { type SignInAccount, SignInAccountQuery } from '../accounts/sign-in-account.query.js';
import type { AttemptDecision } from '../attempts/attempt-limits.js';
import { AttemptQueueService, OutsideQueue } from '../attempts/attempt-queue.service.js';
import { type FailureReason, type NamedAccount, SignInAttemptsService } from '../attempts/sign-in-attempts.service.js';
import { delayToStep } from '../delay-to-step.js';
import { InvalidCredentials } from '../sign-in-errors.js';
import type { SignInOutcome } from '../sign-in-outcome.js';
import { SignInService } from '../sign-in.service.js';

export interface PasswordLogin {
  /** The slug or id of the organization. */
  readonly organization: string;
  readonly email: string;
  readonly password: string;
}

/** The responses to passwords that a previous system may confirm take a multiple of this time. */
const CONFIRMATION_STEP_MS = 1_000;

type SignedIn = SignInOutcome & { owner: UserWithOrganization };

/**
 * Signs users in with a password. Every failure executes the same statements, computes one hash and publishes one event, so that the
 * response and its time reveal nothing (OWASP ASVS 6.3.8). A lock has another response, even for an address without an account.
 */
@Injectable()
export class PasswordSignInService {
  constructor(
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly signInAccounts: SignInAccountQuery,
    private readonly attemptQueue: AttemptQueueService,
    private readonly signInAttempts: SignInAttemptsService,
    private readonly passwords: PasswordsService,
    private readonly previousPasswords: PreviousPasswordsService,
    private readonly signIn: SignInService,
  ) {}

  /**
   * @throws InvalidCredentials (401), SignInLocked, TooManySignIns (429), HashingOverloaded (503); with the correct password,
   * OrganizationSuspended, OrganizationPending (409)
   */
  async login(ctx: RequestContext, login: PasswordLogin): Promise<SignedIn> {
    return this.attemptQueue.run(ctx, login, async () => {
      const organization = await this.organizationScopes.findScope(ctx, login.organization);
      return this.attempt(ctx, { organization, organizationHandle: login.organization, email: login.email }, login.password);
    });
  }

  private async attempt(
    ctx: RequestContext,
    account: NamedAccount,
    password: string,
  ): Promise<SignedIn | OutsideQueue<SignedIn>> {
    const finding = this.signInAccounts.find(ctx, account.organization, account.email, addressGroup(ctx));
    const isAddressKnown = finding.then((found) => found?.isAddressKnown ?? false);
    const [decision, found] = await Promise.all([this.signInAttempts.begin(ctx, account, isAddressKnown), finding]);
    const counted = async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        // An error that the person did not cause, such as an overload, does not count as a failure.
        const isFailure = error instanceof InvalidCredentials || decision.kind === 'refused';
        if (!isFailure) await this.signInAttempts.withdraw(ctx, account);
        throw error;
      }
    };
    return counted(async () => {
      const isAdmitted = decision.kind === 'admitted';
      // A locked account has the same response whatever a previous system would say.
      const organization = isAdmitted ? account.organization : null;
      const verified = await this.verifyPassword(ctx, organization, isAdmitted ? found : null, password);
      if (typeof verified === 'boolean') return this.conclude(ctx, account, found, decision, verified);
      return new OutsideQueue(() => counted(async () => this.conclude(ctx, account, found, decision, await verified())));
    });
  }

  /**
   * Returns whether the stored hash confirms the password. If a previous system has to be asked, returns a function that asks it outside of
   * the queue. Both take the same time for a nonexistent account (null), as long as the previous system takes less than a step.
   * @throws HashingOverloaded (503), and PreviousSystemUnavailable (503) from the function
   */
  private async verifyPassword(
    ctx: RequestContext,
    organization: OrganizationScope | null,
    account: SignInAccount | null,
    password: string,
  ): Promise<boolean | (() => Promise<boolean>)> {
    const { owner = null, passwordHash = null } = account ?? {};
    const isCorrect = await this.passwords.verifyStored(ctx, owner?.user ?? null, passwordHash, password);
    if (isCorrect || !organization) return isCorrect;
    const signIn = { organization, owner, hasHash: passwordHash !== null, password };
    const confirm = await this.previousPasswords.prepare(ctx, signIn);
    return confirm ? () => delayToStep(CONFIRMATION_STEP_MS, confirm) : false;
  }

  private async conclude(
    ctx: RequestContext,
    account: NamedAccount,
    found: SignInAccount | null,
    decision: AttemptDecision,
    isCorrect: boolean,
  ): Promise<SignedIn> {
    const { organization } = account;
    const owner = found?.owner ?? null;
    if (decision.kind === 'admitted' && isCorrect && organization && owner?.user.status === 'active') {
      const { earlierFailures } = decision;
      const verified = { owner, organization, method: 'password', multiFactor: false, earlierFailures } as const;
      const outcome = await this.signIn.complete(ctx, verified);
      // After the correct password, only wrong second factors count as failures.
      if (outcome.kind === 'mfa_required') await this.signInAttempts.withdraw(ctx, account);
      return { ...outcome, owner };
    }
    await this.recordFailure(ctx, account, owner, decision, isCorrect);
    throw decision.kind === 'admitted' ? new InvalidCredentials() : this.signInAttempts.lockedError(decision);
  }

  private async recordFailure(
    ctx: RequestContext,
    { organization, email }: NamedAccount,
    owner: UserWithOrganization | null,
    decision: AttemptDecision,
    isCorrect: boolean,
  ): Promise<void> {
    if (!organization) return;
    await this.signInAttempts.recordFailure(ctx, organization, {
      owner,
      email,
      method: 'password',
      reason: reasonOf(decision, owner, isCorrect),
      failedAttempts: decision.kind === 'refused' ? decision.failures : decision.fromAddress.failures,
      locked: decision.kind === 'admitted' && decision.locks,
    });
  }
}

function reasonOf(decision: AttemptDecision, owner: UserWithOrganization | null, isCorrect: boolean): FailureReason {
  if (decision.kind === 'refused') return 'locked';
  if (!owner) return 'unknown_user';
  if (!isCorrect) return 'wrong_password';
  return owner.user.status === 'suspended' ? 'user_suspended' : 'user_pending';
}
