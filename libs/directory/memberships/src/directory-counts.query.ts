import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, tryLockKey } from '#platform/database';
import { DataSource } from 'typeorm';
import { tenantIdsOf, type UserInTenants } from './directory-user.js';

/** The users that a count includes: all users of the directory, all members, or the users with the role or in the group that has this id. */
export type CountDimension = 'user' | 'member' | (string & {});

export interface CountDelta {
  readonly tenantId: string;
  readonly organizationId: string;
  readonly dimension: CountDimension;
  readonly status: string;
  readonly amount: number;
}

/** The key that a transaction locks while it folds deltas or purges counts. */
export const COUNT_FOLDING = 'count-folding';

const FOLDED_ROW = row({ folded: column.integer() });

/**
 * Stores exact counts without lock contention. A change inserts a delta. A read adds the deltas to the base count. A worker folds the
 * deltas into the base counts.
 */
@Injectable()
export class DirectoryCountsQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Defers the insert of deltas to the next statement of the transaction or to the commit. */
  insertDeferred(ctx: RequestContext, deltas: readonly CountDelta[]): void {
    const rows = deltas.map(({ tenantId, organizationId, dimension, status, amount }) => ({
      tenant_id: tenantId,
      organization_id: organizationId,
      dimension,
      status,
      amount,
    }));
    this.executeDeferred(ctx, { sql: INSERT_DELTAS, rows });
  }

  /** Moves a user from one status to another in all counts that include the user. Must run before the directory entries change. */
  async moveStatus(ctx: RequestContext, user: UserInTenants, from: string, to: string): Promise<void> {
    await this.execute(
      ctx,
      `INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
       SELECT c.tenant_id, c.organization_id, c.dimension, unnest(ARRAY[$3, $4]), unnest(ARRAY[-1, 1]) FROM (${COUNTS_OF_USER}) c`,
      [user.id, tenantIdsOf(user), from, to],
    );
  }

  /** Removes a user from all counts. Must run before the directory entries are deleted. */
  async removeUser(ctx: RequestContext, user: UserInTenants, status: string): Promise<void> {
    await this.execute(
      ctx,
      `INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
       SELECT c.tenant_id, c.organization_id, c.dimension, $3, -1 FROM (${COUNTS_OF_USER}) c`,
      [user.id, tenantIdsOf(user), status],
    );
  }

  /**
   * Folds up to `limit` deltas into the base counts with one statement, so that a concurrent read counts each delta once. Returns the
   * number of folded deltas, or 0 if another process folds.
   * @throws Error outside a transaction
   */
  async fold(ctx: RequestContext, limit: number): Promise<number> {
    // Two processes that delete the same deltas in a different order would deadlock.
    if (!(await tryLockKey(ctx, COUNT_FOLDING))) return 0;
    const [result] = await this.query(
      ctx,
      FOLDED_ROW,
      `WITH folded AS (
         DELETE FROM directory_count_deltas WHERE (tenant_id, organization_id, id) IN (
           SELECT tenant_id, organization_id, id FROM directory_count_deltas ORDER BY id LIMIT $1
         ) RETURNING tenant_id, organization_id, dimension, status, amount
       ), added AS (
         INSERT INTO directory_counts AS c (tenant_id, organization_id, dimension, status, amount)
         SELECT tenant_id, organization_id, dimension, status, sum(amount) FROM folded GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
         ON CONFLICT (tenant_id, organization_id, dimension, status) DO UPDATE SET amount = c.amount + excluded.amount
       )
       SELECT count(*)::int AS folded FROM folded`,
      [limit],
    );
    return result?.folded ?? 0;
  }
}

/**
 * Returns the SQL of the count of users in a dimension. Without `status`, counts all users except deleted users. `dimension` and `status`
 * are placeholders, such as `$3`. $1 is the tenant and $2 the organization, unless `organizations` is the condition for several.
 */
export function totalSql(dimension: string, status?: string, organizations = '= $2'): string {
  const where = `tenant_id = $1 AND organization_id ${organizations} AND dimension = ${dimension} AND status ${status === undefined ? `<> 'deleted'` : `= ${status}`}`;
  return `(SELECT coalesce(sum(amount), 0)::int FROM (
    SELECT amount FROM directory_counts WHERE ${where} UNION ALL SELECT amount FROM directory_count_deltas WHERE ${where}
  ) parts)`;
}

const INSERT_DELTAS = `INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
  SELECT tenant_id, organization_id, dimension, status, amount
  FROM json_to_recordset($1::json) AS r (tenant_id text, organization_id text, dimension text, status text, amount int)`;

const COUNTS_OF_USER = `
  SELECT tenant_id, organization_id, 'user' AS dimension FROM directory_entries WHERE tenant_id = ANY ($2) AND user_id = $1
  UNION ALL SELECT tenant_id, organization_id, 'member' FROM directory_entries WHERE tenant_id = ANY ($2) AND user_id = $1 AND member
  UNION ALL SELECT tenant_id, organization_id, role_id FROM role_assignments WHERE tenant_id = ANY ($2) AND user_id = $1
  UNION ALL SELECT tenant_id, organization_id, group_id FROM group_members WHERE tenant_id = ANY ($2) AND user_id = $1`;
