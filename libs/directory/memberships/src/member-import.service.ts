import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import type { GainAuthorization } from '#directory/privileges';
import { roleEventData } from './role-event-data.js';
import { SelfGrantsService } from './self-grants.service.js';
import { type NewMember, UserDirectoryService } from './user-directory.service.js';

/** Adds many users to organizations of their tenant that do not manage them. */
@Injectable()
export class MemberImportService {
  constructor(
    private readonly directory: UserDirectoryService,
    private readonly selfGrants: SelfGrantsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Adds users as members and publishes the events. Runs in the caller's transaction. The users must be new or locked, and must not be
   * members.
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
}
