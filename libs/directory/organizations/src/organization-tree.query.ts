import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, changedKey, column, entityRow, HistoryQuery, lockKey, row } from '#platform/database';
import type { LossAuthorization } from '#directory/privileges';
import { DataSource } from 'typeorm';
import { Organization } from './organization.entity.js';

type OrganizationKey = Pick<OrganizationScope, 'tenantId' | 'id'>;

const LOCK_ROW = row({ locked: column.boolean() });
const ID_ROW = row({ id: column.text() });
const KEY_ROW = row({ tenantId: column.text(), id: column.text() });

/** Locks and changes many organizations of a tenant, for deletion, restoration and purge. */
@Injectable()
export class OrganizationTreeQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly history: HistoryQuery,
  ) {
    super(dataSource);
  }

  /**
   * Locks the tree of a tenant until the transaction ends. Other transactions can't create, delete, restore or purge organizations of the
   * tenant.
   */
  async lock(ctx: RequestContext, tenantId: string): Promise<void> {
    await lockKey(ctx, 'tree', tenantId);
  }

  /**
   * Locks the tree of a tenant until the transaction ends. Other transactions can create organizations, but can't delete, restore or purge
   * organizations.
   */
  async lockForCreation(ctx: RequestContext, tenantId: string): Promise<void> {
    await this.query(
      ctx,
      LOCK_ROW,
      `SELECT true AS locked FROM pg_advisory_xact_lock_shared(hashtextextended('tree|' || $1, 0))`,
      [tenantId],
      { prepared: true },
    );
  }

  /** Locks the live descendants of an organization until the transaction ends. Returns parents before their children. */
  lockLiveDescendants(ctx: RequestContext, { tenantId, id }: OrganizationKey): Promise<Organization[]> {
    return this.query(
      ctx,
      entityRow(Organization),
      `${this.selectOf(Organization)} WHERE t.tenant_id = $1 AND t.ancestor_ids @> ARRAY[$2] AND t.deleted_at IS NULL
       ORDER BY cardinality(t.ancestor_ids), t.id FOR UPDATE`,
      [tenantId, id],
    );
  }

  /**
   * Locks a deleted organization and the descendants of the same deletion until the transaction ends. Returns parents before their
   * children.
   */
  lockDeletedWith(ctx: RequestContext, { tenantId, id }: OrganizationKey): Promise<Organization[]> {
    return this.query(
      ctx,
      entityRow(Organization),
      `${this.selectOf(Organization)} WHERE t.tenant_id = $1 AND t.deletion_root_id = $2 AND t.deleted_at IS NOT NULL
       ORDER BY cardinality(t.ancestor_ids), t.id FOR UPDATE`,
      [tenantId, id],
    );
  }

  /**
   * Marks organizations as deleted. Must run after the publication of the deletion events, because `deleted_seq` must be greater than the
   * sequence numbers of the events.
   */
  async markDeleted(
    ctx: RequestContext,
    { tenantId, ids, rootId }: { readonly tenantId: string; readonly ids: readonly string[]; readonly rootId: string },
    at: Date,
    _loss: LossAuthorization,
  ): Promise<void> {
    await this.executeRowChanges(
      ctx,
      `WITH next AS (SELECT nextval('event_seq') AS seq)
       UPDATE organizations o SET deleted_at = $3, updated_at = $3, deletion_root_id = $4, deleted_seq = next.seq, version = version + 1 FROM next
       WHERE tenant_id = $1 AND id = ANY($2) RETURNING ${changedKey('organizations', 'o')}`,
      [tenantId, ids, at, rootId],
    );
  }

  async markRestored(
    ctx: RequestContext,
    tenantId: string,
    ids: readonly string[],
    at: Date,
    _authorization: LossAuthorization,
  ): Promise<void> {
    await this.executeRowChanges(
      ctx,
      `UPDATE organizations o SET deleted_at = NULL, updated_at = $3, deletion_root_id = NULL, deleted_seq = NULL, version = version + 1
       WHERE tenant_id = $1 AND id = ANY($2) RETURNING ${changedKey('organizations', 'o')}`,
      [tenantId, ids, at],
    );
  }

  /** Returns up to 1,000 organizations that were deleted at or before a time. Omits descendants that were deleted with an ancestor. */
  listPurgeable(ctx: RequestContext, before: Date): Promise<{ tenantId: string; id: string }[]> {
    return this.query(
      ctx,
      KEY_ROW,
      `SELECT tenant_id AS "tenantId", id FROM organizations
       WHERE deleted_at <= $1 AND deletion_root_id = id ORDER BY cardinality(ancestor_ids) DESC, id LIMIT 1000`,
      [before],
    );
  }

  async listDescendantIds(ctx: RequestContext, { tenantId, id }: OrganizationKey): Promise<string[]> {
    const sql = 'SELECT id FROM organizations WHERE tenant_id = $1 AND ancestor_ids @> ARRAY[$2] AND deleted_at IS NULL';
    return (await this.query(ctx, ID_ROW, sql, [tenantId, id])).map((descendant) => descendant.id);
  }

  /** Returns the ids of the deleted organizations among an organization and its descendants. */
  async listDeletedInSubtree(ctx: RequestContext, { tenantId, id }: OrganizationKey): Promise<string[]> {
    const rows = await this.query(
      ctx,
      ID_ROW,
      'SELECT id FROM organizations WHERE tenant_id = $1 AND (id = $2 OR ancestor_ids @> ARRAY[$2]) AND deleted_at IS NOT NULL',
      [tenantId, id],
    );
    return rows.map((organization) => organization.id);
  }

  /** Deletes organizations permanently, with their identity providers, handles and history. Other organizations can use the slugs again. */
  async purge(ctx: RequestContext, tenantId: string, ids: readonly string[], _loss: LossAuthorization): Promise<void> {
    await this.executeRowChanges(
      ctx,
      `DELETE FROM identity_providers p WHERE tenant_id = $1 AND organization_id = ANY($2)
       RETURNING ${changedKey('identity_providers', 'p')}`,
      [tenantId, ids],
    );
    await this.execute(ctx, 'DELETE FROM organization_handles WHERE tenant_id = $1 AND organization_id = ANY($2)', [
      tenantId,
      ids,
    ]);
    await this.executeRowChanges(
      ctx,
      `DELETE FROM organizations o WHERE tenant_id = $1 AND id = ANY($2) RETURNING ${changedKey('organizations', 'o')}`,
      [tenantId, ids],
    );
    await this.history.purgeOrganizations(ctx, tenantId, ids);
  }

  async disableStatementTimeout(ctx: RequestContext): Promise<void> {
    await this.execute(ctx, 'SET LOCAL statement_timeout = 0');
  }
}
