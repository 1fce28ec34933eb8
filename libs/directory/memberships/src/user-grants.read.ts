import { Injectable } from '@nestjs/common';
import type { Grant, OrganizationScope, RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import type { SettingsLayer } from '#directory/organizations';
import { BUILT_IN_ROLES } from '#directory/roles';
import { DataSource } from 'typeorm';

/** What a user's roles in one organization give, and where that lies. */
export type UserGrant = Grant & Pick<OrganizationScope, 'ancestorIds'>;

/** What has to be known of a user to serve a session. */
export interface UserStanding {
  readonly email: string;
  readonly grants: readonly UserGrant[];
  /** The settings of the organization that was signed in to, root first. */
  readonly settings: readonly SettingsLayer[];
  /** The organization signed in to, the managing one, or one above them is suspended. */
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
  /** Of a role of an organization; null for a built-in one. */
  permissions: string[] | null;
  /** Lent by break glass. */
  lent: boolean;
}

/** All roles of the user `u`, also in another tenant, where the user is a guest, and those lent by break glass. */
const rolesOfUser = (
  organizations: string,
) => `SELECT coalesce(json_agg(json_build_object('organizationId', r.organization_id, 'ancestorIds', g.ancestor_ids,
    'roleId', r.role_id, 'permissions', w.permissions, 'lent', r.lent) ORDER BY r.organization_id, r.role_id), '[]')
  FROM (
    SELECT a.tenant_id, a.organization_id, a.role_id, false AS lent FROM role_assignments a
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
/** Roles in a deleted organization come back when it is restored. */
const ALL_ROLES = rolesOfUser('');

const BUILT_IN_PERMISSIONS: ReadonlyMap<string, readonly string[]> = new Map(
  BUILT_IN_ROLES.map(({ id, permissions }) => [id, permissions]),
);

/** Reads what users may do, over all organizations. */
@Injectable()
export class UserGrants extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns everything that a user's roles grant or would grant again, whatever the status of the user and the organizations. */
  async of(ctx: RequestContext, user: UserKey): Promise<UserGrant[]> {
    return (await this.ofUsers(ctx, user.tenantId, [user.id])).get(user.id) ?? [];
  }

  /** The same for several users of a tenant, by their ids. */
  async ofUsers(ctx: RequestContext, tenantId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, UserGrant[]>> {
    const rows = await this.query<{ id: string; roles: RoleRow[] }>(
      ctx,
      `SELECT u.id, (${ALL_ROLES}) AS roles FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2)`,
      [tenantId, userIds],
    );
    return new Map(rows.map(({ id, roles }) => [id, grantsOf(roles)]));
  }

  /**
   * Returns the grants of users of any tenants, and their status: that of the user, or `suspended` or `deleted` where the organization that
   * manages the user is. Purged users are left out.
   */
  async ofOwners(ctx: RequestContext, users: readonly UserKey[]): Promise<OwnerGrants[]> {
    const rows = await this.query<UserKey & { status: string; roles: RoleRow[] }>(
      ctx,
      `SELECT u.tenant_id AS "tenantId", u.id, (${ALL_ROLES}) AS roles,
         CASE WHEN u.status = 'deleted' OR h.deleted_at IS NOT NULL THEN 'deleted'
           WHEN u.status = 'suspended' OR EXISTS (SELECT FROM organizations s WHERE s.tenant_id = h.tenant_id AND s.status = 'suspended'
             AND s.id = ANY (h.ancestor_ids || h.id)) THEN 'suspended' ELSE u.status END AS status
       FROM unnest($1::text[], $2::text[]) AS wanted (tenant_id, id)
       JOIN users u ON u.tenant_id = wanted.tenant_id AND u.id = wanted.id
       JOIN organizations h ON h.tenant_id = u.tenant_id AND h.id = u.organization_id`,
      [users.map(({ tenantId }) => tenantId), users.map(({ id }) => id)],
    );
    return rows.map(({ roles, ...row }) => ({ ...row, grants: grantsOf(roles) }));
  }

  /**
   * The standing of an active user who signed in to an organization of its tree, in one statement; null when the user is not active or
   * either the managing organization or the one signed in to is gone.
   */
  async standingOf(ctx: RequestContext, user: UserKey, organizationId: string): Promise<UserStanding | null> {
    const [row] = await this.query<{ email: string; roles: RoleRow[]; settings: SettingsLayer[]; suspended: boolean }>(
      ctx,
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
    return row ? { ...row, grants: grantsOf(row.roles) } : null;
  }
}

/** One grant for each organization, and another for what break glass lends there. */
function grantsOf(roles: readonly RoleRow[]): UserGrant[] {
  const grants = new Map<string, Omit<UserGrant, 'permissions'> & { permissions: Set<string> }>();
  for (const { organizationId, ancestorIds, roleId, permissions, lent } of roles) {
    const key = `${organizationId} ${lent}`;
    const grant = grants.get(key) ?? { organizationId, ancestorIds, lent, permissions: new Set<string>() };
    for (const permission of permissions ?? BUILT_IN_PERMISSIONS.get(roleId) ?? []) grant.permissions.add(permission);
    grants.set(key, grant);
  }
  return [...grants.values()].map((grant) => ({ ...grant, permissions: [...grant.permissions] }));
}
