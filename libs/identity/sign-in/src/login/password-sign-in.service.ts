import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { OrganizationScopeQuery } from '#directory/organizations';
import { SignInUsersService, type UserAtHome } from '#directory/users';
import type { AttemptDecision } from '../attempts/attempt-limits.js';
import { AttemptQueue } from '../attempts/attempt-queue.js';
import { type NamedAccount, SignInAttemptsService } from '../attempts/sign-in-attempts.service.js';
import { InvalidCredentials, SignInLocked } from '../sign-in-errors.js';
import type { SignInOutcome } from '../sign-in-outcome.js';
import { SignInService } from '../sign-in.service.js';
import { FailedSignInsService, type FailureReason } from './failed-sign-ins.service.js';

export interface PasswordLogin {
  /** Slug or id. */
  readonly organization: string;
  readonly email: string;
  readonly password: string;
}

type SignedIn = SignInOutcome & { user: UserAtHome };

/**
 * Sign-in with a password. Whatever is wrong, the answer, the work and so the time are the same: the same queries, one hash, one event
 * (OWASP ASVS 6.3.8). Only a lock is told apart, and locks strike addresses that belong to nobody just the same.
 */
@Injectable()
export class PasswordSignInService {
  constructor(
    private readonly scopes: OrganizationScopeQuery,
    private readonly users: SignInUsersService,
    private readonly queue: AttemptQueue,
    private readonly attempts: SignInAttemptsService,
    private readonly passwords: PasswordsService,
    private readonly signIn: SignInService,
    private readonly failed: FailedSignInsService,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws InvalidCredentials (401), SignInLocked, TooManySignIns (429), HashingOverloaded (503),
   * and with the right password OrganizationSuspended, OrganizationPending (409)
   */
  async login(ctx: RequestContext, login: PasswordLogin): Promise<SignedIn> {
    return this.queue.run(ctx, login, async () => {
      const organization = await this.scopes.findScope(ctx, login.organization);
      const user = await this.users.find(ctx, organization, login.email);
      const named = { organization, organizationHandle: login.organization, email: login.email };
      return this.attempt(ctx, named, user, login.password);
    });
  }

  private async attempt(ctx: RequestContext, named: NamedAccount, user: UserAtHome | null, password: string): Promise<SignedIn> {
    const judgement = await this.attempts.begin(ctx, named, user?.user ?? null);
    try {
      return await this.judged(ctx, named, user, judgement, password);
    } catch (error) {
      // What is no failure of the person, such as an overload, does not count as one.
      const counts = error instanceof InvalidCredentials || judgement.kind === 'refused';
      if (!counts) await this.attempts.withdraw(ctx, named);
      throw error;
    }
  }

  private async judged(
    ctx: RequestContext,
    named: NamedAccount,
    user: UserAtHome | null,
    judgement: AttemptDecision,
    password: string,
  ): Promise<SignedIn> {
    const { organization, email } = named;
    const owner = judgement.kind === 'admitted' && user ? user.user : { tenantId: organization?.tenantId ?? '', id: NOBODY };
    const isRight = await this.passwords.verify(ctx, owner, password);
    if (judgement.kind === 'admitted' && isRight && organization && user?.user.status === 'active') {
      const { earlierFailures } = judgement;
      const outcome = await this.signIn.complete(ctx, {
        user,
        organization,
        method: 'password',
        multiFactor: false,
        earlierFailures,
      });
      // The password was right: only wrong proofs of the second factor count from here on.
      if (outcome.kind === 'mfa_required') await this.attempts.withdraw(ctx, named);
      return { ...outcome, user };
    }
    const locked = judgement.kind === 'admitted' && judgement.locks;
    const failedAttempts = judgement.kind === 'refused' ? judgement.failures : judgement.pair.failures;
    const reason = reasonOf(judgement, user, isRight);
    if (organization)
      await this.failed.record(ctx, organization, {
        user: user?.user ?? null,
        email,
        method: 'password',
        reason,
        failedAttempts,
        locked,
      });
    if (judgement.kind === 'admitted') throw new InvalidCredentials();
    throw new SignInLocked(secondsUntil(judgement.until, this.clock.now()));
  }
}

/** No user has this id: the search for a password costs the same. */
const NOBODY = '';

function reasonOf(judgement: AttemptDecision, user: UserAtHome | null, isRight: boolean): FailureReason {
  if (judgement.kind === 'refused') return 'locked';
  if (!user) return 'unknown_user';
  if (!isRight) return 'wrong_password';
  return user.user.status === 'suspended' ? 'user_suspended' : 'user_pending';
}

const secondsUntil = (until: Date, now: Date): number => Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000));
