import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, type RowOf } from '#platform/database';
import { type DataSubject, definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const BREAK_GLASS_REQUESTS = definePersonalData('breakGlassRequests', {
  description: 'Break-glass requests of the user.',
  tables: ['break_glass_requests'],
  fields: {
    id: field.text('Id of the request.', 'bg_01kf2bk8c1v4m7t9x2w5q3z6pd'),
    organizationId: field.text('Id of the organization.', 'org_01kf2b7m9ze4k8s1t6w3a5y0pd'),
    email: field.text('Email address of the user at the time of the request.', 'jane.doe@example.com'),
    reason: field.text('Reason for the request.', 'No owner can be reached'),
    durationSeconds: field.integer('Requested duration in seconds.', 3_600),
    status: field.text('`pending`, `approved`, `denied`, `expired` or `ended`.', 'ended'),
    createdAt: field.time('Time of the request.'),
    decidedAt: field.nullableTime('Time of the decision.'),
    decisionNote: field.nullableText('Note of the person who decided.', 'Confirmed by phone'),
    endsAt: field.nullableTime('Time at which the approved access ends.'),
    endedAt: field.nullableTime('Time at which the access ended.'),
  },
});

/** Reads the break-glass requests of a user for the export of the user. */
@Injectable()
export class BreakGlassPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(BREAK_GLASS_REQUESTS, (ctx, subject) => this.list(ctx, subject));
  }

  private async list(ctx: RequestContext, subject: DataSubject): Promise<RowOf<typeof BREAK_GLASS_REQUESTS.row>[]> {
    const rows: RowOf<typeof BREAK_GLASS_REQUESTS.row>[] = [];
    for (const tenantId of subject.tenantIds) {
      const found = await this.query(
        ctx,
        BREAK_GLASS_REQUESTS.row,
        `SELECT b.id, b.organization_id AS "organizationId", b.requester_email AS email, b.reason, b.duration_seconds AS "durationSeconds",
           b.status, b.created_at AS "createdAt", b.decided_at AS "decidedAt", b.decision_note AS "decisionNote", b.ends_at AS "endsAt",
           b.ended_at AS "endedAt"
         FROM break_glass_requests b JOIN organizations o ON o.tenant_id = b.tenant_id AND o.id = b.organization_id
         WHERE b.tenant_id = $1 AND b.requester_id = $2 AND ($3::text[] IS NULL OR o.id = ANY ($3) OR o.ancestor_ids && $3)
         ORDER BY b.id`,
        [tenantId, subject.id, subject.organizationIds],
      );
      rows.push(...found);
    }
    return rows;
  }
}
