import { Injectable } from '@nestjs/common';
import { isId, type RequestContext } from '#platform/common';
import { type EventData, type EventOrganization, UnitOfWork } from '#platform/events';
import { ThreatReportRepository } from './threat-report.repository.js';

const QUIET_MS = 3_600_000;

/** What was noticed. */
export type ThreatRule =
  | 'many_failures' // failed sign-ins of one account from one address, which lock the two
  | 'many_accounts' // failed sign-ins of many accounts from one address
  | 'success_after_failures'
  | 'new_device_after_absence'
  | 'totp_reused'
  | 'passkey_counter'
  | 'one_time_token_reused'
  | 'recovery_code_used'
  | 'role_granted_to_self'
  | 'webhook_target_internal';

export interface Threat {
  readonly rule: ThreatRule;
  readonly riskLevel: EventData<'security.suspicious_activity'>['riskLevel'];
  /** Whom or what it is about: the id of a user or webhook, an address. */
  readonly subjectId: string;
  /** What led to the conclusion; no secrets. */
  readonly signals: Record<string, unknown>;
  /** What the service did about it: `none`, `locked`, `refused`, … */
  readonly action: string;
}

/** Publishes `security.suspicious_activity`. */
@Injectable()
export class ThreatDetectionService {
  constructor(
    private readonly reports: ThreatReportRepository,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Tells of a threat, unless the same rule told of the same subject within the last hour; exact over all processes. In the caller's
   * transaction if there is one: what is to be told although the request fails is reported outside. Gives whether it was told.
   */
  async report(ctx: RequestContext, organization: EventOrganization, threat: Threat): Promise<boolean> {
    const { rule, riskLevel, subjectId, signals, action } = threat;
    return this.work.run(ctx, async (ctx) => {
      const now = this.work.now();
      const quietSince = new Date(now.getTime() - QUIET_MS);
      if (!(await this.reports.claim(ctx, organization.tenantId, rule, subjectId, now, quietSince))) return false;
      const about = isId('user', subjectId) ? { userId: subjectId } : {};
      await this.work.publish(ctx, 'security.suspicious_activity', organization, { rule, riskLevel, signals, action }, about);
      return true;
    });
  }

  /** Forgets what was told more than an hour ago; gives how many were forgotten, at most `limit`. */
  async forgetOld(ctx: RequestContext, limit: number): Promise<number> {
    return this.reports.removeOld(ctx, new Date(this.work.now().getTime() - QUIET_MS), limit);
  }
}
