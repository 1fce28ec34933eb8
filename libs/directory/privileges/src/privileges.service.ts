import { Injectable } from '@nestjs/common';
import {
  assertDelegable,
  assertRecentlyAuthenticated,
  BUILT_IN_ROLE_PERMISSIONS,
  type Caller,
  changesSomething,
  Clock,
  hasPermission,
  type OrganizationScope,
  ownPermissionsAt,
  permissionsBeyond,
  reachesItself,
  type RequestContext,
} from '#platform/common';
import {
  authorized,
  type GainAuthorization,
  type LossAuthorization,
  type PolicyAuthorization,
  type SignInAuthorization,
} from './authorization.js';
import {
  AllPermissionsRequired,
  EventsReadRequired,
  HigherPrivileges,
  HigherPrivilegesDeleted,
  HigherPrivilegesLinked,
  HigherPrivilegesOutside,
  OwnPermissionRequired,
} from './privilege-errors.js';
import { type UserGrant, UserGrants, type UserKey } from './user-grants.js';

type OrganizationPath = Pick<OrganizationScope, 'id' | 'ancestorIds'>;

/** A change of a setting in an organization. */
export interface PolicyChange {
  readonly organization: OrganizationPath;
  readonly setting: string;
  /** The permission that the change needs; the default is `organizations:write`. */
  readonly permission?: string;
  /** Whether only callers with all permissions can change it. */
  readonly needsAll?: boolean;
  /** Whether the change needs a fresh proof; the default is true. */
  readonly needsProof?: boolean;
}

/** A role or group of permissions that somebody gets. */
interface Granted {
  readonly name: string;
  readonly permissions: readonly string[];
}

/**
 * Decides whether the caller can make a change with an effect on people, wherever the change comes from. Compares the caller, without
 * permissions of break-glass access, with everybody who is affected, in every organization where they have permissions. Roles in deleted
 * organizations count, because the organizations can be restored. The platform and jobs can do everything.
 */
@Injectable()
export class PrivilegesService {
  constructor(
    private readonly grants: UserGrants,
    private readonly clock: Clock,
  ) {}

  /**
   * Somebody gets the permissions of a role in an organization. Permissions that can change something need a fresh proof.
   * @throws GrantBeyondOwn (403), ReauthenticationRequired (401)
   */
  authorizeRole(ctx: RequestContext, organization: OrganizationPath, { name, permissions }: Granted): GainAuthorization {
    return this.authorizePermissions(ctx, organization, `The role "${name}"`, permissions);
  }

  /** Same as `authorizeRole` for several roles. */
  authorizeRoles(ctx: RequestContext, organization: OrganizationPath, roles: readonly Granted[]): GainAuthorization {
    for (const role of roles) this.authorizeRole(ctx, organization, role);
    return authorized();
  }

  /**
   * Somebody gets the default role without a request for this role. Same as `authorizeRole`, but the caller need not have the permissions
   * that every member has.
   * @throws GrantBeyondOwn (403), ReauthenticationRequired (401)
   */
  authorizeDefaultRole(ctx: RequestContext, organization: OrganizationPath, { name, permissions }: Granted): GainAuthorization {
    return this.authorizePermissions(ctx, organization, `The default role "${name}"`, withoutEveryMembers(permissions));
  }

  /**
   * Somebody gets permissions in an organization. `what` names what grants them.
   * @throws GrantBeyondOwn (403), ReauthenticationRequired (401)
   */
  authorizePermissions(
    ctx: RequestContext,
    organization: OrganizationPath,
    what: string,
    permissions: readonly string[],
  ): GainAuthorization {
    assertDelegable(ctx.caller, organization, what, permissions);
    if (permissions.some(changesSomething)) assertRecentlyAuthenticated(ctx, this.clock.now());
    return authorized();
  }

  /**
   * Events of an organization are copied to a destination, as an export would. Needs the permission to read events, and a fresh proof.
   * @throws EventsReadRequired (403), ReauthenticationRequired (401)
   */
  assertCanCopyEvents(ctx: RequestContext, organization: OrganizationPath): void {
    this.assertCanReadEvents(ctx, organization);
    assertRecentlyAuthenticated(ctx, this.clock.now());
  }

  /** @throws EventsReadRequired (403) if the caller can read events only through break-glass access, or not at all */
  assertCanReadEvents({ caller }: RequestContext, organization: OrganizationPath): void {
    if (!hasPermission(ownPermissionsAt(caller, organization), 'events:read')) throw new EventsReadRequired();
  }

  /**
   * Settings change in organizations. Those that restrict access need a fresh proof.
   * @throws AllPermissionsRequired, OwnPermissionRequired (403), ReauthenticationRequired (401)
   */
  authorizePolicies(ctx: RequestContext, changes: readonly PolicyChange[]): PolicyAuthorization {
    for (const { organization, setting, permission = 'organizations:write', needsAll } of changes) {
      const held = ownPermissionsAt(ctx.caller, organization);
      if (needsAll && permissionsBeyond(held, ['*']).length > 0) throw new AllPermissionsRequired(setting);
      if (!hasPermission(held, permission)) throw new OwnPermissionRequired(setting, permission);
    }
    if (changes.some(({ needsProof = true }) => needsProof)) assertRecentlyAuthenticated(ctx, this.clock.now());
    return authorized();
  }

  /**
   * All who have permissions of a role or group lose them. The caller needs the permissions. `what` names what granted them.
   * @throws GrantBeyondOwn (403)
   */
  authorizeRevocation(
    ctx: RequestContext,
    organization: OrganizationPath,
    what: string,
    permissions: readonly string[],
  ): LossAuthorization {
    assertDelegable(ctx.caller, organization, what, permissions);
    return authorized();
  }

  /**
   * Users lose the use of their account. Permissions that every member has don't count.
   * @throws HigherPrivileges (403)
   */
  authorizeLoss(ctx: RequestContext, users: readonly UserKey[]): Promise<LossAuthorization> {
    return this.assertNoHigher(ctx, users, () => true);
  }

  /**
   * A user gets back the use of the account. Same as `authorizeLoss`. Permissions that can change something need a fresh proof, as if they
   * were assigned.
   * @throws HigherPrivileges (403), ReauthenticationRequired (401)
   */
  async authorizeReturn(ctx: RequestContext, user: UserKey): Promise<LossAuthorization> {
    let canChange = false;
    const loss = await this.assertNoHigher(ctx, [user], ({ permissions }) => {
      canChange ||= withoutEveryMembers(permissions).some(changesSomething);
      return true;
    });
    if (canChange) assertRecentlyAuthenticated(ctx, this.clock.now());
    return loss;
  }

  /**
   * Users lose roles in an organization. Only their permissions in this organization count.
   * @throws HigherPrivileges (403)
   */
  authorizeLossAt(
    ctx: RequestContext,
    users: readonly UserKey[],
    organization: { readonly id: string },
  ): Promise<LossAuthorization> {
    return this.assertNoHigher(ctx, users, ({ organizationId }) => organizationId === organization.id);
  }

  /**
   * The users whom organizations manage, and who may have permissions in other organizations, lose or get back the use of their accounts.
   * Only their permissions in other organizations count, because the caller can suspend and delete these organizations.
   * @throws HigherPrivilegesOutside (403)
   */
  async authorizeLossOfUsersOf(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
  ): Promise<LossAuthorization> {
    if (canDoEverything(ctx.caller)) return authorized();
    const grants = await this.grants.affected.listOutside(ctx, tenantId, organizationIds);
    if (grants.some((grant) => exceedsCaller(ctx.caller, grant, withoutEveryMembers(grant.permissions))))
      throw new HigherPrivilegesOutside();
    return authorized();
  }

  /**
   * The users who are linked to accounts at an identity provider lose this way to sign in.
   * @throws HigherPrivilegesLinked (403)
   */
  async authorizeLossOfLinkedUsers(
    ctx: RequestContext,
    { tenantId, id }: Readonly<Record<'tenantId' | 'id', string>>,
  ): Promise<LossAuthorization> {
    if (canDoEverything(ctx.caller)) return authorized();
    const grants = await this.grants.affected.listLinked(ctx, tenantId, id);
    if (grants.some((grant) => exceedsCaller(ctx.caller, grant, withoutEveryMembers(grant.permissions))))
      throw new HigherPrivilegesLinked();
    return authorized();
  }

  /**
   * The sign-in or identification of a user changes (email address, externalId, phone number, password, factors, identities), which could
   * let the caller take over the account. Permissions that every member has don't count in organizations to which the caller has access.
   * Break-glass access doesn't count as access. Needs a fresh proof.
   * @throws HigherPrivileges (403), ReauthenticationRequired (401)
   */
  async authorizeSignInChange(ctx: RequestContext, user: UserKey): Promise<SignInAuthorization> {
    if ((await this.findHigherForSignIn(ctx, user.tenantId, [user.id])).has(user.id)) throw new HigherPrivileges();
    assertRecentlyAuthenticated(ctx, this.clock.now());
    return authorized();
  }

  /**
   * The caller signs in as a user for support, and so gets the permissions of the user. The caller needs all of them, wherever the user has
   * them, also those that every member has, and a fresh proof.
   * @throws HigherPrivileges (403), ReauthenticationRequired (401)
   */
  async authorizeImpersonation(ctx: RequestContext, user: UserKey): Promise<GainAuthorization> {
    const grants = (await this.grants.mapByUser(ctx, user.tenantId, [user.id])).get(user.id) ?? [];
    if (grants.some((grant) => exceedsPermissions(ctx.caller, grant))) throw new HigherPrivileges();
    assertRecentlyAuthenticated(ctx, this.clock.now());
    return authorized();
  }

  /** Returns the ids of the users for whom `authorizeSignInChange` would throw. */
  private findHigherForSignIn(ctx: RequestContext, tenantId: string, userIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.findWhere(ctx, tenantId, userIds, (grant) => {
      const organization = { id: grant.organizationId, ancestorIds: grant.ancestorIds };
      const counted = reachesItself(ctx.caller, organization) ? withoutEveryMembers(grant.permissions) : grant.permissions;
      return exceedsCaller(ctx.caller, grant, counted);
    });
  }

  /**
   * Same as `authorizeSignInChange` for many users, without the fresh proof. Returns the users whose sign-in the caller can't change, and
   * the authorization for the others.
   */
  async authorizeSignInChanges(
    ctx: RequestContext,
    tenantId: string,
    userIds: readonly string[],
  ): Promise<{ readonly higherIds: ReadonlySet<string>; readonly authorization: SignInAuthorization }> {
    return { higherIds: await this.findHigherForSignIn(ctx, tenantId, userIds), authorization: authorized() };
  }

  /**
   * A user gets identifiers (email address, externalId) that deleted users have, who could then not be restored or be mistaken for the user.
   * `listDeleted` returns the ids of these deleted users. Needs a fresh proof if there are any, as every change of their sign-in.
   * @throws HigherPrivilegesDeleted (403), ReauthenticationRequired (401)
   */
  async authorizeIdentifiers(
    ctx: RequestContext,
    tenantId: string,
    listDeleted: () => Promise<readonly string[]>,
  ): Promise<SignInAuthorization> {
    if (canDoEverything(ctx.caller)) return authorized();
    const deletedIds = await listDeleted();
    if ((await this.findHigherForSignIn(ctx, tenantId, deletedIds)).size > 0) throw new HigherPrivilegesDeleted();
    if (deletedIds.length > 0) assertRecentlyAuthenticated(ctx, this.clock.now());
    return authorized();
  }

  private async assertNoHigher(
    ctx: RequestContext,
    users: readonly UserKey[],
    counts: (grant: UserGrant) => boolean,
  ): Promise<LossAuthorization> {
    const exceeds = (grant: UserGrant): boolean =>
      counts(grant) && exceedsCaller(ctx.caller, grant, withoutEveryMembers(grant.permissions));
    for (const tenantId of new Set(users.map((user) => user.tenantId))) {
      const ids = users.filter((user) => user.tenantId === tenantId).map(({ id }) => id);
      if ((await this.findWhere(ctx, tenantId, ids, exceeds)).size > 0) throw new HigherPrivileges();
    }
    return authorized();
  }

  private async findWhere(
    ctx: RequestContext,
    tenantId: string,
    userIds: readonly string[],
    exceeds: (grant: UserGrant) => boolean,
  ): Promise<ReadonlySet<string>> {
    const { caller } = ctx;
    if (canDoEverything(caller)) return new Set();
    const otherIds = caller.kind === 'user' ? userIds.filter((id) => id !== caller.id) : userIds;
    if (otherIds.length === 0) return new Set();
    const grants = await this.grants.mapByUser(ctx, tenantId, otherIds);
    return new Set(otherIds.filter((id) => (grants.get(id) ?? []).some(exceeds)));
  }
}

const canDoEverything = ({ kind }: Caller): boolean => kind === 'platform' || kind === 'system';

const withoutEveryMembers = (permissions: readonly string[]): readonly string[] =>
  permissions.filter((permission) => !BUILT_IN_ROLE_PERMISSIONS.member.includes(permission));

function exceedsCaller(caller: Caller, { organizationId: id, ancestorIds }: UserGrant, permissions: readonly string[]): boolean {
  return permissionsBeyond(ownPermissionsAt(caller, { id, ancestorIds }), permissions).length > 0;
}

/**
 * Returns whether a user has permissions in an organization that the caller does not have there without break-glass access. Unlike for
 * grants, the right to grant a permission of an application does not count as the permission.
 */
export const exceedsPermissions = (caller: Caller, { organizationId: id, ancestorIds, permissions }: UserGrant): boolean => {
  const held = ownPermissionsAt(caller, { id, ancestorIds });
  return permissions.some((permission) => !hasPermission(held, permission));
};
