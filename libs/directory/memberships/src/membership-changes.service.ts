import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import {
  type GainAuthorization,
  type LossAuthorization,
  PrivilegesService,
  type ReplacementAuthorization,
} from '#directory/privileges';
import type { VisibleRole } from '#directory/roles';
import type { DirectoryEntry } from './directory-entry.entity.js';
import type { DirectoryUser } from './directory-user.js';
import { MemberDirectoryService } from './member-directory.service.js';
import { MemberRolesService } from './member-roles.service.js';
import type { Membership } from './membership.entity.js';
import type { RoleAssignment } from './role-assignment.entity.js';
import { roleEventData } from './role-event-data.js';
import { SelfGrantsService } from './self-grants.service.js';
import { type NewMember, UserDirectoryService } from './user-directory.service.js';
import { UserLookupQuery } from './user-lookup.query.js';

/**
 * Creates memberships, changes the roles of memberships and publishes the events. All methods run in the caller's transaction, and the
 * caller has locked the user.
 */
@Injectable()
export class MembershipChangesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly userLookup: UserLookupQuery,
    private readonly memberDirectory: MemberDirectoryService,
    private readonly memberRoles: MemberRolesService,
    private readonly selfGrants: SelfGrantsService,
    private readonly privileges: PrivilegesService,
    private readonly directory: UserDirectoryService,
  ) {}

  async add(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    {
      role,
      entry,
      gain,
    }: { readonly role: VisibleRole; readonly entry: DirectoryEntry | null; readonly gain: GainAuthorization },
  ): Promise<Membership> {
    await this.userLookup.addGuestTenant(ctx, user, organization.tenantId);
    const membership = await this.memberDirectory.add(ctx, organization, user, { roleId: role.id, entry, gain });
    await this.publishAdded(ctx, organization, user, membership, role);
    await this.selfGrants.reportIfOwn(ctx, organization, user, role);
    return membership;
  }

  /**
   * Adds many users to an organization of their tenant that does not manage them. The users must be new or locked, and must not be members.
   */
  async addAll(
    ctx: RequestContext,
    organization: OrganizationScope,
    members: readonly NewMember[],
    gain: GainAuthorization,
  ): Promise<void> {
    this.directory.addAll(ctx, organization, members, { gain, managed: false });
    const joinedAt = this.work.now().toISOString();
    const added = members.map(({ user, roles: [role] }) => ({
      data: { organizationId: organization.id, userId: user.id, email: user.email, role: role.name, joinedAt },
      userId: user.id,
    }));
    await this.work.publishAll(ctx, 'organization.member_added', organization, added);
    const assigned = members.flatMap(({ user, roles: [, ...additional] }) =>
      additional.map((role) => ({ data: roleEventData(organization, user, role), userId: user.id })),
    );
    await this.work.publishAll(ctx, 'role.assigned', organization, assigned);
    for (const { user, roles } of members)
      for (const role of roles) await this.selfGrants.reportIfOwn(ctx, organization, user, role);
  }

  /**
   * Replaces the role of a membership. If `organization.member_added` was not published yet, publishes this event instead of the role
   * events.
   * @throws LastOwner (409)
   */
  async changeRole(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    { membership, role }: { readonly membership: Membership; readonly role: VisibleRole },
    authorization: ReplacementAuthorization,
  ): Promise<Membership> {
    const { roleId: previousRoleId, announced } = membership;
    if (announced && previousRoleId === role.id) return membership;
    const changed = { ...membership, roleId: role.id, announced: true, updatedAt: this.work.now() };
    const change = { previousRoleId, membership: changed };
    const { isPreviousRevoked, isNewAssigned } = await this.memberDirectory.replaceRole(
      ctx,
      organization,
      user,
      change,
      authorization,
    );
    if (announced) {
      const revokedRole = isPreviousRevoked ? await this.memberRoles.find(ctx, organization.tenantId, previousRoleId) : undefined;
      await this.publishRoleChange(ctx, organization, user, revokedRole, isNewAssigned ? role : undefined);
    } else await this.publishAdded(ctx, organization, user, changed, role);
    if (previousRoleId !== role.id) await this.selfGrants.reportIfOwn(ctx, organization, user, role);
    return changed;
  }

  /**
   * Replaces the role of a membership by the default role of the organization, which the caller must be able to assign.
   * @throws GrantBeyondOwn (403), ReauthenticationRequired (401), LastOwner (409)
   */
  async revokeRole(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    { membership, assignment, role }: { membership: Membership; assignment: RoleAssignment; role: VisibleRole },
    loss: LossAuthorization,
  ): Promise<void> {
    const defaultRole = await this.memberRoles.lockDefault(ctx, organization);
    await this.memberDirectory.makeImplicit(ctx, assignment, loss);
    // A member always has a role, so the default role can't be revoked.
    if (defaultRole.id === role.id) return;
    const gain = this.privileges.authorizeDefaultRole(ctx, organization, defaultRole);
    const changed = { ...membership, roleId: defaultRole.id, updatedAt: this.work.now() };
    const change = { previousRoleId: role.id, membership: changed };
    const { isNewAssigned } = await this.memberDirectory.replaceRole(ctx, organization, user, change, { gain, loss });
    await this.publishRoleChange(ctx, organization, user, role, isNewAssigned ? defaultRole : undefined);
  }

  private async publishAdded(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    membership: Membership,
    role: VisibleRole,
  ): Promise<void> {
    const joinedAt = membership.joinedAt.toISOString();
    const data = { organizationId: organization.id, userId: user.id, email: user.email, role: role.name, joinedAt };
    await this.work.publish(ctx, 'organization.member_added', organization, data, { userId: user.id });
  }

  private async publishRoleChange(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    revoked: VisibleRole | undefined,
    assigned: VisibleRole | undefined,
  ): Promise<void> {
    const subject = { userId: user.id };
    if (revoked) await this.work.publish(ctx, 'role.revoked', organization, roleEventData(organization, user, revoked), subject);
    if (assigned)
      await this.work.publish(ctx, 'role.assigned', organization, roleEventData(organization, user, assigned), subject);
  }
}
