import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { addressGroup } from '#platform/http';
import { ThreatDetectionService } from '#platform/threats';
import type { User } from '#directory/users';
import { FAILURES_UNTIL_LOCK } from './attempt-limits.js';
import { SignInOriginRepository } from './sign-in-origin.repository.js';

const ABSENCE_MS = 90 * 24 * 3_600_000;

/** Records the IP addresses and devices that users sign in from, and reports suspicious sign-ins. */
@Injectable()
export class SignInOriginsService {
  constructor(
    private readonly signInOrigins: SignInOriginRepository,
    private readonly threatDetection: ThreatDetectionService,
    private readonly clock: Clock,
  ) {}

  /** Records a successful sign-in in the caller's transaction. */
  record(ctx: RequestContext, user: User): void {
    const now = this.clock.now();
    this.signInOrigins.record(ctx, user, 'address', addressGroup(ctx), now);
    this.signInOrigins.record(ctx, user, 'device', deviceOf(ctx), now);
  }

  /** Reports a suspicious sign-in in the caller's transaction, before the sign-in is recorded. */
  async reportSuspicious(
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
    if (lastLoginAt === null || this.clock.now().getTime() - lastLoginAt.getTime() < ABSENCE_MS) return;
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

const deviceOf = ({ userAgent }: RequestContext): string => userAgent ?? 'unknown';

const signalsOf = ({ ipAddress, userAgent }: RequestContext, { id: userId }: User) => ({
  userId,
  ipAddress: ipAddress ?? null,
  userAgent: userAgent ?? null,
});
