import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext, SessionRules } from '#platform/common';
import { anyOf, BaseQuery, column, row, type RowOf } from '#platform/database';
import {
  LAYERS_AS_JSON,
  type OrganizationSettings,
  resolveSettings,
  type SettingsLayer,
  strictestSettings,
} from '#directory/organizations';
import { type UserGrant, UserGrants, type UserKey } from '#directory/privileges';
import { BUILT_IN_ROLES, OWNER_ROLE_ID } from '#directory/roles';
import type { Session, SessionDetails } from '#directory/sessions';
import { DataSource } from 'typeorm';

/** The data of a user that authorizes the requests of a session. */
export interface SessionUser {
  readonly email: string;
  /** Ids of the other tenants in which the user is or was a guest. */
  readonly guestTenantIds: readonly string[];
  readonly grants: readonly UserGrant[];
  /** The roles from which the grants come. */
  readonly roles: readonly HeldRole[];
  /** The strictest rules of the managing organization and the organization of the sign-in. */
  readonly rules: SessionRules;
  /** Whether the organization of the sign-in, the managing organization or one of their ancestors is suspended. */
  readonly suspended: boolean;
  /** Whether the user can sign in only with an identity provider; false for owners of the managing organization or an ancestor. */
  readonly ssoRequired: boolean;
  /** The ids of the organization of the sign-in and its ancestors, root first. */
  readonly signInPath: readonly string[];
  /** The same for the managing organization. */
  readonly managingPath: readonly string[];
}

/** A user who owns API keys or webhooks. */
export interface OwnerGrants extends UserKey {
  readonly status: string;
  readonly grants: readonly UserGrant[];
}

/** The condition for the organization `g` of usable roles. Roles in deleted organizations are not lost, because they can be restored. */
export const USABLE = 'AND g.deleted_at IS NULL';

/**
 * Returns the SQL of the roles in tenant $1, including roles of groups and temporary roles through break-glass access. `userTenant` is the tenant of the users,
 * and `isOfUser` the condition for the id of a user.
 */
export const rolesSql = (
  userTenant: string,
  isOfUser: string,
  isUsable: string,
) => `SELECT r.user_id AS "userId", r.organization_id AS "organizationId", g.ancestor_ids AS "ancestorIds", r.role_id AS "roleId",
    w.name AS "roleName", w.permissions, r.temporary
  FROM (
    SELECT a.organization_id, a.user_id, a.role_id, false AS temporary FROM role_assignments a
    JOIN memberships m ON m.tenant_id = a.tenant_id AND m.organization_id = a.organization_id AND m.user_id = a.user_id
      AND m.user_tenant_id = ${userTenant}
    WHERE a.tenant_id = $1 AND a.user_id ${isOfUser}
    UNION ALL
    SELECT p.organization_id, p.user_id, a.role_id, false FROM group_members p
    JOIN group_role_assignments a ON a.tenant_id = p.tenant_id AND a.group_id = p.group_id
    JOIN memberships m ON m.tenant_id = p.tenant_id AND m.organization_id = p.organization_id AND m.user_id = p.user_id
      AND m.user_tenant_id = ${userTenant}
    WHERE p.tenant_id = $1 AND p.user_id ${isOfUser}
    UNION ALL
    SELECT b.organization_id, b.user_id, b.role_id, true FROM break_glass_grants b
    WHERE b.tenant_id = $1 AND b.user_id ${isOfUser} AND b.user_tenant_id = ${userTenant}
  ) r
  JOIN organizations g ON g.tenant_id = $1 AND g.id = r.organization_id ${isUsable}
  LEFT JOIN roles w ON w.tenant_id = $1 AND w.id = r.role_id`;

/** The roles of the user `u` in the tenant $1 of the user, as a JSON array, and the other tenants in which the user can have roles. */
const ownRoles = (isUsable = '') =>
  `(SELECT coalesce(json_agg(r ORDER BY r."organizationId", r."roleId"), '[]') FROM (${rolesSql('$1', '= u.id', isUsable)}) r) AS roles,
   u.guest_tenant_ids AS "guestTenantIds"`;

const BUILT_IN_PERMISSIONS: ReadonlyMap<string, readonly string[]> = new Map(
  BUILT_IN_ROLES.map(({ id, permissions }) => [id, permissions]),
);

export const ROLE_ROW = row({
  userId: column.text(),
  organizationId: column.text(),
  ancestorIds: column.arrayOf(column.text()),
  roleId: column.text(),
  /** Null for a built-in role, as its permissions. */
  roleName: column.nullable(column.text()),
  permissions: column.nullable(column.arrayOf(column.text())),
  /** Whether the role is temporary, through break-glass access. */
  temporary: column.boolean(),
});

type RoleRow = RowOf<typeof ROLE_ROW>;

/** A role of a user in an organization. */
export type HeldRole = Readonly<Pick<RoleRow, 'organizationId' | 'roleId' | 'roleName' | 'temporary'>>;

const ROLES = { id: column.text(), roles: column.json<RoleRow[]>(), guestTenantIds: column.arrayOf(column.text()) };
const ROLES_ROW = row(ROLES);
const OWNER_ROW = row({ ...ROLES, status: column.text() });
const SESSION_USER_ROW = row({
  roles: ROLES.roles,
  guestTenantIds: ROLES.guestTenantIds,
  email: column.text(),
  settings: column.json<SettingsLayer[]>(),
  path: column.arrayOf(column.text()),
  managingPath: column.arrayOf(column.text()),
  suspended: column.boolean(),
  visible: column.boolean(),
});

/** The user of a session, as stored. */
export type StoredSessionUser = RowOf<typeof SESSION_USER_ROW>;

/** Whether the organizations `$5` of the tenant `$1` or their descendants contain the user. */
const VISIBLE = `EXISTS (SELECT FROM directory_entries e JOIN organizations v ON v.tenant_id = $1 AND v.id = e.organization_id
  WHERE e.tenant_id = $1 AND e.user_id = u.id AND e.user_tenant_id = $1 AND v.deleted_at IS NULL AND (v.id = ANY ($5) OR v.ancestor_ids && $5))`;

/**
 * Reads the user with a session `s` of tenant $1. Finds no row if the user is not active, or if the managing organization or the organization
 * of the sign-in is deleted. `visible` is whether the organizations or their descendants contain the user, and true without organizations.
 */
export const sessionUserDetails = (organizationIds?: readonly string[]): SessionDetails<StoredSessionUser> => ({
  row: SESSION_USER_ROW,
  columns: `, u.email, ${ownRoles(USABLE)}, l.settings, l.suspended, o.ancestor_ids || o.id AS path,
    h.ancestor_ids || h.id AS "managingPath", ${organizationIds ? VISIBLE : 'true'} AS visible`,
  joins: ` JOIN users u ON u.tenant_id = $1 AND u.id = s.user_id AND u.status = 'active'
    JOIN organizations h ON h.tenant_id = $1 AND h.id = u.organization_id AND h.deleted_at IS NULL
    JOIN organizations o ON o.tenant_id = $1 AND o.id = s.organization_id AND o.deleted_at IS NULL
    CROSS JOIN LATERAL (
      SELECT ${LAYERS_AS_JSON} AS settings, bool_or(l.status = 'suspended') AS suspended
      FROM organizations l WHERE l.tenant_id = $1 AND l.id = ANY (h.ancestor_ids || h.id || o.ancestor_ids || o.id)
    ) l`,
  values: organizationIds ? [organizationIds] : [],
});

/**
 * Reads the permissions of users in all organizations. One statement reads the roles in the tenant of the users. Only if users are or were
 * guests in other tenants, one more statement for each of these tenants reads the roles there.
 */
@Injectable()
export class UserGrantsQuery extends BaseQuery implements OnModuleInit {
  constructor(
    dataSource: DataSource,
    private readonly userGrants: UserGrants,
  ) {
    super(dataSource);
  }

  onModuleInit(): void {
    this.userGrants.register((ctx, tenantId, userIds) => this.mapByUser(ctx, tenantId, userIds));
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
      `SELECT u.id, ${ownRoles()} FROM users u WHERE u.tenant_id = $1 AND u.id ${anyOf('$2')}`,
      [tenantId, userIds],
    );
    return this.grantsOf(ctx, tenantId, rows);
  }

  /**
   * Returns the grants and the status of users of any tenants. The status is `suspended` or `deleted` if the managing organization is
   * suspended or deleted. Purged users are omitted.
   */
  async listOwners(ctx: RequestContext, users: readonly UserKey[]): Promise<OwnerGrants[]> {
    const owners: OwnerGrants[] = [];
    for (const tenantId of new Set(users.map((user) => user.tenantId))) {
      const userIds = users.filter((user) => user.tenantId === tenantId).map(({ id }) => id);
      const rows = await this.query(
        ctx,
        OWNER_ROW,
        `SELECT u.id, ${ownRoles()},
           CASE WHEN u.status = 'deleted' OR h.deleted_at IS NOT NULL THEN 'deleted'
             WHEN u.status = 'suspended' OR EXISTS (SELECT FROM organizations s WHERE s.tenant_id = $1 AND s.status = 'suspended'
               AND s.id = ANY (h.ancestor_ids || h.id)) THEN 'suspended' ELSE u.status END AS status
         FROM users u JOIN organizations h ON h.tenant_id = u.tenant_id AND h.id = u.organization_id
         WHERE u.tenant_id = $1 AND u.id ${anyOf('$2')}`,
        [tenantId, userIds],
      );
      const grants = await this.grantsOf(ctx, tenantId, rows);
      owners.push(...rows.map(({ id, status }) => ({ tenantId, id, status, grants: grants.get(id) ?? [] })));
    }
    return owners;
  }

  /** Returns an active user without a session, with the rules of the managing organization. Returns null if that organization is deleted. */
  async findActiveUser(ctx: RequestContext, { tenantId, id }: UserKey): Promise<SessionUser | null> {
    const { row, columns, joins } = sessionUserDetails();
    const signIn = 'SELECT id AS user_id, organization_id FROM users WHERE tenant_id = $1 AND id = $2';
    const [user] = await this.query(ctx, row, `SELECT ${columns.replace(/^, /, '')} FROM (${signIn}) s${joins}`, [tenantId, id], {
      prepared: true,
      connection: 'shared',
    });
    return user ? this.sessionUserOf(ctx, { tenantId, userId: id, ...user }) : null;
  }

  /** Returns the user of a session that was read with `sessionUserDetails`. */
  async sessionUserOf(
    ctx: RequestContext,
    session: Pick<Session, 'tenantId' | 'userId'> & StoredSessionUser,
  ): Promise<SessionUser> {
    const { tenantId, userId, email, settings, suspended, guestTenantIds, path, managingPath, roles } = session;
    const held = (await this.rolesOf(ctx, tenantId, [{ id: userId, roles, guestTenantIds }], USABLE)).get(userId) ?? [];
    const [signIn, managing] = [path, managingPath].map(
      (ids) => resolveSettings(settings.filter(({ id }) => ids.includes(id))).values,
    ) as [OrganizationSettings, OrganizationSettings];
    return {
      email,
      rules: strictestSettings([managing, signIn]),
      suspended,
      guestTenantIds,
      grants: toGrants(held),
      roles: held,
      ssoRequired: managing.ssoRequired && !isOwnerIn(roles, managingPath),
      signInPath: path,
      managingPath,
    };
  }

  /**
   * Returns whether the user has the role `owner` in one of the organizations of the user's tenant. Temporary roles through break-glass
   * access don't count.
   */
  async isOwner(ctx: RequestContext, user: UserKey, organizationIds: readonly string[]): Promise<boolean> {
    const rows = await this.query(
      ctx,
      ROLES_ROW,
      `SELECT u.id, ${ownRoles(USABLE)} FROM users u WHERE u.tenant_id = $1 AND u.id = $2`,
      [user.tenantId, user.id],
    );
    return rows.some(({ roles }) => isOwnerIn(roles, organizationIds));
  }

  /** Returns the grants of users by id, including the grants of guests. */
  private async grantsOf(
    ctx: RequestContext,
    tenantId: string,
    rows: readonly RowOf<typeof ROLES_ROW>[],
  ): Promise<ReadonlyMap<string, UserGrant[]>> {
    return new Map([...(await this.rolesOf(ctx, tenantId, rows))].map(([id, roles]) => [id, toGrants(roles)]));
  }

  /** Returns the roles of users by id, including the roles of guests. */
  private async rolesOf(
    ctx: RequestContext,
    tenantId: string,
    rows: readonly RowOf<typeof ROLES_ROW>[],
    isUsable = '',
  ): Promise<ReadonlyMap<string, RoleRow[]>> {
    const roles = rows.flatMap(({ roles }) => roles);
    for (const guestTenantId of new Set(rows.flatMap(({ guestTenantIds }) => guestTenantIds))) {
      const guests = rows.filter(({ guestTenantIds }) => guestTenantIds.includes(guestTenantId));
      const sql = `${rolesSql('$2', anyOf('$3'), isUsable)} ORDER BY r.organization_id, r.role_id`;
      roles.push(...(await this.query(ctx, ROLE_ROW, sql, [guestTenantId, tenantId, guests.map(({ id }) => id)])));
    }
    return new Map(rows.map(({ id }) => [id, roles.filter(({ userId }) => userId === id)]));
  }
}

const isOwnerIn = (roles: readonly RoleRow[], organizationIds: readonly string[]): boolean =>
  roles.some((role) => role.roleId === OWNER_ROLE_ID && !role.temporary && organizationIds.includes(role.organizationId));

/** Returns one grant for each organization, and a separate grant for each organization with break-glass access. */
export function toGrants(roles: readonly RoleRow[]): UserGrant[] {
  const grants = new Map<string, Omit<UserGrant, 'permissions'> & { permissions: Set<string> }>();
  for (const { organizationId, ancestorIds, roleId, permissions, temporary } of roles) {
    const key = `${organizationId} ${temporary}`;
    const grant = grants.get(key) ?? { organizationId, ancestorIds, temporary, permissions: new Set<string>() };
    for (const permission of permissions ?? BUILT_IN_PERMISSIONS.get(roleId) ?? []) grant.permissions.add(permission);
    grants.set(key, grant);
  }
  return [...grants.values()].map((grant) => ({ ...grant, permissions: [...grant.permissions] }));
}
