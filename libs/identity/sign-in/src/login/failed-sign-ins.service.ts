import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import type { MfaFailed, PasskeyRefused } from '#identity/mfa';
import { ThreatDetectionService } from '#platform/threats';
import type { User } from '#directory/users';
import { SignInAttemptsService } from '../attempts/sign-in-attempts.service.js';
import type { FirstFactor } from '../sign-in-outcome.js';

const MANY_ACCOUNTS = 20;
const MANY_ACCOUNTS_WITHIN_MS = 10 * 60_000;

/** Why a sign-in failed: for the organization's events, never for whoever tried. */
export type FailureReason =
  | 'locked'
  | 'unknown_user'
  | 'user_suspended'
  | 'user_pending'
  | 'wrong_password'
  | MfaFailed['reason']
  | PasskeyRefused['reason'];

export interface FailedSignIn {
  readonly user: User | null;
  readonly email: string;
  /** The first factor. */
  readonly method: FirstFactor;
  readonly reason: FailureReason;
  /** In a row, with this one. */
  readonly failedAttempts: number;
  /** This failure locked the account for the address. */
  readonly locked: boolean;
}

/** Tells of failed sign-ins, and of what they add up to. */
@Injectable()
export class FailedSignInsService {
  constructor(
    private readonly attempts: SignInAttemptsService,
    private readonly threats: ThreatDetectionService,
    private readonly work: UnitOfWork,
  ) {}

  /** Publishes `user.login_failed` at the organization that was named, whether it has such a user or not. */
  async record(ctx: RequestContext, organization: OrganizationScope, failed: FailedSignIn): Promise<void> {
    const { user, email, method, reason, failedAttempts } = failed;
    const about = user ? { userId: user.id } : {};
    await this.work.run(ctx, async (ctx) => {
      const data = { ...about, email, method, reason, failedAttempts };
      await this.work.publish(ctx, 'user.login_failed', organization, data, about);
      if (failed.locked) await this.tellOfLock(ctx, organization, failed);
      await this.tellOfManyAccounts(ctx, organization);
    });
  }

  private async tellOfLock(ctx: RequestContext, organization: OrganizationScope, failed: FailedSignIn): Promise<void> {
    const { user, email, failedAttempts: failures } = failed;
    const signals = { ...(user ? { userId: user.id } : {}), email, ...originOf(ctx), failures };
    const threat = {
      rule: 'many_failures',
      riskLevel: 'medium',
      subjectId: user?.id ?? email,
      signals,
      action: 'locked',
    } as const;
    await this.threats.report(ctx, organization, threat);
  }

  private async tellOfManyAccounts(ctx: RequestContext, organization: OrganizationScope): Promise<void> {
    const since = new Date(this.work.now().getTime() - MANY_ACCOUNTS_WITHIN_MS);
    const accounts = await this.attempts.countFailedAccounts(ctx, organization.tenantId, since, MANY_ACCOUNTS);
    if (accounts < MANY_ACCOUNTS) return;
    const signals = { ...originOf(ctx), accounts };
    const subjectId = ctx.ipAddress ?? 'unknown';
    await this.threats.report(ctx, organization, {
      rule: 'many_accounts',
      riskLevel: 'high',
      subjectId,
      signals,
      action: 'none',
    });
  }
}

const originOf = ({ ipAddress, userAgent }: RequestContext) => ({ ipAddress: ipAddress ?? null, userAgent: userAgent ?? null });
