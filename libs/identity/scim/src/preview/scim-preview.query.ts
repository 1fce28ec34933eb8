import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { OWNER_ROLE_ID } from '#directory/roles';
import { DataSource } from 'typeorm';
import type { GroupAction } from './scim-preview-group.entity.js';
import type { UserAction } from './scim-preview-user.entity.js';

const USERS_ROW = row({ action: column.text<UserAction>(), adopts: column.boolean(), count: column.integer() });
const GROUPS_ROW = row({
  action: column.text<GroupAction>(),
  count: column.integer(),
  membersAdded: column.integer(),
  membersRemoved: column.integer(),
});
const COUNT_ROW = row({ count: column.integer() });

interface ConnectionKey {
  readonly tenantId: string;
  readonly id: string;
}

/** Counts what a connection in preview would do. */
@Injectable()
export class ScimPreviewQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  countUsers(ctx: RequestContext, { tenantId, id }: ConnectionKey): Promise<RowOf<typeof USERS_ROW>[]> {
    const sql = `SELECT action, adopts, count(*)::int AS count FROM scim_preview_users
      WHERE tenant_id = $1 AND connection_id = $2 GROUP BY action, adopts`;
    return this.query(ctx, USERS_ROW, sql, [tenantId, id]);
  }

  countGroups(ctx: RequestContext, { tenantId, id }: ConnectionKey): Promise<RowOf<typeof GROUPS_ROW>[]> {
    const sql = `SELECT action, count(*)::int AS count, sum(members_added)::int AS "membersAdded",
        sum(members_removed)::int AS "membersRemoved"
      FROM scim_preview_groups WHERE tenant_id = $1 AND connection_id = $2 GROUP BY action`;
    return this.query(ctx, GROUPS_ROW, sql, [tenantId, id]);
  }

  /** Counts the users with the role `owner` in some organization whom the connection would suspend or delete. */
  async countRemovedOwners(ctx: RequestContext, { tenantId, id }: ConnectionKey): Promise<number> {
    const sql = `SELECT count(*)::int AS count FROM scim_preview_users p
      WHERE p.tenant_id = $1 AND p.connection_id = $2 AND p.action IN ('suspend', 'delete') AND EXISTS (
        SELECT FROM role_assignments a WHERE a.tenant_id = $1 AND a.user_id = p.user_id AND a.role_id = $3)`;
    return (await this.query(ctx, COUNT_ROW, sql, [tenantId, id, OWNER_ROLE_ID]))[0]?.count ?? 0;
  }
}
