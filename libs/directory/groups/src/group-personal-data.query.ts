import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, type RowOf } from '#platform/database';
import { type DataSubject, definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const GROUPS = definePersonalData('groups', {
  description: 'Groups of the user.',
  tables: ['group_members'],
  fields: {
    organizationId: field.text('Id of the organization.', 'org_01kf2b7m9ze4k8s1t6w3a5y0pd'),
    organizationName: field.text('Name of the organization.', 'Acme'),
    groupId: field.text('Id of the group.', 'group_01kf2bav4hf7r8v2m5n9q1c3ek'),
    groupName: field.text('Name of the group.', 'Engineering'),
    addedAt: field.time('Time at which the user was added to the group.'),
    addedByType: field.text('Kind of the actor who added the user.', 'user'),
    addedById: field.nullableText('Id of this actor.', 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw'),
  },
});

/** Reads the groups of a user for the export of the user. */
@Injectable()
export class GroupPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(GROUPS, (ctx, subject) => this.list(ctx, subject));
  }

  /** $3 are the organizations of the export, or null for all. */
  private async list(ctx: RequestContext, subject: DataSubject): Promise<RowOf<typeof GROUPS.row>[]> {
    const rows: RowOf<typeof GROUPS.row>[] = [];
    for (const tenantId of subject.tenantIds) {
      const sql = `SELECT p.organization_id AS "organizationId", o.name AS "organizationName", p.group_id AS "groupId", g.name AS "groupName",
          p.added_at AS "addedAt", p.added_by_type AS "addedByType", p.added_by_id AS "addedById"
        FROM group_members p
        JOIN groups g ON g.tenant_id = p.tenant_id AND g.id = p.group_id
        JOIN organizations o ON o.tenant_id = p.tenant_id AND o.id = p.organization_id
        WHERE p.tenant_id = $1 AND p.user_id = $2 AND ($3::text[] IS NULL OR o.id = ANY ($3) OR o.ancestor_ids && $3)
        ORDER BY p.organization_id, p.group_id`;
      rows.push(...(await this.query(ctx, GROUPS.row, sql, [tenantId, subject.id, subject.organizationIds])));
    }
    return rows;
  }
}
