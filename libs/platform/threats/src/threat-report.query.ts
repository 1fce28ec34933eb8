import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { CleanupQuery } from '#platform/database';
import { DataSource } from 'typeorm';

export interface ReportKey {
  readonly tenantId: string;
  readonly rule: string;
  readonly subjectId: string;
}

/** The times at which each rule last reported a subject. */
@Injectable()
export class ThreatReportQuery extends CleanupQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Records that a rule reports a subject at `now`. Returns false if a report after `quietSince` exists or is inserted concurrently.
   */
  async claim(ctx: RequestContext, { tenantId, rule, subjectId }: ReportKey, now: Date, quietSince: Date): Promise<boolean> {
    const changed = await this.execute(
      ctx,
      `INSERT INTO threat_reports (tenant_id, rule, subject, reported_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant_id, rule, subject) DO UPDATE SET reported_at = excluded.reported_at
         WHERE threat_reports.reported_at <= $5`,
      [tenantId, rule, subjectId, now, quietSince],
    );
    return changed === 1;
  }

  /** Deletes at most `limit` reports up to the time `before`. Returns the number of deleted reports. */
  async deleteOld(ctx: RequestContext, before: Date, limit: number): Promise<number> {
    const reports = { table: 'threat_reports', key: 'tenant_id, rule, subject', where: 'reported_at <= $1' };
    return this.deleteBatch(ctx, reports, [before], limit);
  }
}
