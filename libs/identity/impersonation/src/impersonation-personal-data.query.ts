import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, type RowOf } from '#platform/database';
import { type DataSubject, definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const IMPERSONATIONS = definePersonalData('impersonations', {
  description: 'Sign-ins for support as the user, and of the user as other users, with their requests.',
  tables: ['impersonations'],
  fields: {
    id: field.text('Id of the impersonation.', 'imp_01kf2bav4hf7r8v2m5n9q1c3ek'),
    organizationId: field.text('Id of the organization.', 'org_01kf2b7m9ze4k8s1t6w3a5y0pd'),
    userId: field.text('Id of the user as whom somebody signed in.', 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw'),
    impersonatorId: field.text('Id of the user who acted or asked to act.', 'usr_01kf2b8v3cf5h9r4n0j7d2q6xz'),
    impersonatorEmail: field.text('Email address of this user at the time of the request.', 'support@example.com'),
    reason: field.text('Reason for the request.', 'Ticket 4711: the invoice page is empty'),
    status: field.text('`pending`, `approved`, `active`, `denied`, `expired` or `ended`.', 'ended'),
    createdAt: field.time('Time of the request.'),
    startedAt: field.nullableTime('Time of the sign-in.'),
    endedAt: field.nullableTime('Time of the end.'),
  },
});

/** Reads the impersonations of and by a user for the export of the user. */
@Injectable()
export class ImpersonationPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(IMPERSONATIONS, (ctx, subject) => this.list(ctx, subject));
  }

  private async list(ctx: RequestContext, subject: DataSubject): Promise<RowOf<typeof IMPERSONATIONS.row>[]> {
    const rows: RowOf<typeof IMPERSONATIONS.row>[] = [];
    for (const tenantId of subject.tenantIds) {
      const found = await this.query(
        ctx,
        IMPERSONATIONS.row,
        `SELECT i.id, i.organization_id AS "organizationId", i.user_id AS "userId", i.impersonator_id AS "impersonatorId",
           i.impersonator_email AS "impersonatorEmail", i.reason, i.status, i.created_at AS "createdAt", i.started_at AS "startedAt",
           i.ended_at AS "endedAt"
         FROM impersonations i JOIN organizations o ON o.tenant_id = i.tenant_id AND o.id = i.organization_id
         WHERE i.tenant_id = $1 AND (i.user_id = $2 OR i.impersonator_id = $2)
           AND ($3::text[] IS NULL OR o.id = ANY ($3) OR o.ancestor_ids && $3)
         ORDER BY i.id`,
        [tenantId, subject.id, subject.organizationIds],
      );
      rows.push(...found);
    }
    return rows;
  }
}
