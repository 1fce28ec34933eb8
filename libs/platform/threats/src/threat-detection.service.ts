import { Injectable } from '@nestjs/common';
import { isId, type RequestContext } from '#platform/common';
import { type EventData, type EventOrganization, UnitOfWork } from '#platform/events';
import { ThreatReportQuery } from './threat-report.query.js';

const QUIET_MS = 3_600_000;

export type ThreatRule =
  | 'many_failures' // failed sign-ins of one account from one address, which lock both
  | 'many_accounts' // failed sign-ins of many accounts from one address
  | 'success_after_failures'
  | 'new_device_after_absence'
  | 'totp_reused'
  | 'passkey_counter'
  | 'one_time_token_reused'
  | 'oauth_token_reused' // a code or refresh token of an OAuth client, used twice
  | 'recovery_code_used'
  | 'role_granted_to_self'
  | 'webhook_target_internal';

export interface Threat {
  readonly rule: ThreatRule;
  readonly riskLevel: EventData<'security.suspicious_activity'>['riskLevel'];
  /** ID of the user or webhook, or an IP address. */
  readonly subjectId: string;
  /** The observations that led to the report. Contains no secrets. */
  readonly signals: Record<string, unknown>;
  /** What the service did about the activity: `none`, `locked`, `refused`, … */
  readonly action: string;
}

/** Publishes `security.suspicious_activity`. */
@Injectable()
export class ThreatDetectionService {
  constructor(
    private readonly threatReport: ThreatReportQuery,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Publishes at most one event per hour for a rule and subject, across all processes. Runs in the transaction of `ctx`: pass a context
   * without a transaction if the report must outlive a failed request. Returns whether an event was published.
   */
  async report(ctx: RequestContext, organization: EventOrganization, threat: Threat): Promise<boolean> {
    const { rule, riskLevel, subjectId, signals, action } = threat;
    return this.work.run(ctx, async (ctx) => {
      const now = this.work.now();
      const quietSince = new Date(now.getTime() - QUIET_MS);
      const key = { tenantId: organization.tenantId, rule, subjectId };
      if (!(await this.threatReport.claim(ctx, key, now, quietSince))) return false;
      const about = isId('user', subjectId) ? { userId: subjectId } : {};
      await this.work.publish(ctx, 'security.suspicious_activity', organization, { rule, riskLevel, signals, action }, about);
      return true;
    });
  }

  /** Deletes at most `limit` reports older than an hour. Returns the number of deleted reports. */
  async deleteOldReports(ctx: RequestContext, limit: number): Promise<number> {
    return this.threatReport.deleteOld(ctx, new Date(this.work.now().getTime() - QUIET_MS), limit);
  }
}
