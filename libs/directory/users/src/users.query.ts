import { Injectable } from '@nestjs/common';
import type { Metadata, OrganizationScope, Page, RequestContext } from '#platform/common';
import { BaseQuery, column, entityRow, row, type RowOf } from '#platform/database';
import { DirectoryListQuery, type DirectoryPageRequest, type ListColumns, type UserStatus } from '#directory/memberships';
import { builtInRole } from '#directory/roles';
import { DataSource } from 'typeorm';
import { User } from './user.entity.js';
import { columnOfField, namesShownIn, USER_FIELD_NAMES, type UserFieldName } from './user-fields.js';

export interface UserRole {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

/** The columns of a role. Name and permissions are null for a built-in role. */
type RoleColumns = [id: string, name: string | null, permissions: string[] | null];

const nullableText = column.nullable(column.text());
const nullableTime = column.nullable(column.timestamp());

const columnsOf = <Name extends UserFieldName>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, nullableText])) as Record<Name, typeof nullableText>;

/** Returns the SQL of the columns of text fields of the user `u`. */
const selectedFields = (names: readonly UserFieldName[]): string =>
  names.map((name) => `u.${columnOfField(name)} AS "${name}"`).join(', ');

const LISTED_ROW = {
  id: column.text(),
  email: column.text(),
  ...columnsOf(namesShownIn('list')),
  status: column.text<UserStatus>(),
  emailVerified: column.boolean(),
  mfaEnabled: column.boolean(),
  metadata: column.json<Metadata>(),
  lastLoginAt: nullableTime,
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
  roles: column.nullable(column.json<RoleColumns[]>()),
};

const DETAILS_ROW = row({
  ...LISTED_ROW,
  ...columnsOf(USER_FIELD_NAMES),
  phoneVerified: column.boolean(),
  mfaMethods: column.arrayOf(column.text()),
  suspendedAt: nullableTime,
  suspendedReason: nullableText,
  deletedAt: nullableTime,
  lastPasswordChangeAt: nullableTime,
  version: column.integer(),
  organizations: column.nullable(column.json<[id: string, name: string, roleId: string, roleName: string | null][]>()),
  identityProviders: column.nullable(column.json<{ provider: string; externalId: string }[]>()),
});

type ListedRow = RowOf<typeof LISTED.row>;
type DetailsRow = RowOf<typeof DETAILS_ROW>;

export type ListedUser = Omit<ListedRow, 'roles'> & { readonly roles: readonly UserRole[] };

/** All fields of a user that are visible to the addressed organization. */
export type UserDetails = Omit<DetailsRow, 'roles' | 'organizations' | 'identityProviders'> & {
  readonly roles: readonly UserRole[];
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: string }[];
  readonly identityProviders: NonNullable<DetailsRow['identityProviders']>;
};

const COMMON_COLUMNS = `u.id, u.email, u.status, u.email_verified AS "emailVerified", u.mfa_enabled AS "mfaEnabled", u.metadata,
  u.last_login_at AS "lastLoginAt", u.created_at AS "createdAt", u.updated_at AS "updatedAt"`;

/** The roles of user `u` in organization $2 of tenant $1: the role of the membership first, then the oldest assignments. */
const ROLES = `(SELECT json_agg(json_build_array(a.role_id, r.name, r.permissions) ORDER BY a.explicit, a.assigned_at, a.role_id)
  FROM role_assignments a LEFT JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
  WHERE a.tenant_id = $1 AND a.organization_id = $2 AND a.user_id = u.id) AS roles`;

const LISTED = {
  row: row(LISTED_ROW),
  columns: `${COMMON_COLUMNS}, ${selectedFields(namesShownIn('list'))}, ${ROLES}`,
  joins: 'LEFT JOIN users u ON u.id = i.user_id',
} satisfies ListColumns<unknown>;

/**
 * Selects a user with all fields. $4 are the organizations that the caller has access to, or null for all organizations. Memberships in
 * these organizations and their descendants are visible.
 */
const DETAILS = `SELECT ${COMMON_COLUMNS}, ${selectedFields(USER_FIELD_NAMES)}, u.phone_verified AS "phoneVerified",
    u.mfa_methods AS "mfaMethods", u.suspended_at AS "suspendedAt", u.suspended_reason AS "suspendedReason", u.deleted_at AS "deletedAt",
    u.last_password_change_at AS "lastPasswordChangeAt", u.version, ${ROLES},
    (SELECT json_agg(json_build_array(o.id, o.name, m.role_id, r.name) ORDER BY m.joined_at, o.id)
     FROM memberships m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
     LEFT JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
     WHERE m.user_id = u.id AND o.deleted_at IS NULL AND ($4::text[] IS NULL OR o.id = ANY ($4) OR o.ancestor_ids && $4)) AS organizations,
    (SELECT json_agg(json_build_object('provider', l.provider, 'externalId', l.external_id) ORDER BY l.created_at, l.provider)
     FROM user_identities l WHERE l.tenant_id = u.tenant_id AND l.user_id = u.id) AS "identityProviders"
  FROM directory_entries e JOIN users u ON u.tenant_id = e.user_tenant_id AND u.id = e.user_id
  JOIN organizations managing ON managing.tenant_id = u.tenant_id AND managing.id = u.organization_id AND managing.deleted_at IS NULL
  WHERE e.tenant_id = $1 AND e.organization_id = $2 AND e.user_id = $3`;

/** Reads users for responses and exports. */
@Injectable()
export class UsersQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly directoryList: DirectoryListQuery,
  ) {
    super(dataSource);
  }

  /**
   * Returns a user in the directory of the organization, including a deleted user. Contains only the memberships that the caller can see.
   */
  async find(ctx: RequestContext, { tenantId, id }: OrganizationScope, userId: string): Promise<UserDetails | undefined> {
    const { kind, organizationIds = [] } = ctx.caller;
    const visible = kind === 'platform' || kind === 'system' ? null : organizationIds;
    const parameters = [tenantId, id, userId, visible];
    const [user] = await this.query(ctx, DETAILS_ROW, DETAILS, parameters, { connection: 'shared' });
    if (!user) return undefined;
    const organizations = (user.organizations ?? []).map(([id, name, roleId, roleName]) => ({
      id,
      name,
      role: builtInRole(roleId)?.name ?? roleName ?? roleId,
    }));
    return { ...user, roles: rolesOf(user), organizations, identityProviders: user.identityProviders ?? [] };
  }

  /** @throws InvalidCursor, CursorGone (400) */
  async page(ctx: RequestContext, organization: OrganizationScope, request: DirectoryPageRequest): Promise<Page<ListedUser>> {
    const page = await this.directoryList.page<ListedRow>(ctx, organization, request, LISTED);
    return { ...page, items: page.items.map((user) => ({ ...user, roles: rolesOf(user) })) };
  }

  async mapById(
    ctx: RequestContext,
    { tenantId, id }: OrganizationScope,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, User>> {
    const users = await this.query(
      ctx,
      entityRow(User),
      `${this.selectOf(User)} JOIN directory_entries e ON e.user_tenant_id = t.tenant_id AND e.user_id = t.id
       WHERE e.tenant_id = $1 AND e.organization_id = $2 AND e.user_id = ANY ($3)`,
      [tenantId, id, userIds],
    );
    return new Map(users.map((user) => [user.id, user]));
  }
}

/** Returns the roles of a user, without roles that were deleted. */
function rolesOf({ roles }: { roles: RoleColumns[] | null }): UserRole[] {
  return (roles ?? []).flatMap(([id, name, permissions]) => {
    const role = builtInRole(id) ?? (name !== null && permissions !== null ? { id, name, permissions } : undefined);
    return role ? [role] : [];
  });
}
