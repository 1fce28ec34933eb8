import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, type RowOf } from '#platform/database';
import { type DataSubject, definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const SETUP_LINKS = definePersonalData('setupLinks', {
  description: 'Setup links that the user created, without their tokens. Revoked links are deleted.',
  tables: ['setup_links'],
  fields: {
    id: field.text('Id of the setup link.', 'sl_01kf2bav4hf7r8v2m5n9q1c3ek'),
    organizationId: field.text('Id of the organization.', 'org_01kf2b7m9ze4k8s1t6w3a5y0pd'),
    steps: field.texts('What the link can set up.', ['domain', 'sso']),
    createdAt: field.time('Time of the creation.'),
    expiresAt: field.time('Time at which the link expires.'),
  },
});

/** Reads the setup links of a user for the export of the user. */
@Injectable()
export class SetupLinkPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(SETUP_LINKS, (ctx, subject) => this.list(ctx, subject));
  }

  private async list(ctx: RequestContext, subject: DataSubject): Promise<RowOf<typeof SETUP_LINKS.row>[]> {
    const rows: RowOf<typeof SETUP_LINKS.row>[] = [];
    for (const tenantId of subject.tenantIds) {
      const found = await this.query(
        ctx,
        SETUP_LINKS.row,
        `SELECT l.id, l.organization_id AS "organizationId", l.steps, l.created_at AS "createdAt", l.expires_at AS "expiresAt"
         FROM setup_links l JOIN organizations o ON o.tenant_id = $1 AND o.id = l.organization_id
         WHERE l.tenant_id = $1 AND l.owner_tenant_id = $2 AND l.owner_id = $3
           AND ($4::text[] IS NULL OR o.id = ANY ($4) OR o.ancestor_ids && $4)
         ORDER BY l.id`,
        [tenantId, subject.tenantId, subject.id, subject.organizationIds],
      );
      rows.push(...found);
    }
    return rows;
  }
}
