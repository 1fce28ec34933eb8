import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';

type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId'>;

/** The last row of the previous batch. */
export interface AssignmentCursor {
  readonly userId: string;
  readonly roleId: string;
}

const nullableText = column.nullable(column.text());
const nullableTime = column.nullable(column.timestamp());

const ASSIGNER = { assignedByType: nullableText, assignedById: nullableText };
const ASSIGNMENT = {
  userId: column.text(),
  userTenantId: column.text(),
  status: column.text(),
  roleId: column.text(),
  /** Name and permissions are null for a built-in role. */
  roleName: nullableText,
  permissions: column.nullable(column.arrayOf(column.text())),
  assignedAt: column.timestamp(),
  ...ASSIGNER,
} as const;
const ASSIGNMENT_ROW = row(ASSIGNMENT);
const GROUP_ROLE_ROW = row({ ...ASSIGNMENT, groupId: column.text(), groupName: column.text() });
const BREAK_GLASS_ROW = row({
  userId: column.text(),
  userTenantId: column.text(),
  status: nullableText,
  assignedAt: nullableTime,
  expiresAt: nullableTime,
  ...ASSIGNER,
});
const KEY_ROW = row({
  id: column.text(),
  name: column.text(),
  scopes: column.arrayOf(column.text()),
  isDisabled: column.boolean(),
  expiresAt: nullableTime,
  lastUsedAt: nullableTime,
  assignedAt: column.timestamp(),
  ...ASSIGNER,
});
const PERSON_ROW = row({
  id: column.text(),
  email: column.text(),
  firstName: nullableText,
  lastName: nullableText,
  displayName: nullableText,
  lastUsedAt: nullableTime,
});

const ID_ROW = row({ id: column.text() });

const LAST_USE = `greatest(u.last_login_at, (SELECT max(s.last_seen_at) FROM sessions s
  WHERE s.tenant_id = $1 AND s.user_id = u.id AND s.revoked_at IS NULL))`;

export type ReportedAssignment = RowOf<typeof ASSIGNMENT_ROW>;
export type ReportedGroupRole = RowOf<typeof GROUP_ROLE_ROW>;
export type ReportedBreakGlass = RowOf<typeof BREAK_GLASS_ROW>;
export type ReportedKey = RowOf<typeof KEY_ROW>;
export type ReportedPerson = RowOf<typeof PERSON_ROW>;

/**
 * Reads the roles and API keys of one organization, without those of its ancestors, also as of a moment. Every statement names the tenant.
 */
@Injectable()
export class AccessReportQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns role assignments in the order of the primary key. Omits deleted users. */
  listAssignments(
    ctx: RequestContext,
    { tenantId, id }: OrganizationRef,
    after: AssignmentCursor | undefined,
    limit: number,
  ): Promise<ReportedAssignment[]> {
    return this.query(
      ctx,
      ASSIGNMENT_ROW,
      // A join with the memberships could read all memberships for each row if PostgreSQL has no statistics of the organization yet.
      `SELECT a.user_id AS "userId", (SELECT m.user_tenant_id FROM memberships m WHERE m.tenant_id = $1 AND m.organization_id = $2
           AND m.user_id = a.user_id) AS "userTenantId", a.user_status AS status, a.role_id AS "roleId",
         r.name AS "roleName", r.permissions, a.assigned_at AS "assignedAt",
         a.assigned_by_type AS "assignedByType", a.assigned_by_id AS "assignedById"
       FROM role_assignments a
       LEFT JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
       WHERE a.tenant_id = $1 AND a.organization_id = $2 AND (a.user_id, a.role_id) > ($3, $4) AND a.user_status <> 'deleted'
       ORDER BY a.user_id, a.role_id LIMIT $5`,
      [tenantId, id, after?.userId ?? '', after?.roleId ?? '', limit],
    );
  }

  /** Returns the ids of the groups that have roles. */
  async listGroupsWithRoles(ctx: RequestContext, { tenantId, id }: OrganizationRef): Promise<string[]> {
    const sql = `SELECT DISTINCT a.group_id AS id FROM group_role_assignments a
      WHERE a.tenant_id = $1 AND a.organization_id = $2 ORDER BY a.group_id`;
    return (await this.query(ctx, ID_ROW, sql, [tenantId, id])).map((group) => group.id);
  }

  /**
   * Returns the roles of the members of a group, in the order of the ids of the user and the role. Omits deleted users. The actor is who
   * gave the role to the user: by adding the user or, if that was later, by assigning the role.
   */
  listGroupRoles(
    ctx: RequestContext,
    { tenantId, id }: OrganizationRef,
    groupId: string,
    after: AssignmentCursor | undefined,
    limit: number,
  ): Promise<ReportedGroupRole[]> {
    return this.query(
      ctx,
      GROUP_ROLE_ROW,
      `SELECT p.user_id AS "userId", e.user_tenant_id AS "userTenantId", e.status, a.role_id AS "roleId", r.name AS "roleName", r.permissions,
         greatest(p.added_at, a.assigned_at) AS "assignedAt", p.group_id AS "groupId", n.name AS "groupName",
         CASE WHEN a.assigned_at > p.added_at THEN a.assigned_by_type ELSE p.added_by_type END AS "assignedByType",
         CASE WHEN a.assigned_at > p.added_at THEN a.assigned_by_id ELSE p.added_by_id END AS "assignedById"
       FROM group_members p
       JOIN group_role_assignments a ON a.tenant_id = $1 AND a.group_id = p.group_id
       JOIN groups n ON n.tenant_id = $1 AND n.id = p.group_id
       JOIN directory_entries e ON e.tenant_id = $1 AND e.organization_id = $2 AND e.user_id = p.user_id AND e.status <> 'deleted'
       LEFT JOIN roles r ON r.tenant_id = $1 AND r.id = a.role_id
       WHERE p.tenant_id = $1 AND p.organization_id = $2 AND p.group_id = $3 AND p.user_id >= $4 AND (p.user_id, a.role_id) > ($4, $5)
       ORDER BY p.user_id, a.role_id LIMIT $6`,
      [tenantId, id, groupId, after?.userId ?? '', after?.roleId ?? '', limit],
    );
  }

  /**
   * Returns the break-glass access that is in effect (as `break_glass_grants`, but on one shard). A user has at most one open request in an
   * organization.
   */
  listBreakGlass(ctx: RequestContext, { tenantId, id }: OrganizationRef): Promise<ReportedBreakGlass[]> {
    return this.query(
      ctx,
      BREAK_GLASS_ROW,
      `SELECT b.requester_id AS "userId", b.requester_tenant_id AS "userTenantId",
         (SELECT min(a.user_status) FROM role_assignments a WHERE a.tenant_id = $1 AND a.user_id = b.requester_id) AS status,
         b.decided_at AS "assignedAt", b.ends_at AS "expiresAt", b.decided_by_type AS "assignedByType", b.decided_by_id AS "assignedById"
       FROM break_glass_requests b
       WHERE b.tenant_id = $1 AND b.organization_id = $2 AND b.status = 'approved' AND b.ends_at > ${ctx.asOf === undefined ? 'now()' : '$3::timestamptz'}
         AND EXISTS (SELECT FROM role_assignments a WHERE a.tenant_id = $1 AND a.user_id = b.requester_id AND a.user_status <> 'deleted')
       ORDER BY b.requester_id`,
      ctx.asOf === undefined ? [tenantId, id] : [tenantId, id, ctx.asOf],
    );
  }

  /**
   * Returns the API keys that are neither revoked nor expired at `now`, in the order of their ids. API keys have no history. As of a moment,
   * returns the keys that existed at the moment, with their present expiration.
   */
  listKeys(
    { asOf, ...present }: RequestContext,
    { tenantId, id }: OrganizationRef,
    now: Date,
    afterId: string | undefined,
    limit: number,
  ): Promise<ReportedKey[]> {
    return this.query(
      present,
      KEY_ROW,
      `SELECT k.id, k.name, k.scopes, k.disabled_at IS NOT NULL AND k.disabled_at <= $4 AS "isDisabled", k.expires_at AS "expiresAt",
         ${asOf === undefined ? 'k.last_used_at' : 'NULL'}::timestamptz AS "lastUsedAt", k.created_at AS "assignedAt", k.created_by_type AS "assignedByType",
         k.created_by_id AS "assignedById"
       FROM api_keys k
       WHERE k.tenant_id = $1 AND k.organization_id = $2 AND k.id > $3 AND (k.revoked_at IS NULL OR k.revoked_at > $4)
         AND (k.expires_at IS NULL OR k.expires_at > $4) AND k.created_at <= $4
       ORDER BY k.id LIMIT $5`,
      [tenantId, id, afterId ?? '', asOf ?? now, limit],
    );
  }

  /**
   * Returns users of one tenant, with the time of their last sign-in or of the last use of a session that is not revoked. Sessions have no
   * history, so as of a moment with the time of the last sign-in.
   */
  listPeople(ctx: RequestContext, tenantId: string, userIds: readonly string[]): Promise<ReportedPerson[]> {
    return this.query(
      ctx,
      PERSON_ROW,
      `SELECT u.id, u.email, u.first_name AS "firstName", u.last_name AS "lastName", u.display_name AS "displayName",
         ${ctx.asOf === undefined ? LAST_USE : 'u.last_login_at'} AS "lastUsedAt"
       FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2)`,
      [tenantId, userIds],
    );
  }
}
