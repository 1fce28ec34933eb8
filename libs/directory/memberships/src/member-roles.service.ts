import { Injectable } from '@nestjs/common';
import { assertRoleDelegable, Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { EffectiveSettingsService } from '#directory/organizations';
import { RolesService, type VisibleRole } from '#directory/roles';
import type { Membership } from './membership.entity.js';

/** Finds and locks the roles of memberships. */
@Injectable()
export class MemberRolesService {
  constructor(
    private readonly roles: RolesService,
    private readonly settings: EffectiveSettingsService,
    private readonly clock: Clock,
  ) {}

  async find(ctx: RequestContext, tenantId: string, roleId: string): Promise<VisibleRole | undefined> {
    return (await this.roles.listByIds(ctx, [tenantId], [roleId])).get(roleId);
  }

  async getOf(ctx: RequestContext, { tenantId, roleId }: Membership): Promise<VisibleRole> {
    const role = await this.find(ctx, tenantId, roleId);
    if (!role) throw new Error(`The role ${roleId} of a membership is missing.`);
    return role;
  }

  /**
   * Locks and returns a role. Asserts that the caller can assign the role.
   * @throws ResourceNotFound (404), GrantBeyondOwn (403)
   */
  async lockDelegable(ctx: RequestContext, organization: OrganizationScope, reference: string): Promise<VisibleRole> {
    const role = await this.roles.getLocked(ctx, organization, reference);
    assertRoleDelegable(ctx, organization, role, this.clock.now());
    return role;
  }

  /** Locks and returns the default role of the organization, without a check of the caller's permissions. */
  async lockDefault(ctx: RequestContext, organization: OrganizationScope): Promise<VisibleRole> {
    const { values } = await this.settings.get(ctx, organization);
    return this.roles.getLocked(ctx, organization, values.defaultRole);
  }
}
