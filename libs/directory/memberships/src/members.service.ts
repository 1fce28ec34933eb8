import { Injectable } from '@nestjs/common';
import { organizationOf, type OrganizationScope, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type GainAuthorization, PrivilegesService, unneeded } from '#directory/privileges';
import type { VisibleRole } from '#directory/roles';
import type { DirectoryUser } from './directory-user.js';
import { MemberAccessService } from './member-access.service.js';
import { MemberDirectoryService } from './member-directory.service.js';
import { MemberMail } from './member-mail.js';
import { MemberRemovalHandlers } from './member-removal-handlers.js';
import { MemberRolesService } from './member-roles.service.js';
import type { Membership } from './membership.entity.js';
import { MembershipChangesService } from './membership-changes.service.js';
import type { AddMemberRequest } from './member.requests.js';

export interface MemberWithRole {
  readonly membership: Membership;
  readonly role: VisibleRole;
}

/** Adds members to an organization, changes their roles and removes members. */
@Injectable()
export class MembersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: MemberAccessService,
    private readonly memberRoles: MemberRolesService,
    private readonly privileges: PrivilegesService,
    private readonly changes: MembershipChangesService,
    private readonly mail: MemberMail,
    private readonly memberDirectory: MemberDirectoryService,
    private readonly removalHandlers: MemberRemovalHandlers,
  ) {}

  /**
   * Makes a user a member, or replaces the role of a member.
   * @throws ResourceNotFound (404: user or role), GrantBeyondOwn, HigherPrivileges (403), LastOwner (409)
   */
  async add(ctx: RequestContext, request: AddMemberRequest): Promise<MemberWithRole> {
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      const { user, membership: existing, entry } = await this.access.lockForAddition(ctx, organization, request.userId);
      if (existing && request.role === undefined && existing.announced)
        return { membership: existing, role: await this.memberRoles.getOf(ctx, existing) };
      const { role, gain } = await this.roleFor(ctx, organization, request.role, existing);
      const membership = existing
        ? await this.changeRole(ctx, organization, user, { membership: existing, role, gain })
        : await this.changes.add(ctx, organization, user, { role, entry, gain });
      if (request.sendNotification) await this.mail.sendAdded(ctx, organization, user, role);
      return { membership, role };
    });
  }

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

  private async roleFor(
    ctx: RequestContext,
    organization: OrganizationScope,
    reference: string | undefined,
    existing: Membership | null,
  ): Promise<{ role: VisibleRole; gain: GainAuthorization }> {
    if (reference === undefined && existing)
      return { role: await this.memberRoles.getOf(ctx, existing), gain: unneeded<'gain'>('role_unchanged') };
    if (reference === undefined) {
      const role = await this.memberRoles.lockDefault(ctx, organization);
      return { role, gain: this.privileges.authorizeDefaultRole(ctx, organization, role) };
    }
    const role = await this.memberRoles.lockVisible(ctx, organization, reference);
    return { role, gain: this.privileges.authorizeRole(ctx, organization, role) };
  }

  private async changeRole(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: DirectoryUser,
    { membership, role, gain }: { membership: Membership; role: VisibleRole; gain: GainAuthorization },
  ): Promise<Membership> {
    const loss =
      membership.roleId === role.id
        ? unneeded<'loss'>('role_unchanged')
        : await this.privileges.authorizeLossAt(ctx, [user], organization);
    return this.changes.changeRole(ctx, organization, user, { membership, role }, { gain, loss });
  }
}
