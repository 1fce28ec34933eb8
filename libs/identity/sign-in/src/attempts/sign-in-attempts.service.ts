import { Injectable } from '@nestjs/common';
import { emailKey, type OrganizationScope, type RequestContext } from '#platform/common';
import { hashToken } from '#platform/crypto';
import { pipeline } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import { addressGroup } from '#platform/http';
import type { MfaFailed, PasskeyRefused } from '#identity/mfa';
import { ThreatDetectionService } from '#platform/threats';
import type { UserKey } from '#directory/sessions';
import { SignInUsersService, type User, type UserWithOrganization } from '#directory/users';
import { SignInLocked } from '../sign-in-errors.js';
import type { FirstFactor } from '../sign-in-outcome.js';
import { type AttemptDecision, decideAttempt, FAILURES_UNTIL_LOCK, type RefusedAttempt } from './attempt-limits.js';
import { type AccountKey, SignInFailureQuery } from './sign-in-failure.query.js';
import { SignInOriginRepository } from './sign-in-origin.repository.js';

/** The account in a sign-in request. The organization and the user may not exist. */
export interface NamedAccount {
  /** Null for a nonexistent organization. */
  readonly organization: OrganizationScope | null;
  /** The id or slug from the request. */
  readonly organizationHandle: string;
  readonly email: string;
}

/** The tenant id for failures in nonexistent organizations. */
const NO_TENANT = 'none';

const ABSENCE_MS = 90 * 24 * 3_600_000;

const MANY_ACCOUNTS = 20;
const MANY_ACCOUNTS_WITHIN_MS = 10 * 60_000;

/** The reason for a failed sign-in. Only events contain the reason. */
export type FailureReason =
  | 'locked'
  | 'unknown_user'
  | 'user_suspended'
  | 'user_pending'
  | 'wrong_password'
  | 'sso_required'
  | MfaFailed['reason']
  | PasskeyRefused['reason'];

/** The reasons that a wrong password can have, and the reason that the same attempt has for a nonexistent user. */
const AS_UNKNOWN: Readonly<Partial<Record<FailureReason, FailureReason>>> = {
  locked: 'locked',
  wrong_password: 'unknown_user',
  user_suspended: 'unknown_user',
  user_pending: 'unknown_user',
};

export interface FailedSignIn {
  readonly owner: UserWithOrganization | null;
  readonly email: string;
  readonly method: FirstFactor;
  readonly reason: FailureReason;
  /** The number of failures in a row, including this failure. */
  readonly failedAttempts: number;
  /** Whether this failure locked the account for the IP address. */
  readonly locked: boolean;
}

/**
 * Limits attempts, counts failed sign-ins in the database for all processes, and records failed and successful sign-ins. Reports threats:
 * too many failures, and suspicious successes.
 */
@Injectable()
export class SignInAttemptsService {
  constructor(
    private readonly signInFailures: SignInFailureQuery,
    private readonly signInOrigins: SignInOriginRepository,
    private readonly signInUsers: SignInUsersService,
    private readonly threatDetection: ThreatDetectionService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Decides whether an attempt is admitted, and counts it as failed until `reset` or `withdraw`. Must run outside a transaction, so that
   * concurrent attempts read the count. `isAddressKnown` is whether the user has signed in from the caller's IP address before.
   */
  async begin(ctx: RequestContext, account: NamedAccount, isAddressKnown: Promise<boolean>): Promise<AttemptDecision> {
    if (ctx.transaction) throw new Error('An attempt must be counted in its own transaction.');
    const key = accountKey(account);
    const address = addressGroup(ctx);
    const decide = this.work.run(ctx, async (ctx) => {
      const now = this.work.now();
      const [counts, isKnown] = await Promise.all([this.signInFailures.lock(ctx, key, address, now), isAddressKnown]);
      const decision = decideAttempt({ ...counts, isAddressKnown: isKnown }, now);
      const update = () => this.signInFailures.update(ctx, key, address, decision.kind === 'admitted' ? decision : counts);
      await pipeline(ctx, [update], { commit: true });
      return decision;
    });
    const [decision] = await Promise.all([decide, isAddressKnown]);
    return decision;
  }

  lockedError({ until }: RefusedAttempt): SignInLocked {
    return new SignInLocked(Math.max(1, Math.ceil((until.getTime() - this.work.now().getTime()) / 1_000)));
  }

  /** Subtracts an attempt that neither succeeded nor failed, for example because of an overload. */
  async withdraw(ctx: RequestContext, account: NamedAccount): Promise<void> {
    await this.signInFailures.withdraw(ctx, accountKey(account), addressGroup(ctx));
  }

  /** Resets the failures of a user from the caller's IP address. */
  async reset(ctx: RequestContext, { tenantId, email }: UserKey & { email: string }): Promise<void> {
    const key = { tenantId, account: hashToken(emailKey(email)) };
    await this.signInFailures.clear(ctx, key, addressGroup(ctx));
  }

  /** Returns whether the user has signed in from the caller's IP address before. */
  isAddressKnown(ctx: RequestContext, user: UserKey): Promise<boolean> {
    return this.signInOrigins.isKnown(ctx, user, 'address', addressGroup(ctx));
  }

  /** Records the caller's IP address as known, in the caller's transaction. */
  trustAddress(ctx: RequestContext, user: UserKey): void {
    this.signInOrigins.record(ctx, user, 'address', addressGroup(ctx), this.work.now());
  }

  /** Resets the failures, records the IP address and the device, and updates `lastLoginAt`, in the caller's transaction. */
  async recordSuccess(ctx: RequestContext, organization: OrganizationScope, user: User, earlierFailures: number): Promise<void> {
    // First, because it compares with the last sign-in.
    await this.reportSuspicious(ctx, organization, user, earlierFailures);
    await pipeline(ctx, [() => this.reset(ctx, user), ...this.signInUsers.signInRecords(ctx, user, this.work.now())]);
    this.trustAddress(ctx, user);
    this.signInOrigins.record(ctx, user, 'device', deviceOf(ctx), this.work.now());
  }

  /**
   * Publishes `user.login_failed` in the organization that manages the user. Whoever reads the events of another requested organization must
   * not learn who its ancestors manage, so this organization gets the event of a nonexistent user, if a nonexistent user has one.
   */
  async recordFailure(ctx: RequestContext, organization: OrganizationScope, failed: FailedSignIn): Promise<void> {
    const managing = failed.owner?.managingOrganization ?? organization;
    await this.work.run(ctx, async (ctx) => {
      await this.publishFailure(ctx, managing, failed);
      if (managing.id !== organization.id && failed.method === 'password' && failed.reason in AS_UNKNOWN)
        await this.publishFailure(ctx, organization, {
          ...failed,
          owner: null,
          reason: AS_UNKNOWN[failed.reason] ?? failed.reason,
        });
      await this.reportManyAccounts(ctx, organization);
    });
  }

  private async publishFailure(ctx: RequestContext, organization: OrganizationScope, failed: FailedSignIn): Promise<void> {
    const { owner, email, method, reason, failedAttempts } = failed;
    const subject = owner ? { userId: owner.user.id } : {};
    const data = { ...subject, email, method, reason, failedAttempts };
    await this.work.publish(ctx, 'user.login_failed', organization, data, subject);
    if (failed.locked) await this.reportLock(ctx, organization, failed);
  }

  private async reportLock(ctx: RequestContext, organization: OrganizationScope, failed: FailedSignIn): Promise<void> {
    const { email, failedAttempts: failures } = failed;
    const user = failed.owner?.user;
    await this.threatDetection.report(ctx, organization, {
      rule: 'many_failures',
      riskLevel: 'medium',
      subjectId: user?.id ?? email,
      signals: { ...(user ? { userId: user.id } : {}), email, ...originOf(ctx), failures },
      action: 'locked',
    });
  }

  private async reportManyAccounts(ctx: RequestContext, organization: OrganizationScope): Promise<void> {
    const since = new Date(this.work.now().getTime() - MANY_ACCOUNTS_WITHIN_MS);
    const accounts = await this.signInFailures.countAccounts(ctx, organization.tenantId, addressGroup(ctx), since, MANY_ACCOUNTS);
    if (accounts < MANY_ACCOUNTS) return;
    await this.threatDetection.report(ctx, organization, {
      rule: 'many_accounts',
      riskLevel: 'high',
      subjectId: ctx.ipAddress ?? 'unknown',
      signals: { ...originOf(ctx), accounts },
      action: 'none',
    });
  }

  /** Reports a suspicious sign-in, before the sign-in is recorded. */
  private async reportSuspicious(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: User,
    earlierFailures: number,
  ): Promise<void> {
    await this.reportNewDevice(ctx, organization, user);
    if (earlierFailures >= FAILURES_UNTIL_LOCK)
      await this.threatDetection.report(ctx, organization, {
        rule: 'success_after_failures',
        riskLevel: 'high',
        subjectId: user.id,
        signals: { ...signalsOf(ctx, user), failures: earlierFailures },
        action: 'none',
      });
  }

  private async reportNewDevice(ctx: RequestContext, organization: OrganizationScope, user: User): Promise<void> {
    const { lastLoginAt } = user;
    if (lastLoginAt === null || this.work.now().getTime() - lastLoginAt.getTime() < ABSENCE_MS) return;
    if (await this.signInOrigins.isKnown(ctx, user, 'device', deviceOf(ctx))) return;
    await this.threatDetection.report(ctx, organization, {
      rule: 'new_device_after_absence',
      riskLevel: 'medium',
      subjectId: user.id,
      signals: { ...signalsOf(ctx, user), lastLoginAt: lastLoginAt.toISOString() },
      action: 'none',
    });
  }
}

function accountKey({ organization, organizationHandle, email }: NamedAccount): AccountKey {
  if (organization) return { tenantId: organization.tenantId, account: hashToken(emailKey(email)) };
  return { tenantId: NO_TENANT, account: hashToken(`${organizationHandle}\n${emailKey(email)}`) };
}

const deviceOf = ({ userAgent }: RequestContext): string => userAgent ?? 'unknown';

const originOf = ({ ipAddress, userAgent }: RequestContext) => ({ ipAddress: ipAddress ?? null, userAgent: userAgent ?? null });

const signalsOf = (ctx: RequestContext, { id: userId }: User) => ({ userId, ...originOf(ctx) });
