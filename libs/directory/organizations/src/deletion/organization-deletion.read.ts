import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';

/** Counts what a deletion would take along. */
@Injectable()
export class OrganizationDeletionReads extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Organizations below, and users that these and the organization itself manage; one statement. */
  async counts(
    ctx: RequestContext,
    { tenantId, id }: Pick<OrganizationScope, 'tenantId' | 'id'>,
  ): Promise<{ organizationsBelow: number; users: number }> {
    const [counted] = await this.query<{ organizationsBelow: number; users: number }>(
      ctx,
      `WITH taken AS MATERIALIZED (
         SELECT id FROM organizations WHERE tenant_id = $1 AND (id = $2 OR ancestor_ids @> ARRAY[$2]) AND deleted_at IS NULL
       )
       SELECT (SELECT count(*) - 1 FROM taken)::int AS "organizationsBelow",
         (SELECT count(*) FROM users u JOIN taken ON taken.id = u.organization_id
          WHERE u.tenant_id = $1 AND u.status <> 'deleted')::int AS users`,
      [tenantId, id],
    );
    return counted!;
  }
}
