import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';
import type { Branding } from './organization.entity.js';

interface ScopeRow {
  id: string;
  tenant_id: string;
  name: string;
  slug: string;
  status: OrganizationScope['status'];
  ancestor_ids: string[];
}

const SCOPE_COLUMNS = `o.id, o.tenant_id, o.name, o.slug, o.ancestor_ids,
  CASE WHEN o.status <> 'active' OR o.parent_id IS NULL THEN o.status
    WHEN EXISTS (SELECT FROM organizations a WHERE a.tenant_id = o.tenant_id AND a.id = ANY (o.ancestor_ids) AND a.status = 'suspended')
      THEN 'suspended'
    ELSE o.status END AS status`;

/** Finds organizations by what a path calls them, with their place in the tree. */
@Injectable()
export class OrganizationScopes extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** The organization with this slug or id; null when there is none or it is deleted. `status` is `suspended` also when one above is. */
  async findScope(ctx: RequestContext, handle: string): Promise<OrganizationScope | null> {
    const [row] = await this.lookUp<ScopeRow>(
      ctx,
      `SELECT ${SCOPE_COLUMNS} FROM organization_handles h
       JOIN organizations o ON o.tenant_id = h.tenant_id AND o.id = h.organization_id
       WHERE h.handle = $1 AND o.deleted_at IS NULL`,
      [handle],
    );
    return row ? scopeOf(row) : null;
  }

  /** Organizations of a tenant by their ids; those deleted are left out. */
  async ofTenant(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<OrganizationScope[]> {
    const rows = await this.query<ScopeRow>(
      ctx,
      `SELECT ${SCOPE_COLUMNS} FROM organizations o WHERE o.tenant_id = $1 AND o.id = ANY($2) AND o.deleted_at IS NULL`,
      [tenantId, ids],
    );
    return rows.map(scopeOf);
  }

  /** The organization with this slug or id that is deleted and not purged yet. */
  async findDeletedScope(ctx: RequestContext, handle: string): Promise<OrganizationScope | null> {
    const [row] = await this.query<ScopeRow>(
      ctx,
      `SELECT ${SCOPE_COLUMNS} FROM organization_handles h
       JOIN organizations o ON o.tenant_id = h.tenant_id AND o.id = h.organization_id
       WHERE h.handle = $1 AND o.deleted_at IS NOT NULL`,
      [handle],
    );
    return row ? scopeOf(row) : null;
  }

  /** Colours and pictures of an organization, for mails and pages; its own, or those of the nearest one above that has any. */
  async brandingOf(
    ctx: RequestContext,
    { id, tenantId, ancestorIds }: Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>,
  ): Promise<Branding> {
    const [row] = await this.query<{ branding: Branding }>(
      ctx,
      `SELECT branding FROM organizations WHERE tenant_id = $1 AND id = ANY($2) AND branding IS NOT NULL ORDER BY cardinality(ancestor_ids) DESC LIMIT 1`,
      [tenantId, [...ancestorIds, id]],
    );
    return row?.branding ?? {};
  }
}

const scopeOf = (row: ScopeRow): OrganizationScope => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  slug: row.slug,
  status: row.status,
  ancestorIds: row.ancestor_ids,
});
