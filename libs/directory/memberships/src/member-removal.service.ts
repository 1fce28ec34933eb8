import { Injectable } from '@nestjs/common';
import { organizationOf, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { PrivilegesService } from '#directory/privileges';
import { MemberAccessService } from './member-access.service.js';
import { MemberDirectoryService } from './member-directory.service.js';
import { MemberRemovalHandlers } from './member-removal-handlers.js';
import { MemberRolesService } from './member-roles.service.js';

@Injectable()
export class MemberRemovalService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: MemberAccessService,
    private readonly memberRoles: MemberRolesService,
    private readonly privileges: PrivilegesService,
    private readonly memberDirectory: MemberDirectoryService,
    private readonly removalHandlers: MemberRemovalHandlers,
  ) {}

  /** @throws ResourceNotFound (404) when the user is not a member, HigherPrivileges (403), LastOwner, ManagedByScim (409) */
  async remove(ctx: RequestContext, userId: string): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const { user, membership } = await this.access.lockForRemoval(ctx, organization, userId);
      const loss = await this.privileges.authorizeLossAt(ctx, [user], organization);
      const role = await this.memberRoles.getOf(ctx, membership);
      await this.removalHandlers.run(ctx, organization, user, loss);
      await this.memberDirectory.remove(ctx, organization, user, loss);
      const removedAt = this.work.now().toISOString();
      const data = { organizationId: organization.id, userId: user.id, email: user.email, role: role.name, removedAt };
      await this.work.publish(ctx, 'organization.member_removed', organization, data, { userId: user.id });
    });
  }
}
