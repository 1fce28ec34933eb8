import { Injectable } from '@nestjs/common';
import type { Grant, OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row } from '#platform/database';
import type { SettingsLayer } from '#directory/organizations';
import { BUILT_IN_ROLES } from '#directory/roles';
import { DataSource } from 'typeorm';

/** The permissions that a user's roles grant in one organization. */
export type UserGrant = Grant & Pick<OrganizationScope, 'ancestorIds'>;

/** The data of a user that authorizes the requests of a session. */
export interface SessionUser {
  readonly email: string;
  readonly grants: readonly UserGrant[];
  /** The settings of the organization of the sign-in and its ancestors, root first. */
  readonly settings: readonly SettingsLayer[];
  /** Whether the organization of the sign-in, the managing organization or one of their ancestors is suspended. */
  readonly suspended: boolean;
}

type UserKey = Readonly<Record<'tenantId' | 'id', string>>;

/** A user who owns API keys or webhooks. */
export interface OwnerGrants extends UserKey {
  readonly status: string;
  readonly grants: readonly UserGrant[];
}

interface RoleRow {
  organizationId: string;
  ancestorIds: string[];
  roleId: string;
  /** Null for a built-in role. */
  permissions: string[] | null;
  /** Whether the role is temporary, through break-glass access. */
  temporary: boolean;
}

/** Selects all roles of the user `u`, including roles as a guest and temporary roles through break-glass access. */
const rolesOfUser = (
  organizations: string,
) => `SELECT coalesce(json_agg(json_build_object('organizationId', r.organization_id, 'ancestorIds', g.ancestor_ids,
    'roleId', r.role_id, 'permissions', w.permissions, 'temporary', r.temporary) ORDER BY r.organization_id, r.role_id), '[]')
  FROM (
    SELECT a.tenant_id, a.organization_id, a.role_id, false AS temporary FROM role_assignments a
    JOIN memberships m ON m.tenant_id = a.tenant_id AND m.organization_id = a.organization_id AND m.user_id = a.user_id
      AND m.user_tenant_id = u.tenant_id
    WHERE a.user_id = u.id
    UNION ALL
    SELECT b.tenant_id, b.organization_id, b.role_id, true FROM break_glass_grants b
    WHERE b.user_id = u.id AND b.user_tenant_id = u.tenant_id
  ) r
  JOIN organizations g ON g.tenant_id = r.tenant_id AND g.id = r.organization_id ${organizations}
  LEFT JOIN roles w ON w.tenant_id = r.tenant_id AND w.id = r.role_id`;

const USABLE_ROLES = rolesOfUser('AND g.deleted_at IS NULL');
/** Includes roles in deleted organizations, because the organizations can be restored. */
const ALL_ROLES = rolesOfUser('');

const BUILT_IN_PERMISSIONS: ReadonlyMap<string, readonly string[]> = new Map(
  BUILT_IN_ROLES.map(({ id, permissions }) => [id, permissions]),
);

const ROLES_ROW = row({ id: column.text(), roles: column.json<RoleRow[]>() });
const OWNER_ROW = row({
  tenantId: column.text(),
  id: column.text(),
  roles: column.json<RoleRow[]>(),
  status: column.text(),
});
const SESSION_USER_ROW = row({
  email: column.text(),
  roles: column.json<RoleRow[]>(),
  settings: column.json<SettingsLayer[]>(),
  suspended: column.boolean(),
});

/** Reads the permissions of users in all organizations. */
@Injectable()
export class UserGrantsQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the grants of all roles of a user, even if the user or an organization is suspended or deleted. */
  async listByUser(ctx: RequestContext, user: UserKey): Promise<UserGrant[]> {
    return (await this.mapByUser(ctx, user.tenantId, [user.id])).get(user.id) ?? [];
  }

  /** Returns the grants of all roles of several users of a tenant, by user id. */
  async mapByUser(ctx: RequestContext, tenantId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, UserGrant[]>> {
    const rows = await this.query(
      ctx,
      ROLES_ROW,
      `SELECT u.id, (${ALL_ROLES}) AS roles FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2)`,
      [tenantId, userIds],
    );
    return new Map(rows.map(({ id, roles }) => [id, grantsOf(roles)]));
  }

  /**
   * Returns the grants and the status of users of any tenants. The status is `suspended` or `deleted` if the managing organization is
   * suspended or deleted. Purged users are omitted.
   */
  async listOwners(ctx: RequestContext, users: readonly UserKey[]): Promise<OwnerGrants[]> {
    const rows = await this.query(
      ctx,
      OWNER_ROW,
      `SELECT u.tenant_id AS "tenantId", u.id, (${ALL_ROLES}) AS roles,
         CASE WHEN u.status = 'deleted' OR h.deleted_at IS NOT NULL THEN 'deleted'
           WHEN u.status = 'suspended' OR EXISTS (SELECT FROM organizations s WHERE s.tenant_id = h.tenant_id AND s.status = 'suspended'
             AND s.id = ANY (h.ancestor_ids || h.id)) THEN 'suspended' ELSE u.status END AS status
       FROM unnest($1::text[], $2::text[]) AS k (tenant_id, id)
       JOIN users u ON u.tenant_id = k.tenant_id AND u.id = k.id
       JOIN organizations h ON h.tenant_id = u.tenant_id AND h.id = u.organization_id`,
      [users.map(({ tenantId }) => tenantId), users.map(({ id }) => id)],
    );
    return rows.map(({ roles, ...row }) => ({ ...row, grants: grantsOf(roles) }));
  }

  /**
   * Returns the user of a session in an organization of the tenant. Returns null if the user is not active, or if the managing organization
   * or the organization of the sign-in is deleted.
   */
  async findSessionUser(ctx: RequestContext, user: UserKey, organizationId: string): Promise<SessionUser | null> {
    const [sessionUser] = await this.query(
      ctx,
      SESSION_USER_ROW,
      `SELECT u.email, (${USABLE_ROLES}) AS roles,
         (SELECT json_agg(json_build_object('id', l.id, 'name', l.name, 'overrides', l.settings_overrides, 'locked', l.locked_settings)
            ORDER BY cardinality(l.ancestor_ids))
          FROM organizations l WHERE l.tenant_id = o.tenant_id AND l.id = ANY (o.ancestor_ids || o.id)) AS settings,
         EXISTS (SELECT FROM organizations s WHERE s.tenant_id = u.tenant_id AND s.status = 'suspended'
           AND s.id = ANY (h.ancestor_ids || h.id || o.ancestor_ids || o.id)) AS suspended
       FROM users u
       JOIN organizations h ON h.tenant_id = u.tenant_id AND h.id = u.organization_id AND h.deleted_at IS NULL
       JOIN organizations o ON o.tenant_id = u.tenant_id AND o.id = $3 AND o.deleted_at IS NULL
       WHERE u.tenant_id = $1 AND u.id = $2 AND u.status = 'active'`,
      [user.tenantId, user.id, organizationId],
    );
    return sessionUser ? { ...sessionUser, grants: grantsOf(sessionUser.roles) } : null;
  }
}

/** Returns one grant for each organization, and a separate grant for each organization with break-glass access. */
function grantsOf(roles: readonly RoleRow[]): UserGrant[] {
  const grants = new Map<string, Omit<UserGrant, 'permissions'> & { permissions: Set<string> }>();
  for (const { organizationId, ancestorIds, roleId, permissions, temporary } of roles) {
    const key = `${organizationId} ${temporary}`;
    const grant = grants.get(key) ?? { organizationId, ancestorIds, temporary, permissions: new Set<string>() };
    for (const permission of permissions ?? BUILT_IN_PERMISSIONS.get(roleId) ?? []) grant.permissions.add(permission);
    grants.set(key, grant);
  }
  return [...grants.values()].map((grant) => ({ ...grant, permissions: [...grant.permissions] }));
}
