import { Injectable } from '@nestjs/common';
import type { Metadata, OrganizationScope, Page, RequestContext } from '#platform/common';
import { BaseQuery, column, entityRow, row, type RowOf } from '#platform/database';
import {
  DescendantListQuery,
  DirectoryListQuery,
  type DirectoryPageRequest,
  type ListColumns,
  type UserStatus,
} from '#directory/memberships';
import { builtInRole, roleNameOf } from '#directory/roles';
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

/** The columns of a membership. The name of the role is null for a built-in role. */
type MembershipColumns = [id: string, name: string, roleId: string, roleName: string | null, joinedAt: string];

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
};

const ROLES = { roles: column.nullable(column.json<RoleColumns[]>()) };

const DETAILS_ROW = row({
  ...LISTED_ROW,
  ...ROLES,
  ...columnsOf(USER_FIELD_NAMES),
  phoneVerified: column.boolean(),
  mfaMethods: column.arrayOf(column.text()),
  suspendedAt: nullableTime,
  suspendedReason: nullableText,
  deletedAt: nullableTime,
  managedBy: nullableText,
  lastPasswordChangeAt: nullableTime,
  version: column.integer(),
  guestTenantIds: column.arrayOf(column.text()),
  organizations: column.nullable(column.json<MembershipColumns[]>()),
  identityProviders: column.nullable(column.json<{ provider: string; externalId: string }[]>()),
});

const GUEST_ROW = row({ tenantId: column.text(), ...ROLES });
const MEMBERSHIP_ROW = row({ membership: column.json<MembershipColumns>() });
const GUEST_TENANT_ROW = row({ userId: column.text(), tenantId: column.text() });

type ListedRow = RowOf<typeof LISTED.user.row> & RowOf<typeof LISTED.inOrganization.row>;
type DetailsRow = RowOf<typeof DETAILS_ROW>;

export type ListedUser = Omit<ListedRow, 'roles'> & {
  readonly roles: readonly UserRole[];
  /** The organization in which the user is listed. Only in lists with descendants. */
  readonly organizationId?: string;
  readonly organizationName?: string;
};

/** All fields of a user that are visible to the addressed organization. */
export type UserDetails = Omit<DetailsRow, 'roles' | 'organizations' | 'identityProviders' | 'guestTenantIds'> & {
  readonly roles: readonly UserRole[];
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: string }[];
  readonly identityProviders: NonNullable<DetailsRow['identityProviders']>;
};

const COMMON_COLUMNS = `u.id, u.email, u.status, u.email_verified AS "emailVerified", u.mfa_enabled AS "mfaEnabled", u.metadata,
  u.last_login_at AS "lastLoginAt", u.created_at AS "createdAt", u.updated_at AS "updatedAt"`;

/** The roles of a user in an organization of tenant $1: the role of the membership first, then the oldest assignments. */
const rolesSql = (userId: string, organizationId = '$2') => `(SELECT json_agg(json_build_array(a.role_id, r.name, r.permissions)
    ORDER BY a.explicit, a.assigned_at, a.role_id)
  FROM role_assignments a LEFT JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
  WHERE a.tenant_id = $1 AND a.organization_id = ${organizationId} AND a.user_id = ${userId}) AS roles`;

const LISTED = {
  user: { row: row(LISTED_ROW), columns: `${COMMON_COLUMNS}, ${selectedFields(namesShownIn('list'))}` },
  inOrganization: { row: row(ROLES), columns: rolesSql('i.user_id'), joins: '' },
} satisfies ListColumns<unknown, unknown>;

/** In a list with descendants, the roles are those in the organization in which the user is listed. */
const LISTED_WITH_DESCENDANTS = {
  user: LISTED.user,
  inOrganization: {
    row: row({ ...ROLES, organizationId: column.text(), organizationName: column.text() }),
    columns: `${rolesSql('i.user_id', 'listed.organization_id')}, o.id AS "organizationId", o.name AS "organizationName"`,
    joins: 'LEFT JOIN organizations o ON o.tenant_id = $1 AND o.id = listed.organization_id',
  },
} satisfies ListColumns<unknown, unknown>;

const MEMBERSHIP = 'json_build_array(o.id, o.name, m.role_id, r.name, m.joined_at)';

/**
 * The memberships of a user in tenant $1. `visible` are the organizations that the caller has access to, or null for all organizations.
 * Memberships in these organizations and their descendants are visible.
 */
const membershipsOf = (userId: string, visible: string) => `FROM memberships m
  JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
  LEFT JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
  WHERE m.tenant_id = $1 AND m.user_id = ${userId} AND o.deleted_at IS NULL
    AND (${visible}::text[] IS NULL OR o.id = ANY (${visible}) OR o.ancestor_ids && ${visible})`;

const GUEST_MEMBERSHIPS = `SELECT ${MEMBERSHIP} AS membership ${membershipsOf('$2', '$3')} ORDER BY m.joined_at, o.id`;

/** Selects user $3 of tenant $1 with all fields, the roles in organization $2 and the memberships in the tenant that are visible to $4. */
const detailsSql = (condition: string) => `SELECT ${COMMON_COLUMNS}, ${selectedFields(USER_FIELD_NAMES)},
    u.phone_verified AS "phoneVerified", u.mfa_methods AS "mfaMethods", u.suspended_at AS "suspendedAt",
    u.suspended_reason AS "suspendedReason", u.deleted_at AS "deletedAt", u.managed_by AS "managedBy", u.last_password_change_at AS "lastPasswordChangeAt", u.version,
    u.guest_tenant_ids AS "guestTenantIds", ${rolesSql('u.id')},
    (SELECT json_agg(${MEMBERSHIP} ORDER BY m.joined_at, o.id) ${membershipsOf('$3', '$4')}) AS organizations,
    (SELECT json_agg(json_build_object('provider', l.provider, 'externalId', l.external_id) ORDER BY l.created_at, l.provider)
     FROM user_identities l WHERE l.tenant_id = $1 AND l.user_id = u.id) AS "identityProviders"
  FROM users u
  WHERE u.tenant_id = $1 AND u.id = $3 AND NOT EXISTS (SELECT FROM organizations managing
    WHERE managing.tenant_id = u.tenant_id AND managing.id = u.organization_id AND managing.deleted_at IS NOT NULL) ${condition}`;

const DETAILS = detailsSql(
  'AND EXISTS (SELECT FROM directory_entries e WHERE e.tenant_id = $1 AND e.organization_id = $2 AND e.user_id = $3)',
);
/** Selects a guest, whose directory entry is in another tenant. */
const GUEST_DETAILS = detailsSql('');

/** All reads are lookups by key. */
const SHARED = { connection: 'shared' } as const;

/** Reads users for responses and exports. */
@Injectable()
export class UsersQuery extends BaseQuery {
  constructor(
    dataSource: DataSource,
    private readonly directoryList: DirectoryListQuery,
    private readonly descendantList: DescendantListQuery,
  ) {
    super(dataSource);
  }

  /**
   * Returns a user in the directory of the organization, including a deleted user. Contains only the memberships that the caller can see.
   */
  async find(ctx: RequestContext, organization: OrganizationScope, userId: string): Promise<UserDetails | undefined> {
    const { kind, organizationIds = [] } = ctx.caller;
    const visible = kind === 'platform' || kind === 'system' ? null : organizationIds;
    const parameters = [organization.tenantId, organization.id, userId, visible];
    const [ownUser] = await this.query(ctx, DETAILS_ROW, DETAILS, parameters, SHARED);
    const user = ownUser ?? (await this.findGuest(ctx, parameters));
    if (!user) return undefined;
    const { guestTenantIds, ...details } = user;
    const memberships = user.organizations ?? [];
    for (const guestTenantId of guestTenantIds) {
      const asGuest = await this.query(ctx, MEMBERSHIP_ROW, GUEST_MEMBERSHIPS, [guestTenantId, userId, visible], SHARED);
      memberships.push(...asGuest.map(({ membership }) => membership));
    }
    if (guestTenantIds.length > 0) memberships.sort((a, b) => Date.parse(a[4]) - Date.parse(b[4]));
    const organizations = memberships.map(([id, name, roleId, roleName]) => ({
      id,
      name,
      role: roleNameOf(roleId, roleName),
    }));
    return { ...details, roles: rolesOf(user), organizations, identityProviders: user.identityProviders ?? [] };
  }

  /** @throws InvalidCursor, CursorGone (400) */
  async page(ctx: RequestContext, organization: OrganizationScope, request: DirectoryPageRequest): Promise<Page<ListedUser>> {
    const page = await this.directoryList.page(ctx, organization, request, LISTED);
    return { ...page, items: page.items.map((user) => ({ ...user, roles: rolesOf(user) })) };
  }

  /**
   * Returns a page of the users of an organization and its descendants, each user once. `hiddenIds` are the organizations that are left out.
   * @throws InvalidCursor, CursorGone (400)
   */
  async pageWithDescendants(
    ctx: RequestContext,
    organization: OrganizationScope,
    hiddenIds: readonly string[],
    request: DirectoryPageRequest,
  ): Promise<Page<ListedUser>> {
    const list = LISTED_WITH_DESCENDANTS;
    const page = await this.descendantList.pageWithDescendants(ctx, organization, hiddenIds, request, list);
    return { ...page, items: page.items.map((user) => ({ ...user, roles: rolesOf(user) })) };
  }

  /** Returns users in the directory of the organization. If guests are among them, reads the guests with two more statements. */
  async mapById(
    ctx: RequestContext,
    { tenantId, id }: OrganizationScope,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, User>> {
    const users = await this.query(
      ctx,
      entityRow(User),
      `${this.selectOf(User)} JOIN directory_entries e ON e.tenant_id = t.tenant_id AND e.user_id = t.id
       WHERE t.tenant_id = $1 AND e.organization_id = $2 AND e.user_id = ANY ($3)`,
      [tenantId, id, userIds],
    );
    const found = new Map(users.map((user) => [user.id, user]));
    const missingIds = userIds.filter((userId) => !found.has(userId));
    if (missingIds.length === 0) return found;
    const guests = await this.query(
      ctx,
      GUEST_TENANT_ROW,
      `SELECT user_id AS "userId", user_tenant_id AS "tenantId" FROM directory_entries
       WHERE tenant_id = $1 AND organization_id = $2 AND user_id = ANY ($3) AND user_tenant_id <> $1`,
      [tenantId, id, missingIds],
    );
    if (guests.length === 0) return found;
    const guestUsers = await this.query(
      ctx,
      entityRow(User),
      `${this.selectOf(User)} WHERE t.tenant_id = ANY ($1) AND t.id = ANY ($2)`,
      [[...new Set(guests.map((guest) => guest.tenantId))], guests.map(({ userId }) => userId)],
    );
    return new Map([...users, ...guestUsers].map((user) => [user.id, user]));
  }

  /** Returns a guest. Reads the roles in the organization, and then the user in the tenant of the user. */
  private async findGuest(ctx: RequestContext, parameters: readonly unknown[]): Promise<DetailsRow | undefined> {
    const [tenantId, organizationId, userId, visible] = parameters;
    const [guest] = await this.query(
      ctx,
      GUEST_ROW,
      `SELECT e.user_tenant_id AS "tenantId", ${rolesSql('e.user_id')} FROM directory_entries e
       WHERE e.tenant_id = $1 AND e.organization_id = $2 AND e.user_id = $3 AND e.user_tenant_id <> $1`,
      [tenantId, organizationId, userId],
      SHARED,
    );
    if (!guest) return undefined;
    const [user] = await this.query(ctx, DETAILS_ROW, GUEST_DETAILS, [guest.tenantId, organizationId, userId, visible], SHARED);
    return user && { ...user, roles: guest.roles };
  }
}

/** Returns the roles of a user, without roles that were deleted. */
function rolesOf({ roles }: { roles: RoleColumns[] | null }): UserRole[] {
  return (roles ?? []).flatMap(([id, name, permissions]) => {
    const role = builtInRole(id) ?? (name !== null && permissions !== null ? { id, name, permissions } : undefined);
    return role ? [role] : [];
  });
}
