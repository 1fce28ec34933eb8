import { Injectable } from '@nestjs/common';
import { organizationOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { PrivilegesService } from '#directory/privileges';
import { RolesService, type VisibleRole } from '#directory/roles';
import { MemberAccessService } from './member-access.service.js';
import { MemberDirectoryService } from './member-directory.service.js';
import { MembershipChangesService } from './membership-changes.service.js';
import type { RoleAssignment } from './role-assignment.entity.js';
import { roleEventData } from './role-event-data.js';
import { SelfGrantsService } from './self-grants.service.js';

export interface AssignedRole {
  readonly assignment: RoleAssignment;
  readonly role: VisibleRole;
  /** False if the user already had the role. */
  readonly created: boolean;
}

/** Assigns roles to members, in addition to the role of the membership, and revokes roles. */
@Injectable()
export class RoleAssignmentsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: MemberAccessService,
    private readonly roles: RolesService,
    private readonly memberDirectory: MemberDirectoryService,
    private readonly selfGrants: SelfGrantsService,
    private readonly privileges: PrivilegesService,
    private readonly changes: MembershipChangesService,
  ) {}

  /** @throws ResourceNotFound (404: the role, or the user is not a member), GrantBeyondOwn (403) */
  async assign(ctx: RequestContext, userId: string, reference: string): Promise<AssignedRole> {
    const organization = organizationOf(ctx);
    const visibleRole = await this.roles.getVisible(ctx, organization, reference);
    return this.work.run(ctx, async (ctx) => {
      const { user, role, existing } = await this.access.lockMemberAndRole(ctx, organization, userId, visibleRole);
      if (!role) throw new ResourceNotFound('role', reference);
      if (existing?.explicit) return { assignment: existing, role, created: false };
      const gain = this.privileges.authorizeRole(ctx, organization, role);
      if (existing) {
        await this.memberDirectory.makeExplicit(ctx, existing, gain);
        return { assignment: existing, role, created: false };
      }
      const assignment = this.memberDirectory.assignRole(ctx, organization, user, role.id, gain);
      const data = roleEventData(organization, user, role);
      await this.work.publish(ctx, 'role.assigned', organization, data, { userId: user.id });
      await this.selfGrants.reportIfOwn(ctx, organization, user, role);
      return { assignment, role, created: true };
    });
  }

  /**
   * Revokes a role. If the role is the role of the membership, the default role of the organization replaces it.
   * @throws ResourceNotFound (404) when the user does not have the role, HigherPrivileges (403), LastOwner (409)
   */
  async revoke(ctx: RequestContext, userId: string, reference: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const { user, membership } = await this.access.lockMember(ctx, organization, userId);
      const role = await this.roles.getVisible(ctx, organization, reference);
      const assignment = await this.memberDirectory.findRole(ctx, organization, user, role.id);
      if (!assignment) throw new ResourceNotFound('role', reference);
      const loss = await this.privileges.authorizeLossAt(ctx, [user], organization);
      if (membership.roleId === role.id) {
        await this.changes.revokeRole(ctx, organization, user, { membership, assignment, role }, loss);
        return;
      }
      await this.memberDirectory.revokeRole(ctx, organization, user, assignment, loss);
      const data = roleEventData(organization, user, role);
      await this.work.publish(ctx, 'role.revoked', organization, data, { userId: user.id });
    });
  }
}
