import { Injectable } from '@nestjs/common';
import {
  assertRoleGrantable,
  organizationOf,
  type OrganizationScope,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { EffectiveSettings } from '#directory/organizations';
import { OWNER_ROLE_ID, RolesService, type VisibleRole } from '#directory/roles';
import { DirectoryCountsRepository } from './directory-counts.repository.js';
import type { DirectoryUser } from './directory-user.js';
import { deltas, MembersService } from './members.service.js';
import type { Membership } from './membership.entity.js';
import { MembershipRepository } from './membership.repository.js';
import { OwnersRepository } from './owners.repository.js';
import { PrivilegeCheckService } from './privilege-check.service.js';
import type { RoleAssignment } from './role-assignment.entity.js';
import { SelfGrantsService } from './self-grants.service.js';
import { UserLookup } from './user-lookup.read.js';

export interface AssignedRole {
  readonly assignment: RoleAssignment;
  readonly role: VisibleRole;
  /** False: the user had the role already. */
  readonly created: boolean;
}

/** Gives and takes roles beside the membership's own. */
@Injectable()
export class RoleAssignmentsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly memberships: MembershipRepository,
    private readonly members: MembersService,
    private readonly counts: DirectoryCountsRepository,
    private readonly users: UserLookup,
    private readonly roles: RolesService,
    private readonly owners: OwnersRepository,
    private readonly settings: EffectiveSettings,
    private readonly selfGrants: SelfGrantsService,
    private readonly privileges: PrivilegeCheckService,
  ) {}

  /**
   * Gives a member a role.
   * @throws ResourceNotFound (404: role, or the user is no member), GrantBeyondOwn (403)
   */
  async assign(ctx: RequestContext, userId: string, reference: string): Promise<AssignedRole> {
    const organization = organizationOf(ctx);
    const wanted = await this.roles.getVisible(ctx, organization, reference);
    return this.work.run(ctx, async (ctx) => {
      // Asked at once, and answered in this order: what is read behind the user's lock stays so.
      const [{ user }, role, existing] = await Promise.all([
        this.lockMember(ctx, organization, userId),
        this.roles.hold(ctx, organization, wanted),
        this.memberships.findAssignment(ctx, organization, userId, wanted.id),
      ]);
      if (!role) throw new ResourceNotFound('role', reference);
      if (existing?.explicit) return { assignment: existing, role, created: false };
      assertRoleGrantable(ctx, organization, role, this.work.now());
      if (existing) {
        // From now on it stays, even when the membership's own role changes.
        await this.memberships.saveAssignment(ctx, { ...existing, explicit: true });
        return { assignment: existing, role, created: false };
      }
      const key = { tenantId: organization.tenantId, organizationId: organization.id, userId: user.id, roleId: role.id };
      const assignment: RoleAssignment = { ...key, explicit: true, userStatus: user.status, assignedAt: this.work.now() };
      this.memberships.insertAssignments(ctx, [assignment]);
      this.counts.append(ctx, deltas(organization, user, [role.id], 1));
      await this.publish(ctx, 'role.assigned', organization, user, role);
      await this.selfGrants.notice(ctx, organization, user, role);
      return { assignment, role, created: true };
    });
  }

  /**
   * Takes a role away. When it is the membership's own, that becomes the organization's `defaultRole`.
   * @throws ResourceNotFound (404) when the user does not have the role, HigherPrivileges (403)
   */
  async revoke(ctx: RequestContext, userId: string, reference: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const { user, membership } = await this.lockMember(ctx, organization, userId);
      const role = await this.roles.getVisible(ctx, organization, reference);
      const assignment = await this.memberships.findAssignment(ctx, organization, user.id, role.id);
      if (!assignment) throw new ResourceNotFound('role', reference);
      await this.privileges.assertCanManageAt(ctx, user, organization);
      if (membership.roleId === role.id) return this.revokeOwn(ctx, organization, user, membership, role);
      if (role.id === OWNER_ROLE_ID) await this.owners.assertOtherRemains(ctx, user.id, organization.id);
      await this.memberships.removeAssignment(ctx, assignment);
      this.counts.append(ctx, deltas(organization, user, [role.id], -1));
      await this.publish(ctx, 'role.revoked', organization, user, role);
    });
  }

  private async revokeOwn(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    membership: Membership,
    role: VisibleRole,
  ): Promise<void> {
    const { values } = await this.settings.of(ctx, organization);
    const next = await this.roles.getLocked(ctx, organization, values.defaultRole);
    const assignment = (await this.memberships.findAssignment(ctx, organization, user.id, role.id))!;
    if (assignment.explicit) await this.memberships.saveAssignment(ctx, { ...assignment, explicit: false });
    // A member always has a role: taking away the default one gives it back.
    if (next.id === role.id) return;
    await this.memberships.save(ctx, { ...membership, roleId: next.id, updatedAt: this.work.now() });
    const { gained } = await this.members.replaceOwnRole(ctx, organization, user, role.id, next.id);
    await this.publish(ctx, 'role.revoked', organization, user, role);
    if (gained) await this.publish(ctx, 'role.assigned', organization, user, next);
  }

  private async lockMember(
    ctx: RequestContext,
    organization: OrganizationScope,
    userId: string,
  ): Promise<{ user: DirectoryUser; membership: Membership }> {
    const [user, membership] = await Promise.all([
      this.users.lock(ctx, userId),
      this.memberships.find(ctx, organization, userId),
    ]);
    if (!user || !membership || user.status === 'deleted') throw new ResourceNotFound('member', userId);
    return { user, membership };
  }

  private async publish(
    ctx: RequestContext,
    type: 'role.assigned' | 'role.revoked',
    organization: OrganizationScope,
    user: DirectoryUser,
    role: VisibleRole,
  ): Promise<void> {
    const data = {
      organization: { id: organization.id, name: organization.name },
      user: { id: user.id, email: user.email },
      role: { id: role.id, name: role.name },
    };
    await this.work.publish(ctx, type, organization, data, { userId: user.id });
  }
}
