import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { EffectiveSettingsService } from '#directory/organizations';
import { RolesService, type VisibleRole } from '#directory/roles';
import type { Membership } from './membership.entity.js';

/** Finds and locks the roles of memberships. */
@Injectable()
export class MemberRolesService {
  constructor(
    private readonly roles: RolesService,
    private readonly settings: EffectiveSettingsService,
  ) {}

  async find(ctx: RequestContext, tenantId: string, roleId: string): Promise<VisibleRole | undefined> {
    return (await this.roles.listByIds(ctx, [tenantId], [roleId])).get(roleId);
  }

  async getOf(ctx: RequestContext, { tenantId, roleId }: Membership): Promise<VisibleRole> {
    const role = await this.find(ctx, tenantId, roleId);
    if (!role) throw new Error(`The role ${roleId} of a membership is missing.`);
    return role;
  }

  /** Locks and returns a role. @throws ResourceNotFound (404) */
  lockVisible(ctx: RequestContext, organization: OrganizationScope, reference: string): Promise<VisibleRole> {
    return this.roles.getLocked(ctx, organization, reference);
  }

  /** Locks and returns the default role of the organization. */
  async lockDefault(ctx: RequestContext, organization: OrganizationScope): Promise<VisibleRole> {
    const { values } = await this.settings.get(ctx, organization);
    return this.roles.getLocked(ctx, organization, values.defaultRole);
  }
}
