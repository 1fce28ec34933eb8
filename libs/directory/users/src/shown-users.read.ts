import { Injectable } from '@nestjs/common';
import type { OrganizationScope, Page, PageRequest, RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { type DirectoryFilter, DirectoryList, type DirectorySort, type ShownColumns } from '#directory/memberships';
import { builtInRole } from '#directory/roles';
import { DataSource } from 'typeorm';
import type { User } from './user.entity.js';

/** A role as users show it. */
export interface ShownRole {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
}

/** A user with its roles in the addressed organization. */
export type ListedUser = Pick<
  User,
  | 'id'
  | 'email'
  | 'firstName'
  | 'lastName'
  | 'displayName'
  | 'externalId'
  | 'status'
  | 'emailVerified'
  | 'mfaEnabled'
  | 'metadata'
  | 'lastLoginAt'
  | 'createdAt'
  | 'updatedAt'
> & { readonly roles: readonly ShownRole[] };

/** A user as the addressed organization shows it, whole. */
export type ShownUser = Omit<User, 'statusBeforeDeletion' | 'emailKey' | 'tenantId' | 'organizationId'> & {
  readonly roles: readonly ShownRole[];
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: string }[];
  readonly identityProviders: readonly { readonly provider: string; readonly externalId: string }[];
};

/** As the database has them: a built-in role has neither name nor permissions there. */
type HeldRole = [id: string, name: string | null, permissions: string[] | null];

const LISTED_COLUMNS = `u.id, u.email, u.first_name AS "firstName", u.last_name AS "lastName", u.display_name AS "displayName",
  u.external_id AS "externalId", u.status, u.email_verified AS "emailVerified", u.mfa_enabled AS "mfaEnabled", u.metadata,
  u.last_login_at AS "lastLoginAt", u.created_at AS "createdAt", u.updated_at AS "updatedAt"`;

/** The roles of user `u` in organization $2 of tenant $1, the membership's own first, then those held longest. */
const ROLES = `(SELECT json_agg(json_build_array(a.role_id, r.name, r.permissions) ORDER BY a.explicit, a.assigned_at, a.role_id)
  FROM role_assignments a LEFT JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
  WHERE a.tenant_id = $1 AND a.organization_id = $2 AND a.user_id = u.id) AS roles`;

const LISTED: ShownColumns = { columns: `${LISTED_COLUMNS}, ${ROLES}`, joins: 'LEFT JOIN users u ON u.id = i.user_id' };

/** `$4` are the organizations whose memberships may be shown, with those below them; null for all. */
const SHOWN = `SELECT ${LISTED_COLUMNS}, u.picture, u.locale, u.phone_number AS "phoneNumber", u.phone_verified AS "phoneVerified",
    u.mfa_methods AS "mfaMethods", u.suspended_at AS "suspendedAt", u.suspended_reason AS "suspendedReason", u.deleted_at AS "deletedAt",
    u.last_password_change_at AS "lastPasswordChangeAt", u.version, ${ROLES},
    (SELECT json_agg(json_build_array(o.id, o.name, m.role_id, r.name) ORDER BY m.joined_at, o.id)
     FROM memberships m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
     LEFT JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
     WHERE m.user_id = u.id AND o.deleted_at IS NULL AND ($4::text[] IS NULL OR o.id = ANY ($4) OR o.ancestor_ids && $4)) AS organizations,
    (SELECT json_agg(json_build_object('provider', l.provider, 'externalId', l.external_id) ORDER BY l.created_at, l.provider)
     FROM user_identities l WHERE l.tenant_id = u.tenant_id AND l.user_id = u.id) AS "identityProviders"
  FROM directory_entries e JOIN users u ON u.tenant_id = e.user_tenant_id AND u.id = e.user_id
  JOIN organizations home ON home.tenant_id = u.tenant_id AND home.id = u.organization_id AND home.deleted_at IS NULL
  WHERE e.tenant_id = $1 AND e.organization_id = $2 AND e.user_id = $3`;

/** Users with all that answers show of them, each answer from one statement. */
@Injectable()
export class ShownUsers extends SqlRepository {
  constructor(
    dataSource: DataSource,
    private readonly directory: DirectoryList,
  ) {
    super(dataSource);
  }

  /** The user as the organization's directory shows it, deleted ones too, with the memberships that the caller may see. */
  async find(ctx: RequestContext, { tenantId, id }: OrganizationScope, userId: string): Promise<ShownUser | undefined> {
    const { kind, organizationIds = [] } = ctx.caller;
    const visible = kind === 'platform' || kind === 'system' ? null : organizationIds;
    const [row] = await this.lookUp<ShownRow>(ctx, SHOWN, [tenantId, id, userId, visible]);
    if (!row) return undefined;
    const organizations = (row.organizations ?? []).map(([id, name, roleId, roleName]) => ({
      id,
      name,
      role: builtInRole(roleId)?.name ?? roleName ?? roleId,
    }));
    return { ...row, roles: rolesOf(row), organizations, identityProviders: row.identityProviders ?? [] };
  }

  /** @throws InvalidCursor, CursorGone (400) */
  async page(
    ctx: RequestContext,
    place: OrganizationScope,
    filter: DirectoryFilter,
    request: PageRequest,
    sort?: DirectorySort,
  ): Promise<Page<ListedUser>> {
    const page = await this.directory.page<ListedRow>(ctx, place, filter, request, LISTED, sort);
    return { ...page, items: page.items.map((row) => ({ ...row, roles: rolesOf(row) })) };
  }
}

interface ListedRow extends Omit<ListedUser, 'roles'> {
  roles: HeldRole[] | null;
}

interface ShownRow extends Omit<ShownUser, 'roles' | 'organizations' | 'identityProviders'> {
  roles: HeldRole[] | null;
  organizations: [id: string, name: string, roleId: string, roleName: string | null][] | null;
  identityProviders: ShownUser['identityProviders'] | null;
}

/** Without those of roles that are gone. */
function rolesOf({ roles }: { roles: HeldRole[] | null }): ShownRole[] {
  return (roles ?? []).flatMap(([id, name, permissions]) => {
    const role = builtInRole(id) ?? (name !== null && permissions !== null ? { id, name, permissions } : undefined);
    return role ? [role] : [];
  });
}
