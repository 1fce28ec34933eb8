import { Injectable } from '@nestjs/common';
import {
  type Caller,
  DomainError,
  ownPermissionsAt,
  permissionsBeyond,
  reachesItself,
  type RequestContext,
} from '#platform/common';
import { EVERY_MEMBERS_PERMISSIONS } from '#directory/roles';
import { type UserGrant, UserGrantsQuery } from './user-grants.query.js';

type UserKey = Readonly<Record<'tenantId' | 'id', string>>;

/** The change could be a privilege escalation, because the user has permissions that the caller lacks. */
export class HigherPrivileges extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      "This user has permissions that the caller does not have, here or in another organization, so the caller can't change this user or their roles.",
    );
  }
}

/**
 * Checks whether the caller can change another user. The caller must have every permission of the user in each organization. Temporary
 * permissions of the caller through break-glass access don't count. Roles of the user in deleted organizations count, because the
 * organizations can be restored.
 */
@Injectable()
export class PrivilegeCheckService {
  constructor(private readonly grants: UserGrantsQuery) {}

  /**
   * Asserts that the caller can suspend or delete a user or revoke the sessions of the user. Permissions that every member has don't count.
   * @throws HigherPrivileges (403)
   */
  async assertCanManage(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.assertNoHigherPrivileges(ctx, user, () => true);
  }

  /**
   * Asserts that the caller can revoke roles of a user in an organization. Only the permissions of the user in this organization count.
   * @throws HigherPrivileges (403)
   */
  async assertCanManageAt(ctx: RequestContext, user: UserKey, organization: { readonly id: string }): Promise<void> {
    await this.assertNoHigherPrivileges(ctx, user, ({ organizationId }) => organizationId === organization.id);
  }

  /** Asserts `assertCanManageAt` for several users. @throws HigherPrivileges (403) */
  async assertCanManageAllAt(
    ctx: RequestContext,
    users: readonly UserKey[],
    organization: { readonly id: string },
  ): Promise<void> {
    const exceeds = (grant: UserGrant): boolean =>
      grant.organizationId === organization.id && exceedsCaller(ctx.caller, grant, EVERY_MEMBERS_PERMISSIONS);
    for (const tenantId of new Set(users.map((user) => user.tenantId))) {
      const ids = users.filter((user) => user.tenantId === tenantId).map(({ id }) => id);
      if ((await this.findWhere(ctx, tenantId, ids, exceeds)).size > 0) throw new HigherPrivileges();
    }
  }

  private async assertNoHigherPrivileges(
    ctx: RequestContext,
    user: UserKey,
    counts: (grant: UserGrant) => boolean,
  ): Promise<void> {
    const exceeds = (grant: UserGrant): boolean => counts(grant) && exceedsCaller(ctx.caller, grant, EVERY_MEMBERS_PERMISSIONS);
    if ((await this.findWhere(ctx, user.tenantId, [user.id], exceeds)).has(user.id)) throw new HigherPrivileges();
  }

  /**
   * Asserts that the caller can change the sign-in or identification of a user (email address, externalId, phone number, password, factors,
   * identities). Such a change could let the caller take over the account. Permissions that every member has don't count in organizations
   * to which the caller has access. Break-glass access doesn't count as access.
   * @throws HigherPrivileges (403)
   */
  async assertCanChangeSignIn(ctx: RequestContext, user: UserKey): Promise<void> {
    if ((await this.findUserIdsWithHigherPrivileges(ctx, user.tenantId, [user.id])).has(user.id)) throw new HigherPrivileges();
  }

  /** Returns the ids of the users for whom `assertCanChangeSignIn` would throw. */
  async findUserIdsWithHigherPrivileges(
    ctx: RequestContext,
    tenantId: string,
    userIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    return this.findWhere(ctx, tenantId, userIds, (grant) => {
      const organization = { id: grant.organizationId, ancestorIds: grant.ancestorIds };
      return exceedsCaller(ctx.caller, grant, reachesItself(ctx.caller, organization) ? EVERY_MEMBERS_PERMISSIONS : []);
    });
  }

  private async findWhere(
    ctx: RequestContext,
    tenantId: string,
    userIds: readonly string[],
    exceeds: (grant: UserGrant) => boolean,
  ): Promise<ReadonlySet<string>> {
    const { caller } = ctx;
    if (caller.kind === 'platform' || caller.kind === 'system') return new Set();
    const otherIds = caller.kind === 'user' ? userIds.filter((id) => id !== caller.id) : userIds;
    if (otherIds.length === 0) return new Set();
    const grants = await this.grants.mapByUser(ctx, tenantId, otherIds);
    return new Set(otherIds.filter((id) => (grants.get(id) ?? []).some(exceeds)));
  }
}

function exceedsCaller(
  caller: Caller,
  { organizationId: id, ancestorIds, permissions }: UserGrant,
  ignored: readonly string[],
): boolean {
  const counted = permissions.filter((permission) => !ignored.includes(permission));
  return permissionsBeyond(ownPermissionsAt(caller, { id, ancestorIds }), counted).length > 0;
}
