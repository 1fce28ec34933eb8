import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';
import type { Organization } from './organization.entity.js';

const HANDLE_ROW = row({ handle: column.text() });

/** Writes the handles of organizations, which are the id and the slug. A handle identifies an organization across tenants. */
@Injectable()
export class OrganizationHandlesQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Inserts the handles of an organization. Returns false if another organization has the slug. */
  async insert(ctx: RequestContext, { id, slug, tenantId }: Pick<Organization, 'id' | 'slug' | 'tenantId'>): Promise<boolean> {
    const rows = await this.query(
      ctx,
      HANDLE_ROW,
      `INSERT INTO organization_handles (handle, tenant_id, organization_id) VALUES ($1, $3, $1), ($2, $3, $1)
       ON CONFLICT (handle) DO NOTHING RETURNING handle`,
      [id, slug, tenantId],
      { prepared: true },
    );
    return rows.some(({ handle }) => handle === slug);
  }
}
