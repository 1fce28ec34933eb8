import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { addressGroup } from '#platform/http';
import { ThreatDetectionService } from '#platform/threats';
import type { User } from '#directory/users';
import { FAILURES_UNTIL_LOCK } from './attempt-limits.js';
import { SignInOriginRepository } from './sign-in-origin.repository.js';

const ABSENCE_MS = 90 * 24 * 3_600_000;

/** Remembers from where people sign in, and tells when a sign-in looks like somebody else's. */
@Injectable()
export class SignInOriginsService {
  constructor(
    private readonly origins: SignInOriginRepository,
    private readonly threats: ThreatDetectionService,
    private readonly clock: Clock,
  ) {}

  /** Notes a successful sign-in in the caller's transaction, before `lastLoginAt` is moved on. */
  async note(ctx: RequestContext, organization: OrganizationScope, user: User, earlierFailures: number): Promise<void> {
    const now = this.clock.now();
    const device = ctx.userAgent ?? 'unknown';
    const about = { userId: user.id, ipAddress: ctx.ipAddress ?? null, userAgent: ctx.userAgent ?? null };
    const absent = user.lastLoginAt !== null && now.getTime() - user.lastLoginAt.getTime() >= ABSENCE_MS;
    if (absent && !(await this.origins.isKnown(ctx, user, 'device', device))) {
      const signals = { ...about, lastLoginAt: user.lastLoginAt!.toISOString() };
      const threat = {
        rule: 'new_device_after_absence',
        riskLevel: 'medium',
        subjectId: user.id,
        signals,
        action: 'none',
      } as const;
      await this.threats.report(ctx, organization, threat);
    }
    if (earlierFailures >= FAILURES_UNTIL_LOCK) {
      const signals = { ...about, failures: earlierFailures };
      const threat = { rule: 'success_after_failures', riskLevel: 'high', subjectId: user.id, signals, action: 'none' } as const;
      await this.threats.report(ctx, organization, threat);
    }
    await this.origins.record(ctx, user, 'address', addressGroup(ctx.ipAddress), now);
    await this.origins.record(ctx, user, 'device', device, now);
  }
}
