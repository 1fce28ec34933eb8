import { Injectable } from '@nestjs/common';
import { organizationOf, type OrganizationScope, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import type { VisibleRole } from '#directory/roles';
import { MemberAccessService } from './member-access.service.js';
import { MemberMail } from './member-mail.js';
import { MemberRolesService } from './member-roles.service.js';
import type { Membership } from './membership.entity.js';
import { MembershipChangesService } from './membership-changes.service.js';
import type { AddMemberRequest } from './member.requests.js';
import { PrivilegeCheckService } from './privilege-check.service.js';

export interface MemberWithRole {
  readonly membership: Membership;
  readonly role: VisibleRole;
}

/** Adds members to an organization and changes their roles. */
@Injectable()
export class MembersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly access: MemberAccessService,
    private readonly memberRoles: MemberRolesService,
    private readonly privileges: PrivilegeCheckService,
    private readonly changes: MembershipChangesService,
    private readonly mail: MemberMail,
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
      const role = await this.roleFor(ctx, organization, request.role, existing);
      if (existing && existing.roleId !== role.id) await this.privileges.assertCanManageAt(ctx, user, organization);
      const membership = existing
        ? await this.changes.changeRole(ctx, organization, user, existing, role)
        : await this.changes.add(ctx, organization, user, role, entry);
      if (request.sendNotification) await this.mail.sendAdded(ctx, organization, user, role);
      return { membership, role };
    });
  }

  private roleFor(
    ctx: RequestContext,
    organization: OrganizationScope,
    reference: string | undefined,
    existing: Membership | null,
  ): Promise<VisibleRole> {
    if (reference !== undefined) return this.memberRoles.lockDelegable(ctx, organization, reference);
    return existing ? this.memberRoles.getOf(ctx, existing) : this.memberRoles.lockDefault(ctx, organization);
  }
}
