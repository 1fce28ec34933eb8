import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import type { MfaFailed, PasskeyRefused } from '#identity/mfa';
import { ThreatDetectionService } from '#platform/threats';
import type { UserWithOrganization } from '#directory/users';
import { SignInAttemptsService } from '../attempts/sign-in-attempts.service.js';
import type { FirstFactor } from '../sign-in-outcome.js';

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

/** Publishes failed sign-ins, and reports a threat if there are too many. */
@Injectable()
export class FailedSignInsService {
  constructor(
    private readonly signInAttempts: SignInAttemptsService,
    private readonly threatDetection: ThreatDetectionService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Publishes `user.login_failed` in the organization that manages the user. Whoever reads the events of another requested organization must
   * not learn who its ancestors manage, so this organization gets the event of a nonexistent user, if a nonexistent user has one.
   */
  async record(ctx: RequestContext, organization: OrganizationScope, failed: FailedSignIn): Promise<void> {
    const managing = failed.owner?.managingOrganization ?? organization;
    await this.work.run(ctx, async (ctx) => {
      await this.publish(ctx, managing, failed);
      if (managing.id !== organization.id && failed.method === 'password' && failed.reason in AS_UNKNOWN)
        await this.publish(ctx, organization, { ...failed, owner: null, reason: AS_UNKNOWN[failed.reason] ?? failed.reason });
      await this.reportManyAccounts(ctx, organization);
    });
  }

  private async publish(ctx: RequestContext, organization: OrganizationScope, failed: FailedSignIn): Promise<void> {
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
    const accounts = await this.signInAttempts.countFailedAccounts(ctx, organization.tenantId, since, MANY_ACCOUNTS);
    if (accounts < MANY_ACCOUNTS) return;
    await this.threatDetection.report(ctx, organization, {
      rule: 'many_accounts',
      riskLevel: 'high',
      subjectId: ctx.ipAddress ?? 'unknown',
      signals: { ...originOf(ctx), accounts },
      action: 'none',
    });
  }
}

const originOf = ({ ipAddress, userAgent }: RequestContext) => ({ ipAddress: ipAddress ?? null, userAgent: userAgent ?? null });
