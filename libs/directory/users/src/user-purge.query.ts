import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import type { LossAuthorization } from '#directory/privileges';
import { DataSource } from 'typeorm';

const DELETED_ROW = row({ userId: column.text(), tenantIds: column.arrayOf(column.text()) });
const PURGEABLE_ROW = row({ tenantId: column.text(), id: column.text(), organizationId: column.text() });

/** Finds users to purge, and deletes all users of an organization. */
@Injectable()
export class UserPurgeQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns users who were deleted at or before a time and whose managing organization is not deleted. */
  listPurgeable(ctx: RequestContext, before: Date, limit: number): Promise<RowOf<typeof PURGEABLE_ROW>[]> {
    return this.query(
      ctx,
      PURGEABLE_ROW,
      `SELECT u.tenant_id AS "tenantId", u.id, u.organization_id AS "organizationId" FROM users u
       JOIN organizations o ON o.tenant_id = u.tenant_id AND o.id = u.organization_id
       WHERE u.status = 'deleted' AND u.deleted_at <= $1 AND o.deleted_at IS NULL ORDER BY u.deleted_at LIMIT $2`,
      [before, limit],
    );
  }

  /** Deletes the token hashes of the sessions and one-time tokens of all users that the organizations manage. */
  async deleteTokenHashes(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    await this.execute(
      ctx,
      `DELETE FROM token_hashes h WHERE h.tenant_id = $1 AND h.kind IN ('session', 'one_time_token') AND h.subject_id IN (
         SELECT s.id FROM sessions s JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
         WHERE u.tenant_id = $1 AND u.organization_id = ANY($2)
         UNION ALL SELECT t.id FROM one_time_tokens t JOIN users u ON u.tenant_id = t.tenant_id AND u.id = t.user_id
         WHERE u.tenant_id = $1 AND u.organization_id = ANY($2))`,
      [tenantId, organizationIds],
    );
  }

  /** Deletes all users that the organizations manage, with their sessions, one-time tokens and identities. Returns the users with their tenants. */
  async deleteUsers(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    _loss: LossAuthorization,
  ): Promise<RowOf<typeof DELETED_ROW>[]> {
    const users = await this.query(
      ctx,
      DELETED_ROW,
      `DELETE FROM users WHERE tenant_id = $1 AND organization_id = ANY($2)
       RETURNING id AS "userId", tenant_id || guest_tenant_ids AS "tenantIds"`,
      [tenantId, organizationIds],
    );
    const keys = users.map(({ userId }) => ({ tenant_id: tenantId, id: userId }));
    this.trackChanges(ctx, 'users', keys);
    return users;
  }
}
