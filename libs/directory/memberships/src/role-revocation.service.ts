import { Injectable } from '@nestjs/common';
import { organizationOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { PrivilegesService } from '#directory/privileges';
import { RolesService } from '#directory/roles';
import { MemberAccessService } from './member-access.service.js';
import { MemberDirectoryService } from './member-directory.service.js';
import { MembershipChangesService } from './membership-changes.service.js';
import { roleEventData } from './role-event-data.js';

@Injectable()
export class RoleRevocationService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: MemberAccessService,
    private readonly roles: RolesService,
    private readonly privileges: PrivilegesService,
    private readonly memberDirectory: MemberDirectoryService,
    private readonly changes: MembershipChangesService,
  ) {}

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
