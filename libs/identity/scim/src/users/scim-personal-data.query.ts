import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, type RowOf } from '#platform/database';
import { type DataSubject, definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const PROVISIONED_ATTRIBUTES = definePersonalData('provisionedAttributes', {
  description: 'Attributes that a SCIM connection sent about the user.',
  tables: ['scim_users'],
  fields: {
    connectionId: field.text('Id of the SCIM connection.', 'scim_01kf2bav4hf7r8v2m5n9q1c3ek'),
    userName: field.text('User name in the connection.', 'jane.doe@example.com'),
    externalId: field.nullableText('Id of the user in the directory.', '00u1a2b3c4'),
    attributes: field.object('All other attributes.', { title: 'Engineer' }),
    updatedAt: field.time('Time of the last change.'),
  },
});

/** Reads the attributes of a user from SCIM for the export of the user. */
@Injectable()
export class ScimPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(PROVISIONED_ATTRIBUTES, (ctx, subject) => this.list(ctx, subject));
  }

  private list(
    ctx: RequestContext,
    { tenantId, id, organizationIds }: DataSubject,
  ): Promise<RowOf<typeof PROVISIONED_ATTRIBUTES.row>[]> {
    return this.query(
      ctx,
      PROVISIONED_ATTRIBUTES.row,
      `SELECT s.connection_id AS "connectionId", s.user_name AS "userName", s.external_id AS "externalId", s.attributes,
         s.updated_at AS "updatedAt"
       FROM scim_users s
       JOIN scim_connections c ON c.tenant_id = $1 AND c.id = s.connection_id
       JOIN organizations o ON o.tenant_id = $1 AND o.id = c.organization_id
       WHERE s.tenant_id = $1 AND s.user_id = $2 AND ($3::text[] IS NULL OR o.id = ANY ($3) OR o.ancestor_ids && $3)`,
      [tenantId, id, organizationIds],
    );
  }
}
