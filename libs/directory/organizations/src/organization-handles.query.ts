import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import type { Organization } from './organization.entity.js';

const HANDLE_ROW = row({ handle: column.text() });
const KEY_ROW = row({ tenantId: column.text(), id: column.text() });
const OWNER_ROW = row({ id: column.text(), ancestorIds: column.arrayOf(column.text()), deletedAt: column.timestamp() });

type DeletedOwner = RowOf<typeof OWNER_ROW>;

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

  /** Returns the deleted organization that has a slug, or null if the organization is not deleted. */
  async findDeletedOwner(ctx: RequestContext, slug: string): Promise<DeletedOwner | null> {
    const [key] = await this.query(
      ctx,
      KEY_ROW,
      `SELECT tenant_id AS "tenantId", organization_id AS id FROM organization_handles WHERE handle = $1`,
      [slug],
    );
    if (!key) return null;
    const [owner] = await this.query(
      ctx,
      OWNER_ROW,
      `SELECT id, ancestor_ids AS "ancestorIds", deleted_at AS "deletedAt" FROM organizations
       WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NOT NULL`,
      [key.tenantId, key.id],
    );
    return owner ?? null;
  }
}
