import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, changedKey, column, row, type RowOf } from '#platform/database';
import type { LossAuthorization } from '#directory/privileges';
import { DataSource } from 'typeorm';
import type { Group } from './group.entity.js';
import type { OrganizationRef } from './group.repository.js';

const KEY_ROW = row({ id: column.text(), tenantId: column.text() });
const USER_ROW = row({ id: column.text(), tenantId: column.text(), email: column.text() });
const STATE_ROW = row({ id: column.text(), status: column.text(), isInGroup: column.boolean() });
const GROUP_ROW = row({ id: column.text(), name: column.text() });

/** A locked member of the organization. `status` is the status in the directory of the organization. */
export type LockedUser = RowOf<typeof USER_ROW> & RowOf<typeof STATE_ROW>;

/** Reads, locks and removes many members of groups with few statements. */
@Injectable()
export class GroupMembersQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Locks members of the organization until the transaction ends: nobody can remove, suspend or delete them meanwhile. Returns the members
   * and whether they are in the group. Users who are not members of the organization are omitted. Guests are locked in their tenants.
   */
  async lock(
    ctx: RequestContext,
    organization: OrganizationRef,
    group: Pick<Group, 'id'>,
    userIds: readonly string[],
  ): Promise<LockedUser[]> {
    const parameters = [organization.tenantId, organization.id, userIds];
    const keys = await this.query(
      ctx,
      KEY_ROW,
      `SELECT m.user_id AS id, m.user_tenant_id AS "tenantId" FROM memberships m
       WHERE m.tenant_id = $1 AND m.organization_id = $2 AND m.user_id = ANY ($3)`,
      parameters,
    );
    const users = new Map<string, RowOf<typeof USER_ROW>>();
    for (const tenantId of [...new Set(keys.map((key) => key.tenantId))].sort()) {
      const ids = keys.filter((key) => key.tenantId === tenantId).map(({ id }) => id);
      for (const user of await this.lockUsers(ctx, tenantId, ids)) users.set(user.id, user);
    }
    // After the lock, because members can have been removed before.
    const states = await this.query(
      ctx,
      STATE_ROW,
      `SELECT m.user_id AS id, e.status, p.user_id IS NOT NULL AS "isInGroup" FROM memberships m
       JOIN directory_entries e ON e.tenant_id = $1 AND e.organization_id = $2 AND e.user_id = m.user_id
       LEFT JOIN group_members p ON p.tenant_id = $1 AND p.group_id = $4 AND p.user_id = m.user_id
       WHERE m.tenant_id = $1 AND m.organization_id = $2 AND m.user_id = ANY ($3) ORDER BY m.user_id`,
      [...parameters, group.id],
    );
    return states.flatMap((state) => {
      const user = users.get(state.id);
      return user ? [{ ...user, ...state }] : [];
    });
  }

  /** Locks users in the order of their ids, so that two requests don't wait for each other. */
  private lockUsers(ctx: RequestContext, tenantId: string, ids: readonly string[]): Promise<RowOf<typeof USER_ROW>[]> {
    return this.query(
      ctx,
      USER_ROW,
      `SELECT u.id, u.tenant_id AS "tenantId", u.email FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2)
       ORDER BY u.id FOR SHARE`,
      [tenantId, ids],
    );
  }

  async isMember(ctx: RequestContext, { tenantId, id }: Pick<Group, 'tenantId' | 'id'>, userId: string): Promise<boolean> {
    const sql = 'SELECT FROM group_members p WHERE p.tenant_id = $1 AND p.group_id = $2 AND p.user_id = $3';
    return (await this.query(ctx, row({}), sql, [tenantId, id, userId])).length > 0;
  }

  /**
   * Returns the groups of a member, in the order of their ids. Locks the rows of the member until the transaction ends, so that a concurrent
   * deletion of a group doesn't remove and count the member, too.
   */
  lockGroups(ctx: RequestContext, { tenantId, id }: OrganizationRef, userId: string): Promise<RowOf<typeof GROUP_ROW>[]> {
    return this.query(
      ctx,
      GROUP_ROW,
      `SELECT g.id, g.name FROM group_members p JOIN groups g ON g.tenant_id = $1 AND g.id = p.group_id
       WHERE p.tenant_id = $1 AND p.organization_id = $2 AND p.user_id = $3 ORDER BY g.id FOR UPDATE OF p`,
      [tenantId, id, userId],
    );
  }

  async delete(
    ctx: RequestContext,
    { tenantId, id }: Pick<Group, 'tenantId' | 'id'>,
    userIds: readonly string[],
    _loss: LossAuthorization,
  ): Promise<void> {
    await this.executeRowChanges(
      ctx,
      `DELETE FROM group_members p WHERE p.tenant_id = $1 AND p.group_id = $2 AND p.user_id = ANY ($3)
       RETURNING ${changedKey('group_members', 'p')}`,
      [tenantId, id, userIds],
    );
  }

  /** Removes a user from all groups of an organization. */
  async deleteOfMember(
    ctx: RequestContext,
    { tenantId, id }: OrganizationRef,
    userId: string,
    _loss: LossAuthorization,
  ): Promise<void> {
    await this.executeRowChanges(
      ctx,
      `DELETE FROM group_members p WHERE p.tenant_id = $1 AND p.organization_id = $2 AND p.user_id = $3
       RETURNING ${changedKey('group_members', 'p')}`,
      [tenantId, id, userId],
    );
  }

  /**
   * Removes up to `limit` members of a group, and their counts. Returns the number of removed members, which is less than `limit` only if no
   * member is left: `FOR UPDATE` doesn't count rows that another transaction removed meanwhile.
   */
  async deleteBatch(ctx: RequestContext, group: Group, limit: number, _loss: LossAuthorization): Promise<number> {
    return this.executeRowChanges(
      ctx,
      `WITH removed AS (
         DELETE FROM group_members p WHERE p.tenant_id = $1 AND p.group_id = $2 AND p.user_id IN (
           SELECT n.user_id FROM group_members n WHERE n.tenant_id = $1 AND n.group_id = $2 ORDER BY n.user_id LIMIT $4 FOR UPDATE
         ) RETURNING p.tenant_id, p.group_id, p.user_id
       ), counted AS (
         INSERT INTO directory_count_deltas (tenant_id, organization_id, dimension, status, amount)
         SELECT e.tenant_id, e.organization_id, $2, e.status, -count(*) FROM removed r
         JOIN directory_entries e ON e.tenant_id = $1 AND e.organization_id = $3 AND e.user_id = r.user_id
         WHERE e.tenant_id = $1 GROUP BY e.tenant_id, e.organization_id, e.status
       )
       SELECT ${changedKey('group_members', 'r')} FROM removed r`,
      [group.tenantId, group.id, group.organizationId, limit],
    );
  }
}
