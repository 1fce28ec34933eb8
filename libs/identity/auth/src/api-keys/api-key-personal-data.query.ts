import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, type RowOf } from '#platform/database';
import { type DataSubject, definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const API_KEYS = definePersonalData('apiKeys', {
  description: 'API keys that the user owns, including revoked keys, without the keys themselves.',
  tables: ['api_keys'],
  fields: {
    id: field.text('Id of the API key.', 'key_01kf2bb6r2c9x4m7t1w5v8k3qz'),
    organizationId: field.nullableText('Id of the organization.', 'org_01kf2b7m9ze4k8s1t6w3a5y0pd'),
    name: field.text('Name of the API key.', 'backend'),
    scopes: field.texts('Permissions of the API key.', ['users:read']),
    createdAt: field.time('Time of the creation.'),
    expiresAt: field.nullableTime('Time at which the API key expires.'),
    revokedAt: field.nullableTime('Time of the revocation.'),
    lastUsedAt: field.nullableTime('Time of the last use.'),
    lastUsedIp: field.nullableText('IP address of the last use.', '203.0.113.7'),
  },
});

/** Reads the API keys of a user for the export of the user. */
@Injectable()
export class ApiKeyPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(API_KEYS, (ctx, subject) => this.list(ctx, subject));
  }

  private async list(ctx: RequestContext, subject: DataSubject): Promise<RowOf<typeof API_KEYS.row>[]> {
    const rows: RowOf<typeof API_KEYS.row>[] = [];
    for (const tenantId of subject.tenantIds) {
      const found = await this.query(
        ctx,
        API_KEYS.row,
        `SELECT k.id, k.organization_id AS "organizationId", k.name, k.scopes, k.created_at AS "createdAt", k.expires_at AS "expiresAt",
           k.revoked_at AS "revokedAt", k.last_used_at AS "lastUsedAt", k.last_used_ip AS "lastUsedIp"
         FROM api_keys k JOIN organizations o ON o.tenant_id = k.tenant_id AND o.id = k.organization_id
         WHERE k.tenant_id = $1 AND k.owner_tenant_id = $2 AND k.owner_id = $3
           AND ($4::text[] IS NULL OR o.id = ANY ($4) OR o.ancestor_ids && $4)
         ORDER BY k.id`,
        [tenantId, subject.tenantId, subject.id, subject.organizationIds],
      );
      rows.push(...found);
    }
    return rows;
  }
}
