import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, type RowOf } from '#platform/database';
import { type DataSubject, definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const REQUESTS = definePersonalData('applicationRequests', {
  description: 'Applications for which the user asked the owners of an organization.',
  tables: ['application_approval_requests'],
  fields: {
    approvalId: field.text('Id of the approval.', 'aap_01kf2bav4hf7r8v2m5n9q1c3ek'),
    organizationId: field.text('Id of the organization.', 'org_01kf2b7m9ze4k8s1t6w3a5y0pd'),
    clientId: field.text('Id of the OAuth client.', 'app_01kf2bav4hf7r8v2m5n9q1c3ek'),
    email: field.text('Email address of the user at the time of the request.', 'jane.doe@example.com'),
    reason: field.text('Reason for the request.', 'To see our invoices in the calendar'),
    status: field.text('`pending`, `approved`, `denied` or `revoked`.', 'approved'),
    createdAt: field.time('Time of the request.'),
  },
});

/** Reads the requests of a user for applications, for the export of the user. */
@Injectable()
export class ApprovalPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(REQUESTS, (ctx, subject) => this.list(ctx, subject));
  }

  private async list(ctx: RequestContext, subject: DataSubject): Promise<RowOf<typeof REQUESTS.row>[]> {
    const rows: RowOf<typeof REQUESTS.row>[] = [];
    for (const tenantId of subject.tenantIds) {
      const found = await this.query(
        ctx,
        REQUESTS.row,
        `SELECT r.approval_id AS "approvalId", a.organization_id AS "organizationId", a.client_id AS "clientId", r.email, r.reason, a.status,
           r.created_at AS "createdAt"
         FROM application_approval_requests r
         JOIN application_approvals a ON a.tenant_id = r.tenant_id AND a.id = r.approval_id
         JOIN organizations o ON o.tenant_id = r.tenant_id AND o.id = a.organization_id
         WHERE r.tenant_id = $1 AND r.user_id = $2 AND ($3::text[] IS NULL OR o.id = ANY ($3) OR o.ancestor_ids && $3)
         ORDER BY r.approval_id`,
        [tenantId, subject.id, subject.organizationIds],
      );
      rows.push(...found);
    }
    return rows;
  }
}
