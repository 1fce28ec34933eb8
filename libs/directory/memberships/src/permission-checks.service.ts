import { Injectable } from '@nestjs/common';
import { hasPermission, type OrganizationScope, type RequestContext } from '#platform/common';
import { OrganizationScopeQuery } from '#directory/organizations';
import { RolesService, type VisibleRole } from '#directory/roles';
import { type UserRole, UserRolesQuery } from './user-roles.query.js';

/** The reasons why a user does not have a permission. */
export const REFUSALS = ['not_granted', 'user_suspended', 'user_deleted', 'organization_suspended'] as const;

/** A role that grants a permission, and the organization in which the user has the role. */
export interface GrantingRole {
  readonly roleId: string;
  readonly roleName: string;
  readonly organizationId: string;
  readonly source: UserRole['source'];
  /** The group with the role. Present only if the source is a group. */
  readonly group?: { readonly id: string; readonly name: string };
  /** The permission of the role that covers the checked permission. */
  readonly permission: string;
}

export interface PermissionAnswer {
  readonly allowed: boolean;
  readonly because: GrantingRole[];
  /** Absent if the user has the permission. */
  readonly refusal?: (typeof REFUSALS)[number];
}

/** Checks whether users have permissions in an organization. Roles in the organization and its ancestors count. */
@Injectable()
export class PermissionChecksService {
  constructor(
    private readonly userRoles: UserRolesQuery,
    private readonly roles: RolesService,
    private readonly scopes: OrganizationScopeQuery,
  ) {}

  /**
   * Returns one answer for each check, in the order of the checks. Runs two queries for any number of checks, and another for users whom
   * other organizations manage. Suspended and deleted users and users of suspended organizations have no permissions, and nobody has
   * permissions in a suspended organization.
   */
  async check(
    ctx: RequestContext,
    organization: OrganizationScope,
    checks: readonly { userId: string; permission: string }[],
  ): Promise<PermissionAnswer[]> {
    if (organization.status === 'suspended')
      return checks.map(() => ({ allowed: false, because: [], refusal: 'organization_suspended' }));
    const userRoles = await this.userRoles.list(ctx, organization, [...new Set(checks.map(({ userId }) => userId))]);
    const roles = await this.roles.listByIds(
      ctx,
      [organization.tenantId],
      userRoles.map(({ roleId }) => roleId),
    );
    const suspended = await this.findSuspended(ctx, organization, userRoles);
    return checks.map(({ userId, permission }) => {
      const rolesOfUser = userRoles.filter((userRole) => userRole.userId === userId);
      const refusal =
        REFUSAL_BY_STATUS[rolesOfUser[0]?.userStatus ?? ''] ?? (suspended.has(userId) ? 'user_suspended' : undefined);
      if (refusal) return { allowed: false, because: [], refusal };
      const because = rolesOfUser.flatMap((userRole) => grantingRole(userRole, roles.get(userRole.roleId), permission) ?? []);
      return because.length > 0 ? { allowed: true, because } : { allowed: false, because, refusal: 'not_granted' };
    });
  }

  /** Returns the ids of the users whose managing organization is suspended. The organization itself and its ancestors are not. */
  private async findSuspended(
    ctx: RequestContext,
    { id, ancestorIds }: OrganizationScope,
    userRoles: readonly UserRole[],
  ): Promise<ReadonlySet<string>> {
    const elsewhere = userRoles.flatMap(({ userId, managingOrganization: managing }) =>
      managing && managing.id !== id && !ancestorIds.includes(managing.id) ? [{ userId, managing }] : [],
    );
    const suspendedIds = new Set<string>();
    for (const tenantId of new Set(elsewhere.map(({ managing }) => managing.tenantId))) {
      const ids = elsewhere.filter(({ managing }) => managing.tenantId === tenantId).map(({ managing }) => managing.id);
      for (const scope of await this.scopes.listByIds(ctx, tenantId, [...new Set(ids)]))
        if (scope.status === 'suspended') suspendedIds.add(scope.id);
    }
    return new Set(elsewhere.filter(({ managing }) => suspendedIds.has(managing.id)).map(({ userId }) => userId));
  }
}

const REFUSAL_BY_STATUS: Readonly<Record<string, PermissionAnswer['refusal']>> = {
  suspended: 'user_suspended',
  deleted: 'user_deleted',
};

function grantingRole(userRole: UserRole, role: VisibleRole | undefined, checked: string): GrantingRole | undefined {
  const permission = role?.permissions.find((granted) => hasPermission([granted], checked));
  if (!role || permission === undefined) return undefined;
  const { organizationId, source, groupId, groupName } = userRole;
  const group = groupId === null || groupName === null ? {} : { group: { id: groupId, name: groupName } };
  return { roleId: role.id, roleName: role.name, organizationId, source, ...group, permission };
}
