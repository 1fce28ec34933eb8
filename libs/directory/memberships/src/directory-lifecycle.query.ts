import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, changedKey, column, lockKey, row, type RowOf } from '#platform/database';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import type { LossAuthorization } from '#directory/privileges';
import { DataSource } from 'typeorm';
import { COUNT_FOLDING } from './directory-counts.query.js';

/** Users that the organizations $2 of tenant $1 manage, in the directories of other organizations of the tenant. */
const OWN_USERS = {
  from: 'users u',
  where: 'e.tenant_id = $1 AND u.tenant_id = $1 AND u.id = e.user_id AND e.user_organization_id = ANY ($2) AND NOT e.managed',
} as const;
/** The users $2 of another tenant as guests in tenant $1. */
const GUESTS = {
  from: 'json_to_recordset($2::json) AS u (id text, status text)',
  where: 'e.tenant_id = $1 AND u.id = e.user_id',
} as const;
type Users = typeof OWN_USERS | typeof GUESTS;

const GUEST_ROW = row({ id: column.text(), status: column.text(), guestTenantIds: column.arrayOf(column.text()) });
type Guest = RowOf<typeof GUEST_ROW>;

/**
 * Updates directories when organizations are deleted, restored or purged. The number of statements does not depend on the number of users,
 * but on the number of tenants in which the users are guests.
 */
@Injectable()
export class DirectoryLifecycleQuery extends BaseQuery implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly lifecycleHandlers: OrganizationLifecycleHandlers,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.lifecycleHandlers.register(this);
  }

  /** Marks users that the organizations manage as deleted in the directories of all other organizations. */
  async onDeleted(ctx: RequestContext, tenantId: string, ids: readonly string[], _loss: LossAuthorization): Promise<void> {
    await this.moveStatus(ctx, tenantId, ids, `'deleted'`);
  }

  /** Restores the status of users that the organizations manage in the directories of all other organizations. */
  async onRestored(ctx: RequestContext, tenantId: string, ids: readonly string[], _loss: LossAuthorization): Promise<void> {
    await this.moveStatus(ctx, tenantId, ids, 'u.status');
  }

  /** Deletes all rows of the organizations, and removes the users of the organizations from all other organizations. */
  async onPurged(ctx: RequestContext, tenantId: string, ids: readonly string[], _loss: LossAuthorization): Promise<void> {
    const parameters = [tenantId, ids];
    await this.executeRowChanges(
      ctx,
      `DELETE FROM break_glass_requests b WHERE tenant_id = $1
         AND requester_id IN (SELECT id FROM users WHERE tenant_id = $1 AND organization_id = ANY ($2))
       RETURNING ${changedKey('break_glass_requests', 'b')}`,
      parameters,
    );
    await this.removeUsers(ctx, OWN_USERS, parameters);
    for (const [guestTenantId, guests] of await this.guestsByTenant(ctx, tenantId, ids)) {
      const sql = `DELETE FROM break_glass_requests b WHERE tenant_id = $1 AND requester_id = ANY ($2)
        RETURNING ${changedKey('break_glass_requests', 'b')}`;
      await this.executeRowChanges(ctx, sql, [guestTenantId, guests.map(({ id }) => id)]);
      await this.removeUsers(ctx, GUESTS, [guestTenantId, JSON.stringify(guests)]);
    }
    for (const table of ['group_members', 'role_assignments', 'memberships', 'directory_entries'] as const) {
      const sql = `DELETE FROM ${table} t WHERE tenant_id = $1 AND organization_id = ANY ($2) RETURNING ${changedKey(table, 't')}`;
      await this.executeRowChanges(ctx, sql, parameters);
    }
    // Deltas that are being folded would become a count after the purge.
    await lockKey(ctx, COUNT_FOLDING);
    for (const table of ['directory_counts', 'directory_count_deltas']) {
      await this.execute(ctx, `DELETE FROM ${table} WHERE tenant_id = $1 AND organization_id = ANY ($2)`, parameters);
    }
  }

  /** Removes users from the directories, groups and counts of other organizations. */
  private async removeUsers(ctx: RequestContext, users: Users, parameters: unknown[]): Promise<void> {
    await this.executeRowChanges(ctx, removeGroupMembersSql(users), parameters);
    await this.executeRowChanges(ctx, removeSql(users), parameters);
  }

  /**
   * Changes the status of the users in the directories and counts of other organizations. `status` is an SQL expression over the user `u`.
   */
  private async moveStatus(ctx: RequestContext, tenantId: string, ids: readonly string[], status: string): Promise<void> {
    await this.executeRowChanges(ctx, moveStatusSql(OWN_USERS, status), [tenantId, ids]);
    for (const [guestTenantId, guests] of await this.guestsByTenant(ctx, tenantId, ids)) {
      await this.executeRowChanges(ctx, moveStatusSql(GUESTS, status), [guestTenantId, JSON.stringify(guests)]);
    }
  }

  /** Returns the users of the organizations who are or were guests, by the id of the other tenant, in the order of the ids. */
  private async guestsByTenant(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<[string, Guest[]][]> {
    const users = await this.query(
      ctx,
      GUEST_ROW,
      `SELECT id, status, guest_tenant_ids AS "guestTenantIds" FROM users
       WHERE tenant_id = $1 AND organization_id = ANY ($2) AND guest_tenant_ids <> '{}'`,
      [tenantId, ids],
    );
    const tenantIds = [...new Set(users.flatMap(({ guestTenantIds }) => guestTenantIds))].sort();
    return tenantIds.map((id) => [id, users.filter(({ guestTenantIds }) => guestTenantIds.includes(id))]);
  }
}

const removeSql = ({ from, where }: Users): string => `WITH removed AS (
    DELETE FROM directory_entries e USING ${from}
    WHERE ${where} RETURNING e.tenant_id, e.organization_id, e.user_id, e.status, e.member
  ), removed_memberships AS (
    DELETE FROM memberships m USING removed g
    WHERE m.tenant_id = $1 AND (m.tenant_id, m.organization_id, m.user_id) = (g.tenant_id, g.organization_id, g.user_id)
    RETURNING m.tenant_id, m.organization_id, m.user_id
  ), removed_roles AS (
    DELETE FROM role_assignments r USING removed g
    WHERE r.tenant_id = $1 AND (r.tenant_id, r.organization_id, r.user_id) = (g.tenant_id, g.organization_id, g.user_id)
    RETURNING r.tenant_id, r.organization_id, r.user_id, r.role_id, r.user_status
  ), counted AS (
    INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
    SELECT tenant_id, organization_id, 'user', status, -1 FROM removed
    UNION ALL SELECT tenant_id, organization_id, 'member', status, -1 FROM removed WHERE member
    UNION ALL SELECT tenant_id, organization_id, role_id, user_status, -1 FROM removed_roles
  )
  SELECT ${changedKey('directory_entries', 'e')} FROM removed e
  UNION ALL SELECT ${changedKey('memberships', 'm')} FROM removed_memberships m
  UNION ALL SELECT ${changedKey('role_assignments', 'r')} FROM removed_roles r`;

/** Runs before `removeSql`, because members of groups reference memberships and Citus checks foreign keys after each part of a statement. */
const removeGroupMembersSql = ({ from, where }: Users): string => `WITH removed AS (
    DELETE FROM group_members p USING directory_entries e, ${from}
    WHERE p.tenant_id = $1 AND (p.organization_id, p.user_id) = (e.organization_id, e.user_id) AND ${where}
    RETURNING p.tenant_id, p.organization_id, p.group_id, p.user_id, e.status
  ), counted AS (
    INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
    SELECT tenant_id, organization_id, group_id, status, -1 FROM removed
  )
  SELECT ${changedKey('group_members', 'p')} FROM removed p`;

const moveStatusSql = ({ from, where }: Users, status: string): string => `WITH moved AS (
    SELECT e.tenant_id, e.organization_id, e.user_id, e.member, e.status AS old_status, ${status} AS new_status
    FROM directory_entries e, ${from} WHERE ${where} AND e.status <> ${status}
  ), entries AS (
    UPDATE directory_entries e SET status = m.new_status FROM moved m
    WHERE e.tenant_id = $1 AND (e.tenant_id, e.organization_id, e.user_id) = (m.tenant_id, m.organization_id, m.user_id)
  ), roles AS (
    UPDATE role_assignments r SET user_status = m.new_status FROM moved m
    WHERE r.tenant_id = $1 AND (r.tenant_id, r.organization_id, r.user_id) = (m.tenant_id, m.organization_id, m.user_id)
    RETURNING r.tenant_id, r.organization_id, r.user_id, r.role_id, m.old_status, m.new_status
  ), counted AS (
    SELECT tenant_id, organization_id, 'user' AS dimension, old_status, new_status FROM moved
    UNION ALL SELECT tenant_id, organization_id, 'member', old_status, new_status FROM moved WHERE member
    UNION ALL SELECT tenant_id, organization_id, role_id, old_status, new_status FROM roles
    UNION ALL SELECT p.tenant_id, p.organization_id, p.group_id, m.old_status, m.new_status FROM moved m
      JOIN group_members p ON p.tenant_id = $1 AND (p.tenant_id, p.organization_id, p.user_id) = (m.tenant_id, m.organization_id, m.user_id)
  ), deltas AS (
    INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
    SELECT tenant_id, organization_id, dimension, old_status, -1 FROM counted
    UNION ALL SELECT tenant_id, organization_id, dimension, new_status, 1 FROM counted
  )
  SELECT ${changedKey('directory_entries', 'e')} FROM moved e
  UNION ALL SELECT ${changedKey('role_assignments', 'r')} FROM roles r`;
