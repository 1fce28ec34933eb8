import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import { DataSource } from 'typeorm';

const COUNTS_ROW = row({ organizationsBelow: column.integer(), users: column.integer() });

@Injectable()
export class OrganizationDeletionQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Counts the descendants of an organization, and the users that the organization and its descendants manage. */
  async counts(
    ctx: RequestContext,
    { tenantId, id }: Pick<OrganizationScope, 'tenantId' | 'id'>,
  ): Promise<{ organizationsBelow: number; users: number }> {
    const [counts = { organizationsBelow: 0, users: 0 }] = await this.query(
      ctx,
      COUNTS_ROW,
      `WITH deletable AS MATERIALIZED (
         SELECT id FROM organizations WHERE tenant_id = $1 AND (id = $2 OR ancestor_ids @> ARRAY[$2]) AND deleted_at IS NULL
       )
       SELECT (SELECT count(*) - 1 FROM deletable)::int AS "organizationsBelow",
         (SELECT count(*) FROM users u JOIN deletable ON deletable.id = u.organization_id
          WHERE u.tenant_id = $1 AND u.status <> 'deleted')::int AS users`,
      [tenantId, id],
    );
    return counts;
  }
}
