import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { UserWithOrganization } from '#directory/users';
import type { SignInAccount } from '../accounts/sign-in-account.query.js';
import { SignInAccountsService } from '../accounts/sign-in-accounts.service.js';
import type { AttemptDecision } from '../attempts/attempt-limits.js';
import { AttemptQueueService, OutsideQueue } from '../attempts/attempt-queue.service.js';
import { type NamedAccount, SignInAttemptsService } from '../attempts/sign-in-attempts.service.js';
import { InvalidCredentials } from '../sign-in-errors.js';
import type { SignInOutcome } from '../sign-in-outcome.js';
import { SignInService } from '../sign-in.service.js';
import { FailedSignInsService, type FailureReason } from './failed-sign-ins.service.js';
import { SignInPasswordsService } from './sign-in-passwords.service.js';

export interface PasswordLogin {
  /** The slug or id of the organization. */
  readonly organization: string;
  readonly email: string;
  readonly password: string;
}

type SignedIn = SignInOutcome & { owner: UserWithOrganization };

/**
 * Signs users in with a password. Every failure executes the same statements, computes one hash and publishes one event, so that the
 * response and its time reveal nothing (OWASP ASVS 6.3.8). A lock has another response, even for an address without an account.
 */
@Injectable()
export class PasswordSignInService {
  constructor(
    private readonly signInAccounts: SignInAccountsService,
    private readonly attemptQueue: AttemptQueueService,
    private readonly signInAttempts: SignInAttemptsService,
    private readonly passwords: SignInPasswordsService,
    private readonly signIn: SignInService,
    private readonly failedSignIns: FailedSignInsService,
  ) {}

  /**
   * @throws InvalidCredentials (401), SignInLocked, TooManySignIns (429), HashingOverloaded (503); with the correct password,
   * OrganizationSuspended, OrganizationPending (409)
   */
  async login(ctx: RequestContext, login: PasswordLogin): Promise<SignedIn> {
    return this.attemptQueue.run(ctx, login, async () => {
      const organization = await this.signInAccounts.findOrganization(ctx, login.organization);
      return this.attempt(ctx, { organization, organizationHandle: login.organization, email: login.email }, login.password);
    });
  }

  private async attempt(
    ctx: RequestContext,
    account: NamedAccount,
    password: string,
  ): Promise<SignedIn | OutsideQueue<SignedIn>> {
    const finding = this.signInAccounts.findWithPassword(ctx, account.organization, account.email);
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
      const verified = await this.passwords.verify(ctx, organization, isAdmitted ? found : null, password);
      if (typeof verified === 'boolean') return this.conclude(ctx, account, found, decision, verified);
      return new OutsideQueue(() => counted(async () => this.conclude(ctx, account, found, decision, await verified())));
    });
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
    await this.failedSignIns.record(ctx, organization, {
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
