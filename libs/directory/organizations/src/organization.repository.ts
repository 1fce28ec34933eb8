import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource, In, IsNull } from 'typeorm';
import { Organization } from './organization.entity.js';
import type { SettingField, SettingsLayer, SettingsOverrides } from './settings/settings.js';

interface LayerRow {
  id: string;
  name: string;
  settings_overrides: SettingsOverrides;
  locked_settings: SettingField[];
}

const DEFAULT_ROLE_IS = `o.tenant_id = $1 AND o.settings_overrides->>'defaultRole' = $2`;

/** Organizations by their place: tenant and id. */
@Injectable()
export class OrganizationRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** At the latest with the commit. */
  insert(ctx: RequestContext, organization: Organization): void {
    this.insertLater(ctx, Organization, [organization]);
  }

  async save(ctx: RequestContext, organization: Organization): Promise<void> {
    await this.rows(ctx, Organization).save(organization);
  }

  /** Reserves an organization's id and slug, over all tenants. False: somebody has the slug. */
  async insertHandles(
    ctx: RequestContext,
    { id, slug, tenantId }: Pick<Organization, 'id' | 'slug' | 'tenantId'>,
  ): Promise<boolean> {
    const rows = await this.prepared<{ handle: string }>(
      ctx,
      `INSERT INTO organization_handles (handle, tenant_id, organization_id) VALUES ($1, $3, $1), ($2, $3, $1)
       ON CONFLICT (handle) DO NOTHING RETURNING handle`,
      [id, slug, tenantId],
    );
    return rows.some(({ handle }) => handle === slug);
  }

  findLive(ctx: RequestContext, { tenantId, id }: Pick<OrganizationScope, 'tenantId' | 'id'>): Promise<Organization | null> {
    return this.rows(ctx, Organization).findOneBy({ tenantId, id, deletedAt: IsNull() });
  }

  /** The row, held until the transaction ends; deleted ones too. */
  lock(ctx: RequestContext, { tenantId, id }: Pick<OrganizationScope, 'tenantId' | 'id'>): Promise<Organization | null> {
    return this.rows(ctx, Organization).findOne({ where: { tenantId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** All live organizations below one, held until the transaction ends; parents first. */
  lockLiveDescendants(
    ctx: RequestContext,
    { tenantId, id }: Pick<OrganizationScope, 'tenantId' | 'id'>,
  ): Promise<Organization[]> {
    return this.rows(ctx, Organization)
      .createQueryBuilder('o')
      .where('o.tenant_id = :tenantId AND o.ancestor_ids @> ARRAY[:id] AND o.deleted_at IS NULL', { tenantId, id })
      .orderBy('cardinality(o.ancestor_ids)')
      .addOrderBy('o.id')
      .setLock('pessimistic_write')
      .getMany();
  }

  /** Those that the deletion of one organization took along, itself included, held until the transaction ends; parents first. */
  lockDeletedWith(ctx: RequestContext, { tenantId, id }: Pick<OrganizationScope, 'tenantId' | 'id'>): Promise<Organization[]> {
    return this.rows(ctx, Organization)
      .createQueryBuilder('o')
      .where('o.tenant_id = :tenantId AND o.deletion_root_id = :id AND o.deleted_at IS NOT NULL', { tenantId, id })
      .orderBy('cardinality(o.ancestor_ids)')
      .addOrderBy('o.id')
      .setLock('pessimistic_write')
      .getMany();
  }

  /** Keeps the tree's shape as it is: several may add children at a time, but nobody deletes meanwhile. */
  async holdShape(ctx: RequestContext, tenantId: string): Promise<void> {
    await this.prepared(ctx, `SELECT pg_advisory_xact_lock_shared(hashtextextended('tree|' || $1, 0))`, [tenantId]);
  }

  /** Lets the transaction's statements take as long as they need, for work that no caller waits for. */
  async takeTime(ctx: RequestContext): Promise<void> {
    await this.query(ctx, 'SET LOCAL statement_timeout = 0');
  }

  /** Waits until nobody changes the tree's shape, then keeps all others from it. */
  async lockShape(ctx: RequestContext, tenantId: string): Promise<void> {
    await this.lockWords(ctx, 'tree', tenantId);
  }

  async hasLiveChildren(ctx: RequestContext, { tenantId, id }: Pick<OrganizationScope, 'tenantId' | 'id'>): Promise<boolean> {
    return this.rows(ctx, Organization).existsBy({ tenantId, parentId: id, deletedAt: IsNull() });
  }

  /** Sets deletion marks on many at once; `seq` is taken now, after the events of the deletion. */
  async markDeleted(ctx: RequestContext, tenantId: string, ids: readonly string[], rootId: string, at: Date): Promise<void> {
    await this.query(
      ctx,
      `UPDATE organizations SET deleted_at = $3, updated_at = $3, deletion_root_id = $4, deleted_seq = nextval('event_seq'), version = version + 1
       WHERE tenant_id = $1 AND id = ANY($2)`,
      [tenantId, ids, at, rootId],
    );
  }

  async markRestored(ctx: RequestContext, tenantId: string, ids: readonly string[], at: Date): Promise<void> {
    await this.query(
      ctx,
      `UPDATE organizations SET deleted_at = NULL, updated_at = $3, deletion_root_id = NULL, deleted_seq = NULL, version = version + 1
       WHERE tenant_id = $1 AND id = ANY($2)`,
      [tenantId, ids, at],
    );
  }

  /** What each organization of several chains, root first, says about settings, by id: one query whatever the depth. */
  async settingsLayers(ctx: RequestContext, chains: readonly (readonly string[])[]): Promise<Map<string, SettingsLayer>> {
    const ids = chains.flat();
    if (ids.length === 0) return new Map();
    // A tenant is named by its root.
    const rows = await this.lookUp<LayerRow>(
      ctx,
      'SELECT id, name, settings_overrides, locked_settings FROM organizations WHERE tenant_id = ANY($1) AND id = ANY($2)',
      [[...new Set(chains.map(([root]) => root))], [...new Set(ids)]],
    );
    return new Map(
      rows.map((row) => [row.id, { id: row.id, name: row.name, overrides: row.settings_overrides, locked: row.locked_settings }]),
    );
  }

  /** Whether any organization, deleted ones included, names the role as its default. */
  async namesDefaultRole(ctx: RequestContext, tenantId: string, roleId: string): Promise<boolean> {
    const rows = await this.query(ctx, `SELECT FROM organizations o WHERE ${DEFAULT_ROLE_IS} LIMIT 1`, [tenantId, roleId]);
    return rows.length > 0;
  }

  /** Those that do, held until the transaction ends; parents first. */
  async lockNamingDefaultRole(ctx: RequestContext, tenantId: string, roleId: string): Promise<Organization[]> {
    const rows = await this.query<{ id: string }>(
      ctx,
      `SELECT o.id FROM organizations o WHERE ${DEFAULT_ROLE_IS} ORDER BY cardinality(o.ancestor_ids), o.id FOR UPDATE`,
      [tenantId, roleId],
    );
    const found = await this.rows(ctx, Organization).findBy({ tenantId, id: In(rows.map(({ id }) => id)) });
    return found.sort((a, b) => a.ancestorIds.length - b.ancestorIds.length);
  }

  /** Deletions made at or before a moment, by the organization that was asked to be deleted. */
  findPurgeable(ctx: RequestContext, before: Date): Promise<{ tenantId: string; id: string }[]> {
    return this.query(
      ctx,
      `SELECT tenant_id AS "tenantId", id FROM organizations
       WHERE deleted_at <= $1 AND deletion_root_id = id ORDER BY cardinality(ancestor_ids) DESC, id LIMIT 1000`,
      [before],
    );
  }

  async deletedAtOrBelow(ctx: RequestContext, { tenantId, id }: Pick<OrganizationScope, 'tenantId' | 'id'>): Promise<string[]> {
    const rows = await this.query<{ id: string }>(
      ctx,
      'SELECT id FROM organizations WHERE tenant_id = $1 AND (id = $2 OR ancestor_ids @> ARRAY[$2]) AND deleted_at IS NOT NULL',
      [tenantId, id],
    );
    return rows.map((row) => row.id);
  }

  /** Removes rows and handles for good; a slug can be used anew. */
  async purge(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<void> {
    await this.query(ctx, 'DELETE FROM identity_providers WHERE tenant_id = $1 AND organization_id = ANY($2)', [tenantId, ids]);
    await this.query(ctx, 'DELETE FROM organization_handles WHERE tenant_id = $1 AND organization_id = ANY($2)', [tenantId, ids]);
    await this.query(ctx, 'DELETE FROM organizations WHERE tenant_id = $1 AND id = ANY($2)', [tenantId, ids]);
  }
}
