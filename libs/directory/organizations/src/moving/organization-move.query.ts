import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, changedKey, column, row, type RowOf } from '#platform/database';
import type { PolicyAuthorization } from '#directory/privileges';
import { DataSource } from 'typeorm';

type OrganizationKey = Pick<OrganizationScope, 'tenantId' | 'id'>;

const ID_ROW = row({ id: column.text() });
const SUBTREE_ROW = row({
  /** Number of organizations, without deleted organizations. */
  organizationCount: column.integer(),
  /** Number of users that these organizations manage. */
  userCount: column.integer(),
  /** The greatest number of ancestors, including deleted organizations, which can be restored. */
  maxAncestorCount: column.integer(),
  /** The organizations that suspended an organization of the subtree. */
  suspendedBy: column.arrayOf(column.text()),
});
export type Subtree = RowOf<typeof SUBTREE_ROW>;

/** The organization $2 of tenant $1 and all its descendants, including deleted descendants. */
const SUBTREE = 'tenant_id = $1 AND (id = $2 OR ancestor_ids @> ARRAY[$2])';

/** Reads, locks and moves an organization with its descendants. */
@Injectable()
export class OrganizationMoveQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Locks an organization and its descendants until the transaction ends, parents before their children. */
  async lockSubtree(ctx: RequestContext, { tenantId, id }: OrganizationKey): Promise<void> {
    const sql = `SELECT id FROM organizations WHERE ${SUBTREE} ORDER BY cardinality(ancestor_ids), id FOR UPDATE`;
    await this.query(ctx, ID_ROW, sql, [tenantId, id]);
  }

  async readSubtree(ctx: RequestContext, { tenantId, id }: OrganizationKey): Promise<Subtree> {
    const [subtree] = await this.query(
      ctx,
      SUBTREE_ROW,
      `WITH subtree AS MATERIALIZED (
         SELECT id, cardinality(ancestor_ids) AS ancestor_count, suspended_by, deleted_at FROM organizations WHERE ${SUBTREE}
       )
       SELECT (SELECT count(*) FROM subtree WHERE deleted_at IS NULL)::int AS "organizationCount",
         (SELECT count(*) FROM users u JOIN subtree ON subtree.id = u.organization_id AND subtree.deleted_at IS NULL
          WHERE u.tenant_id = $1 AND u.status <> 'deleted')::int AS "userCount",
         (SELECT coalesce(max(ancestor_count), 0) FROM subtree)::int AS "maxAncestorCount",
         (SELECT coalesce(array_agg(DISTINCT suspended_by), '{}') FROM subtree WHERE suspended_by IS NOT NULL) AS "suspendedBy"`,
      [tenantId, id],
    );
    if (!subtree) throw new Error('The statement returned no row.');
    return subtree;
  }

  /**
   * Moves an organization with its descendants, including deleted descendants. Suspensions by previous ancestors become suspensions by the
   * new parent.
   */
  async move(
    ctx: RequestContext,
    { tenantId, id, ancestorIds }: OrganizationKey & Pick<OrganizationScope, 'ancestorIds'>,
    parent: Pick<OrganizationScope, 'id' | 'ancestorIds'>,
    at: Date,
    _policy: PolicyAuthorization,
  ): Promise<void> {
    const newAncestorIds = [...parent.ancestorIds, parent.id];
    const left = ancestorIds.filter((ancestorId) => !newAncestorIds.includes(ancestorId));
    await this.executeRowChanges(
      ctx,
      `UPDATE organizations o SET
         parent_id = CASE WHEN id = $2 THEN $3 ELSE parent_id END,
         ancestor_ids = $4::text[] || ancestor_ids[$5:],
         suspended_by = CASE WHEN suspended_by = ANY ($6::text[]) THEN $3 ELSE suspended_by END,
         updated_at = CASE WHEN id = $2 THEN $7::timestamptz ELSE updated_at END,
         version = CASE WHEN id = $2 THEN version + 1 ELSE version END
       WHERE ${SUBTREE} RETURNING ${changedKey('organizations', 'o')}`,
      [tenantId, id, parent.id, newAncestorIds, ancestorIds.length + 1, left, at],
    );
  }
}
