import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';

/** What is counted: all who show in the directory, the members, or the holders of a role (its id). */
export type CountDimension = 'user' | 'member' | (string & {});

export interface CountDelta {
  readonly tenantId: string;
  readonly organizationId: string;
  readonly dimension: CountDimension;
  readonly status: string;
  readonly amount: number;
}

/** Exact counts without a hot row: changes append, readers add up, a worker folds what has gathered. */
@Injectable()
export class DirectoryCountsRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** At the latest with the commit. */
  append(ctx: RequestContext, deltas: readonly CountDelta[]): void {
    const rows = deltas.map(({ tenantId, organizationId, dimension, status, amount }) => ({
      tenant_id: tenantId,
      organization_id: organizationId,
      dimension,
      status,
      amount,
    }));
    this.writeLater(ctx, { sql: INSERT_DELTAS, rows });
  }

  /** Moves a user from one status to another in all counts that the user is part of. Call before the entries change. */
  async moveStatus(ctx: RequestContext, userId: string, from: string, to: string): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
       SELECT c.tenant_id, c.organization_id, c.dimension, s.status, s.amount
       FROM (${COUNTED_OF_USER}) c, (VALUES ($2, -1), ($3, 1)) AS s (status, amount)`,
      [userId, from, to],
    );
  }

  /** Takes a user out of all counts. Call before the entries go. */
  async removeUser(ctx: RequestContext, userId: string, status: string): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
       SELECT c.tenant_id, c.organization_id, c.dimension, $2, -1 FROM (${COUNTED_OF_USER}) c`,
      [userId, status],
    );
  }

  /** Folds up to `limit` gathered changes into the base counts, in one statement: readers see either all of it or none. */
  async fold(ctx: RequestContext, limit: number): Promise<number> {
    const [row] = await this.query<{ folded: number }>(
      ctx,
      `WITH taken AS (
         DELETE FROM directory_count_deltas WHERE (tenant_id, organization_id, id) IN (
           SELECT tenant_id, organization_id, id FROM directory_count_deltas ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
         ) RETURNING tenant_id, organization_id, dimension, status, amount
       ), added AS (
         INSERT INTO directory_counts AS c (tenant_id, organization_id, dimension, status, amount)
         SELECT tenant_id, organization_id, dimension, status, sum(amount) FROM taken GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
         ON CONFLICT (tenant_id, organization_id, dimension, status) DO UPDATE SET amount = c.amount + excluded.amount
       )
       SELECT count(*)::int AS folded FROM taken`,
      [limit],
    );
    return row!.folded;
  }
}

/**
 * How many there are, as SQL: of a dimension, and a status or without one all but the deleted. What is given names parameters; the tenant is
 * $1 and the organization $2.
 */
export function totalSql(dimension: string, status?: string): string {
  const where = `tenant_id = $1 AND organization_id = $2 AND dimension = ${dimension} AND status ${status === undefined ? `<> 'deleted'` : `= ${status}`}`;
  return `(SELECT coalesce(sum(amount), 0)::int FROM (
    SELECT amount FROM directory_counts WHERE ${where} UNION ALL SELECT amount FROM directory_count_deltas WHERE ${where}
  ) parts)`;
}

const INSERT_DELTAS = `INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
  SELECT tenant_id, organization_id, dimension, status, amount
  FROM json_to_recordset($1::json) AS r (tenant_id text, organization_id text, dimension text, status text, amount int)`;

const COUNTED_OF_USER = `
  SELECT tenant_id, organization_id, 'user' AS dimension FROM directory_entries WHERE user_id = $1
  UNION ALL SELECT tenant_id, organization_id, 'member' FROM directory_entries WHERE user_id = $1 AND member
  UNION ALL SELECT tenant_id, organization_id, role_id FROM role_assignments WHERE user_id = $1`;
