import { Injectable } from '@nestjs/common';
import { InvalidRequest, type OrganizationScope, type RequestContext } from '#platform/common';
import type { OrganizationSettings } from '#directory/organizations';
import { type GainAuthorization, PrivilegesService } from '#directory/privileges';
import { RolesService, type VisibleRole } from '#directory/roles';

/** The roles of a new user. The first role is the role of the membership. */
export interface NewUserRoles {
  readonly roles: readonly [VisibleRole, ...VisibleRole[]];
  readonly gain: GainAuthorization;
}

/** Finds and authorizes the roles of new users. */
@Injectable()
export class NewUserRolesService {
  constructor(
    private readonly roles: RolesService,
    private readonly privileges: PrivilegesService,
  ) {}

  /**
   * Locks the roles with these ids or names, or the default role. `registration` authorizes the default role of a user who registers.
   * @throws InvalidRequest (400: a role), GrantBeyondOwn (403), ReauthenticationRequired (401)
   */
  async lock(
    ctx: RequestContext,
    organization: OrganizationScope,
    references: readonly string[] | undefined,
    settings: OrganizationSettings,
    registration?: GainAuthorization,
  ): Promise<NewUserRoles> {
    if (!references?.length) {
      const role = await this.lockRole(ctx, organization, settings.defaultRole, 0);
      return { roles: [role], gain: registration ?? this.privileges.authorizeDefaultRole(ctx, organization, role) };
    }
    const roles = new Map<string, VisibleRole>();
    for (const [index, reference] of references.entries()) {
      const role = await this.lockRole(ctx, organization, reference, index);
      roles.set(role.id, role);
    }
    const [role, ...more] = [...roles.values()] as [VisibleRole, ...VisibleRole[]];
    return { roles: [role, ...more], gain: this.privileges.authorizeRoles(ctx, organization, [role, ...more]) };
  }

  private async lockRole(
    ctx: RequestContext,
    organization: OrganizationScope,
    reference: string,
    index: number,
  ): Promise<VisibleRole> {
    const role = await this.roles.lockVisible(ctx, organization, reference);
    if (role) return role;
    const message = `roles[${index}] "${reference}" is not a role of this organization or one of its ancestors.`;
    throw new InvalidRequest([{ pointer: `/roles/${index}`, in: 'body', code: 'role_not_found', message }]);
  }
}
