import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, type RowOf } from '#platform/database';
import { type DataSubject, definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const EARLIER_VERSIONS = definePersonalData('earlierVersions', {
  description:
    'Earlier versions of `profile` and of rows of `identities`, `memberships`, `roles`, `groups` and `breakGlassRequests`, including rows that were removed since then.',
  tables: [
    'users_history',
    'user_identities_history',
    'memberships_history',
    'role_assignments_history',
    'group_members_history',
    'break_glass_requests_history',
  ],
  fields: {
    section: field.text('Section of the present version.', 'profile'),
    validFrom: field.time('Beginning of the period in which the version was valid.'),
    validTo: field.time('End of this period.'),
    data: field.object('The version.', { email: 'jane@example.com', firstName: 'Jane' }),
  },
});

/** The history of a section. `organizationColumn` is the column of the organization of a row, if rows of several organizations exist. */
interface Source {
  readonly section: string;
  readonly table: string;
  readonly userColumn: string;
  readonly organizationColumn?: string;
}

const SOURCES: readonly Source[] = [
  { section: 'profile', table: 'users_history', userColumn: 'id' },
  { section: 'identities', table: 'user_identities_history', userColumn: 'user_id' },
  { section: 'memberships', table: 'memberships_history', userColumn: 'user_id', organizationColumn: 'organization_id' },
  { section: 'roles', table: 'role_assignments_history', userColumn: 'user_id', organizationColumn: 'organization_id' },
  { section: 'groups', table: 'group_members_history', userColumn: 'user_id', organizationColumn: 'organization_id' },
  {
    section: 'breakGlassRequests',
    table: 'break_glass_requests_history',
    userColumn: 'requester_id',
    organizationColumn: 'organization_id',
  },
];

/** Columns without personal data, copies of other columns, and people who decided. */
const OMITTED = [
  'tenant_id',
  'user_tenant_id',
  'requester_tenant_id',
  'guest_tenant_ids',
  'email_key',
  'user_status',
  'version',
  'announced',
  'explicit',
  'valid_from',
  'valid_to',
  'decided_by_type',
  'decided_by_id',
];

/** Reads the earlier versions of the rows of a user for the export of the user. */
@Injectable()
export class EarlierVersionsQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(EARLIER_VERSIONS, (ctx, subject) => this.read(ctx, subject));
  }

  private async *read(ctx: RequestContext, subject: DataSubject): AsyncGenerator<RowOf<typeof EARLIER_VERSIONS.row>[]> {
    for (const source of SOURCES) {
      for (const tenantId of source.organizationColumn ? subject.tenantIds : [subject.tenantId]) {
        const versions = await this.list(ctx, tenantId, subject, source);
        yield versions.map((version) => ({ ...version, data: withFieldNames(version.data) }));
      }
    }
  }

  private list(
    ctx: RequestContext,
    tenantId: string,
    { id, organizationIds }: DataSubject,
    { section, table, userColumn, organizationColumn }: Source,
  ): Promise<RowOf<typeof EARLIER_VERSIONS.row>[]> {
    const isReadable = organizationColumn
      ? `AND EXISTS (SELECT FROM organizations o WHERE o.tenant_id = $1 AND o.id = h.${organizationColumn}
          AND ($4::text[] IS NULL OR o.id = ANY ($4) OR o.ancestor_ids && $4))`
      : '';
    return this.query(
      ctx,
      EARLIER_VERSIONS.row,
      `SELECT '${section}' AS section, h.valid_from AS "validFrom", h.valid_to AS "validTo", to_jsonb(h) - $3::text[] AS data
       FROM ${table} h WHERE h.tenant_id = $1 AND h.${userColumn} = $2 AND h.valid_to < 'infinity' ${isReadable}
       ORDER BY h.valid_from, h.valid_to`,
      [tenantId, id, OMITTED, ...(organizationColumn ? [organizationIds] : [])],
    );
  }
}

/** Returns the values of columns by the names of the fields of the API. */
const withFieldNames = (columns: object): object =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
