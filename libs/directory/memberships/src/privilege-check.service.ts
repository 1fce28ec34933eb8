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
import { type UserGrant, UserGrants } from './user-grants.read.js';

type UserKey = Readonly<Record<'tenantId' | 'id', string>>;

/** The user may do more than the caller: acting on the user could give the caller the user's permissions. */
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
 * Answers the one question about power over people: may the caller act on this person? Only if the caller holds every permission that the
 * person holds, in each organization where the person has roles. What break glass lends to the caller does not count; roles in deleted
 * organizations do, since a restoration brings them back.
 */
@Injectable()
export class PrivilegeCheckService {
  constructor(private readonly grants: UserGrants) {}

  /**
   * Call before suspending or deleting a user, and before ending their sessions. What every member may do does not count.
   * @throws HigherPrivileges (403)
   */
  async assertCanManage(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.assertNoneBeyond(ctx, user, () => true);
  }

  /**
   * Call before taking roles in an organization from a user. Only what the user holds there counts, since nothing else is taken away.
   * @throws HigherPrivileges (403)
   */
  async assertCanManageAt(ctx: RequestContext, user: UserKey, organization: { readonly id: string }): Promise<void> {
    await this.assertNoneBeyond(ctx, user, ({ organizationId }) => organizationId === organization.id);
  }

  private async assertNoneBeyond(ctx: RequestContext, user: UserKey, counts: (grant: UserGrant) => boolean): Promise<void> {
    const isBeyond = (grant: UserGrant): boolean => counts(grant) && isBeyondCaller(ctx.caller, grant, EVERY_MEMBERS_PERMISSIONS);
    if ((await this.findWhere(ctx, user.tenantId, [user.id], isBeyond)).has(user.id)) throw new HigherPrivileges();
  }

  /**
   * Call before changing how a user signs in or is recognized (email address, externalId, phone number, password, factors, identities): the
   * caller could become the user. What every member may do counts only in organizations that the caller does not reach itself.
   * @throws HigherPrivileges (403)
   */
  async assertCanChangeSignIn(ctx: RequestContext, user: UserKey): Promise<void> {
    if ((await this.findSignInBeyond(ctx, user.tenantId, [user.id])).has(user.id)) throw new HigherPrivileges();
  }

  /** Returns the ids of those users of a tenant for whom `assertCanChangeSignIn` would throw. */
  async findSignInBeyond(ctx: RequestContext, tenantId: string, userIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.findWhere(ctx, tenantId, userIds, (grant) => {
      const organization = { id: grant.organizationId, ancestorIds: grant.ancestorIds };
      return isBeyondCaller(ctx.caller, grant, reachesItself(ctx.caller, organization) ? EVERY_MEMBERS_PERMISSIONS : []);
    });
  }

  private async findWhere(
    ctx: RequestContext,
    tenantId: string,
    userIds: readonly string[],
    isBeyond: (grant: UserGrant) => boolean,
  ): Promise<ReadonlySet<string>> {
    const { caller } = ctx;
    if (caller.kind === 'platform' || caller.kind === 'system') return new Set();
    const others = caller.kind === 'user' ? userIds.filter((id) => id !== caller.id) : userIds;
    if (others.length === 0) return new Set();
    const grants = await this.grants.ofUsers(ctx, tenantId, others);
    return new Set(others.filter((id) => (grants.get(id) ?? []).some(isBeyond)));
  }
}

function isBeyondCaller(
  caller: Caller,
  { organizationId: id, ancestorIds, permissions }: UserGrant,
  ignored: readonly string[],
): boolean {
  const counted = permissions.filter((permission) => !ignored.includes(permission));
  return permissionsBeyond(ownPermissionsAt(caller, { id, ancestorIds }), counted).length > 0;
}
