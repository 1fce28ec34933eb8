import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, type RowOf } from '#platform/database';
import { type DataSubject, definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const GRANTS = definePersonalData('oauthGrants', {
  description: 'What the user allowed applications to do, including revoked grants.',
  tables: ['oauth_grants', 'oauth_sessions'],
  fields: {
    id: field.text('Id of the grant.', 'ogr_01kf2bav4hf7r8v2m5n9q1c3ek'),
    organizationId: field.text('Id of the organization.', 'org_01kf2b7m9ze4k8s1t6w3a5y0pd'),
    clientId: field.text('Id of the OAuth client.', 'app_01kf2bav4hf7r8v2m5n9q1c3ek'),
    scopes: field.texts('Scopes of OpenID Connect.', ['openid', 'email']),
    sessionIds: field.texts('Ids of the sessions at the application, if it receives logout tokens.', [
      'ses_01kf2bk2q7h9v3t5m8w1x4r6ce',
    ]),
    createdAt: field.time('Time of the first consent.'),
    lastUsedAt: field.nullableTime('Time of the last sign-in at the application.'),
    revokedAt: field.nullableTime('Time of the revocation.'),
  },
});

/** Reads the grants of a user for the export of the user. */
@Injectable()
export class GrantPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(GRANTS, (ctx, subject) => this.list(ctx, subject));
  }

  private async list(ctx: RequestContext, subject: DataSubject): Promise<RowOf<typeof GRANTS.row>[]> {
    const rows: RowOf<typeof GRANTS.row>[] = [];
    for (const tenantId of subject.tenantIds) {
      const found = await this.query(
        ctx,
        GRANTS.row,
        `SELECT g.id, g.organization_id AS "organizationId", g.client_id AS "clientId", g.scopes,
           ARRAY(SELECT s.session_id FROM oauth_sessions s WHERE s.tenant_id = $1 AND s.grant_id = g.id ORDER BY 1) AS "sessionIds", g.created_at AS "createdAt",
           g.last_used_at AS "lastUsedAt", g.revoked_at AS "revokedAt"
         FROM oauth_grants g JOIN organizations o ON o.tenant_id = g.tenant_id AND o.id = g.organization_id
         WHERE g.tenant_id = $1 AND g.user_tenant_id = $2 AND g.user_id = $3
           AND ($4::text[] IS NULL OR o.id = ANY ($4) OR o.ancestor_ids && $4)
         ORDER BY g.id`,
        [tenantId, subject.tenantId, subject.id, subject.organizationIds],
      );
      rows.push(...found);
    }
    return rows;
  }
}
