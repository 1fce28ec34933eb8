import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import type { Branding } from './organization.entity.js';

const SCOPE_ROW = row({
  id: column.text(),
  tenantId: column.text(),
  name: column.text(),
  slug: column.text(),
  ancestorIds: column.arrayOf(column.text()),
  status: column.text<OrganizationScope['status']>(),
});
const KEY_ROW = row({ tenantId: column.text(), id: column.text() });
type OrganizationKey = RowOf<typeof KEY_ROW>;
const CACHED_KEYS = 10_000;

const ID_ROW = row({ id: column.text() });
const BRANDING_ROW = row({ branding: column.json<Branding>() });

/** The columns of an organization of the tenant `$1`, which Citus needs in the subquery. A suspended ancestor makes the status `suspended`. */
export const SCOPE_COLUMNS = `o.id, o.tenant_id AS "tenantId", o.name, o.slug, o.ancestor_ids AS "ancestorIds",
  CASE WHEN o.status <> 'active' OR o.parent_id IS NULL THEN o.status
    WHEN EXISTS (SELECT FROM organizations a WHERE a.tenant_id = $1 AND a.id = ANY (o.ancestor_ids) AND a.status = 'suspended')
      THEN 'suspended'
    ELSE o.status END AS status`;

/** Finds organizations, with their ancestors and effective status, by the id or slug in a path. */
@Injectable()
export class OrganizationScopeQuery extends BaseQuery {
  /** The tenants and IDs of organizations by slug or ID. An ID never belongs to another organization, a slug can: each read checks it. */
  private readonly keys = new LRUCache<string, OrganizationKey>({ max: CACHED_KEYS });

  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the organization with this slug or id, or null if the organization does not exist or is deleted. */
  async findScope(ctx: RequestContext, handle: string): Promise<OrganizationScope | null> {
    const cached = this.keys.get(handle);
    const scope = cached && (await this.findByKey(ctx, cached, 'IS NULL'));
    // A slug can belong to another organization than before.
    if (scope && (scope.id === handle || scope.slug === handle)) return scope;
    const key = await this.findKey(ctx, handle);
    if (!key) return null;
    this.keys.set(handle, key);
    return this.findByKey(ctx, key, 'IS NULL');
  }

  /** Returns the organization with this id, or null if the organization does not exist or is deleted. */
  findById(ctx: RequestContext, { tenantId, id }: OrganizationKey): Promise<OrganizationScope | null> {
    return this.findByKey(ctx, { tenantId, id }, 'IS NULL');
  }

  /** Returns the organizations of a tenant with these ids, except deleted organizations. */
  listByIds(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<OrganizationScope[]> {
    return this.query(
      ctx,
      SCOPE_ROW,
      `SELECT ${SCOPE_COLUMNS} FROM organizations o WHERE o.tenant_id = $1 AND o.id = ANY($2) AND o.deleted_at IS NULL`,
      [tenantId, ids],
    );
  }

  /** Returns the organizations of a tenant with these slugs or ids, by the given slug or id, except deleted organizations. */
  async mapByHandle(ctx: RequestContext, tenantId: string, handles: readonly string[]): Promise<Map<string, OrganizationScope>> {
    const ids = new Set<string>();
    for (const handle of new Set(handles)) {
      const key = handle.includes('\0') ? undefined : (this.keys.get(handle) ?? (await this.findKey(ctx, handle)));
      if (key?.tenantId !== tenantId) continue;
      this.keys.set(handle, key);
      ids.add(key.id);
    }
    const found = ids.size === 0 ? [] : await this.listByIds(ctx, tenantId, [...ids]);
    const byHandle = new Map(found.flatMap((scope) => [[scope.id, scope] as const, [scope.slug, scope] as const]));
    // A cached slug can belong to another organization than before.
    for (const handle of new Set(handles)) {
      if (byHandle.has(handle) || !this.keys.has(handle)) continue;
      const scope = await this.findScope(ctx, handle);
      if (scope?.tenantId === tenantId) byHandle.set(handle, scope);
    }
    return byHandle;
  }

  /**
   * Returns the ids of the organizations that the caller could access at a moment through the hierarchy, or that were ancestors then
   * (`past`), and that the caller can't access now, also because they don't accept the session (`inaccessibleOrganizationIds`). The
   * organization and its present ancestors are not included.
   */
  async listHidden(
    ctx: RequestContext,
    asOf: string,
    past: OrganizationScope,
    present: OrganizationScope,
  ): Promise<readonly string[]> {
    // Stryker disable next-line ArrayDeclaration: no organization has the id of the mutant.
    const { kind, organizationIds = [], inaccessibleOrganizationIds = [], tenantIds = [] } = ctx.caller;
    if (kind === 'platform' || kind === 'system') return [];
    const rows = await this.query(
      ctx,
      ID_ROW,
      `SELECT v.id FROM organizations_history v LEFT JOIN organizations n ON n.tenant_id = v.tenant_id AND n.id = v.id
       WHERE v.tenant_id = ANY ($1) AND v.valid_from <= $2 AND v.valid_to > $2
         AND (v.id = ANY ($3) OR (v.valid_to < 'infinity' AND v.ancestor_ids && $4) OR v.id = ANY ($6) OR v.ancestor_ids && $6)
         AND NOT coalesce(n.id = ANY ($5) OR (n.id = ANY ($4) OR n.ancestor_ids && $4)
           AND NOT (n.id = ANY ($6) OR n.ancestor_ids && $6), false)`,
      [
        [...new Set([past.tenantId, ...tenantIds])],
        asOf,
        past.ancestorIds,
        organizationIds,
        [...present.ancestorIds, present.id],
        inaccessibleOrganizationIds,
      ],
    );
    return rows.map(({ id }) => id);
  }

  /** Returns the deleted organization with this slug or id, or null if the organization is not deleted or was purged. */
  async findDeletedScope(ctx: RequestContext, handle: string): Promise<OrganizationScope | null> {
    const key = await this.findKey(ctx, handle);
    return key ? this.findByKey(ctx, key, 'IS NOT NULL') : null;
  }

  /** Returns the branding of an organization or of the nearest ancestor with branding. */
  async getBranding(
    ctx: RequestContext,
    { id, tenantId, ancestorIds }: Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>,
  ): Promise<Branding> {
    const [nearest] = await this.query(
      ctx,
      BRANDING_ROW,
      `SELECT branding FROM organizations WHERE tenant_id = $1 AND id = ANY($2) AND branding IS NOT NULL ORDER BY cardinality(ancestor_ids) DESC LIMIT 1`,
      [tenantId, [...ancestorIds, id]],
    );
    return nearest?.branding ?? {};
  }

  private async findKey(ctx: RequestContext, handle: string): Promise<OrganizationKey | undefined> {
    const sql = `SELECT tenant_id AS "tenantId", organization_id AS id FROM organization_handles WHERE handle = $1`;
    // Stryker disable next-line ObjectLiteral,BooleanLiteral,StringLiteral: the options only make the query faster.
    const [key] = await this.query(ctx, KEY_ROW, sql, [handle], { prepared: true, connection: 'shared' });
    return key;
  }

  private async findByKey(
    ctx: RequestContext,
    { tenantId, id }: OrganizationKey,
    deletedAt: 'IS NULL' | 'IS NOT NULL',
  ): Promise<OrganizationScope | null> {
    const sql = `SELECT ${SCOPE_COLUMNS} FROM organizations o WHERE o.tenant_id = $1 AND o.id = $2 AND o.deleted_at ${deletedAt}`;
    // Stryker disable next-line ObjectLiteral,BooleanLiteral,StringLiteral: the options only make the query faster.
    const [scope] = await this.query(ctx, SCOPE_ROW, sql, [tenantId, id], { prepared: true, connection: 'shared' });
    return scope ?? null;
  }
}
