import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';

/** When a rule last told of a subject. */
@Injectable()
export class ThreatReportRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Notes that the rule tells of the subject now; of several at once one gets true, and none when it told since `quietSince`. */
  async claim(
    ctx: RequestContext,
    tenantId: string,
    rule: string,
    subject: string,
    now: Date,
    quietSince: Date,
  ): Promise<boolean> {
    const rows = await this.query(
      ctx,
      `INSERT INTO threat_reports (tenant_id, rule, subject, reported_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant_id, rule, subject) DO UPDATE SET reported_at = excluded.reported_at
         WHERE threat_reports.reported_at <= $5
       RETURNING rule`,
      [tenantId, rule, subject, now, quietSince],
    );
    return rows.length === 1;
  }

  async removeOld(ctx: RequestContext, before: Date, limit: number): Promise<number> {
    return this.execute(
      ctx,
      `DELETE FROM threat_reports WHERE reported_at <= $1 AND (tenant_id, rule, subject) IN
         (SELECT tenant_id, rule, subject FROM threat_reports WHERE reported_at <= $1 LIMIT $2)`,
      [before, limit],
    );
  }
}
