import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, type RowOf } from '#platform/database';
import { type DataSubject, definePersonalData, field, PersonalDataSources } from '#platform/personal-data';
import { DataSource } from 'typeorm';

const WEBHOOKS = definePersonalData('webhooks', {
  description: 'Webhooks that the user owns, without their destinations, secrets, headers and deliveries.',
  tables: ['webhooks'],
  fields: {
    id: field.text('Id of the webhook.', 'wh_01kf2bd3p6t8v1c4m7x9k2w5qz'),
    organizationId: field.text('Id of the organization.', 'org_01kf2b7m9ze4k8s1t6w3a5y0pd'),
    name: field.text('Name of the webhook.', 'CRM'),
    createdAt: field.time('Time of the creation.'),
    updatedAt: field.time('Time of the last change.'),
    deletedAt: field.nullableTime('Time of the deletion.'),
  },
});

/** Reads the webhooks of a user for the export of the user. */
@Injectable()
export class WebhookPersonalDataQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly sources: PersonalDataSources,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.sources.register(WEBHOOKS, (ctx, subject) => this.list(ctx, subject));
  }

  private async list(ctx: RequestContext, subject: DataSubject): Promise<RowOf<typeof WEBHOOKS.row>[]> {
    const rows: RowOf<typeof WEBHOOKS.row>[] = [];
    for (const tenantId of subject.tenantIds) {
      const found = await this.query(
        ctx,
        WEBHOOKS.row,
        `SELECT w.id, w.organization_id AS "organizationId", w.name, w.created_at AS "createdAt",
           w.updated_at AS "updatedAt", w.deleted_at AS "deletedAt"
         FROM webhooks w JOIN organizations o ON o.tenant_id = w.tenant_id AND o.id = w.organization_id
         WHERE w.tenant_id = $1 AND w.owner_tenant_id = $2 AND w.owner_id = $3
           AND ($4::text[] IS NULL OR o.id = ANY ($4) OR o.ancestor_ids && $4)
         ORDER BY w.id`,
        [tenantId, subject.tenantId, subject.id, subject.organizationIds],
      );
      rows.push(...found);
    }
    return rows;
  }
}
