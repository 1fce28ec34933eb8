import { Injectable } from '@nestjs/common';
import { assertNotImpersonated, type OrganizationScope, type RequestContext, ResourceNotFound } from '#platform/common';
import { pipeline } from '#platform/database';
import { RolesService, type VisibleRole } from '#directory/roles';
import { ScimManagementService } from '#directory/scim-connections';
import type { DirectoryEntry } from './directory-entry.entity.js';
import { DirectoryEntryRepository } from './directory-entry.repository.js';
import type { DirectoryUser } from './directory-user.js';
import type { Membership } from './membership.entity.js';
import { MembershipRepository } from './membership.repository.js';
import type { RoleAssignment } from './role-assignment.entity.js';
import { RoleAssignmentRepository } from './role-assignment.repository.js';
import { UserLookupQuery } from './user-lookup.query.js';

export interface LockedMember {
  readonly user: DirectoryUser;
  readonly membership: Membership;
}

/**
 * Locks users for a change of the membership until the transaction ends. Sends the lock and all reads in one round trip. The reads run
 * after the lock, so the rows can't change. For a guest, whose row is in another tenant, sends all statements again for this tenant.
 */
@Injectable()
export class MemberAccessService {
  constructor(
    private readonly userLookup: UserLookupQuery,
    private readonly memberships: MembershipRepository,
    private readonly entries: DirectoryEntryRepository,
    private readonly assignments: RoleAssignmentRepository,
    private readonly roles: RolesService,
    private readonly scim: ScimManagementService,
  ) {}

  /**
   * Locks a user, who can already be a member.
   * @throws ResourceNotFound (404) when the caller or the session can't access the user; users of other tenants require a platform key
   * @throws NotWhileImpersonating (403)
   */
  async lockForAddition(
    ctx: RequestContext,
    organization: OrganizationScope,
    userId: string,
  ): Promise<{ user: DirectoryUser; membership: Membership | null; entry: DirectoryEntry | null }> {
    assertNotImpersonated(ctx, [userId]);
    const { caller } = ctx;
    const { tenantId } = organization;
    const isPlatform = caller.kind === 'platform';
    const lockFrom = (userTenantId: string) =>
      pipeline(ctx, [
        () => this.userLookup.lock(ctx, { tenantId: userTenantId, id: userId }),
        () => (isPlatform ? Promise.resolve(true) : this.userLookup.isVisibleTo(ctx, caller, { tenantId, id: userId })),
        () => this.memberships.find(ctx, organization, userId),
        () => this.entries.find(ctx, organization, userId),
      ]);
    let [user, isVisible, membership, entry] = await lockFrom(tenantId);
    if (!user && isPlatform) {
      const userTenantId = membership?.userTenantId ?? (await this.userLookup.findTenantId(ctx, userId));
      if (isOtherTenant(organization, userTenantId)) [user, isVisible, membership, entry] = await lockFrom(userTenantId);
    }
    if (!user || user.status === 'deleted' || !isVisible) throw new ResourceNotFound('user', userId);
    if (user.organizationId !== organization.id && !(await this.userLookup.isVisibleInSession(ctx, { tenantId, id: userId })))
      throw new ResourceNotFound('user', userId);
    return { user, membership, entry };
  }

  /** @throws ResourceNotFound (404) when the user is not a member */
  async lockMember(ctx: RequestContext, organization: OrganizationScope, userId: string): Promise<LockedMember> {
    const lockFrom = (userTenantId: string) =>
      pipeline(ctx, [
        () => this.userLookup.lock(ctx, { tenantId: userTenantId, id: userId }),
        () => this.memberships.find(ctx, organization, userId),
      ]);
    let [user, membership] = await lockFrom(organization.tenantId);
    if (isOtherTenant(organization, membership?.userTenantId)) [user, membership] = await lockFrom(membership.userTenantId);
    return lockedMember(userId, user, membership);
  }

  /**
   * Locks a member for the removal from the organization.
   * @throws ResourceNotFound (404) when the user is not a member, ManagedByScim (409) when a connection of the organization provisions the user
   */
  async lockForRemoval(ctx: RequestContext, organization: OrganizationScope, userId: string): Promise<LockedMember> {
    const locked = await this.lockMember(ctx, organization, userId);
    await this.scim.assertCanRemoveMember(ctx, organization.id, locked.user);
    return locked;
  }

  /**
   * Locks a member and a role, and finds the existing assignment of the role. `role` is undefined if the role was deleted concurrently.
   * @throws ResourceNotFound (404) when the user is not a member
   */
  async lockMemberAndRole(
    ctx: RequestContext,
    organization: OrganizationScope,
    userId: string,
    visibleRole: VisibleRole,
  ): Promise<LockedMember & { role: VisibleRole | undefined; existing: RoleAssignment | null }> {
    const lockFrom = (userTenantId: string) =>
      pipeline(ctx, [
        () => this.userLookup.lock(ctx, { tenantId: userTenantId, id: userId }),
        () => this.memberships.find(ctx, organization, userId),
        () => this.roles.lock(ctx, organization, visibleRole),
        () => this.assignments.find(ctx, organization, userId, visibleRole.id),
      ]);
    let [user, membership, role, existing] = await lockFrom(organization.tenantId);
    if (isOtherTenant(organization, membership?.userTenantId))
      [user, membership, role, existing] = await lockFrom(membership.userTenantId);
    return { ...lockedMember(userId, user, membership), role, existing };
  }
}

/** Returns whether a user is of another tenant than the organization. */
const isOtherTenant = ({ tenantId }: OrganizationScope, userTenantId: string | undefined): userTenantId is string =>
  userTenantId !== undefined && userTenantId !== tenantId;

function lockedMember(userId: string, user: DirectoryUser | null, membership: Membership | null): LockedMember {
  if (!user || !membership || user.status === 'deleted') throw new ResourceNotFound('member', userId);
  return { user, membership };
}
