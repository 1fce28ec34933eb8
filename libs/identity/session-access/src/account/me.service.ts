import { Injectable } from '@nestjs/common';
import { SessionAcceptanceService } from '#identity/auth';
import {
  hasPermission,
  ownUserOf,
  permissionsAt,
  reaches,
  type RequestContext,
  ResourceNotFound,
  SERVICE_PERMISSIONS,
  sessionOf,
} from '#platform/common';
import { OrganizationScopeQuery } from '#directory/organizations';
import { RolesService } from '#directory/roles';
import { UserActivationService, UserQueriesService } from '#directory/users';
import { CurrentSessionResponse, type MeResponse } from './me.responses.js';
import { OwnOrganizationsQuery } from './own-organizations.query.js';
import type { OwnPermissionsResponse } from './own-permissions.requests.js';

@Injectable()
export class MeService {
  constructor(
    private readonly userActivation: UserActivationService,
    private readonly userQueries: UserQueriesService,
    private readonly ownOrganizations: OwnOrganizationsQuery,
    private readonly roles: RolesService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly sessionAcceptance: SessionAcceptanceService,
  ) {}

  /** Returns the address of the picture of the signed-in user. */
  async findPicture(ctx: RequestContext): Promise<string | null> {
    return (await this.userActivation.find(ctx, ownUserOf(ctx)))?.user.picture ?? null;
  }

  async get(ctx: RequestContext): Promise<MeResponse> {
    const key = ownUserOf(ctx);
    const owner = await this.userActivation.find(ctx, key);
    if (!owner) throw new ResourceNotFound('user', key.id);
    const { user } = await this.userQueries.get({ ...ctx, organization: owner.managingOrganization }, key.id);
    const organizations = await this.ownOrganizations.list(ctx, owner.user);
    const roles = await this.roles.listByIds(
      ctx,
      [...new Set(organizations.map(({ tenantId }) => tenantId))],
      organizations.flatMap(({ roleIds }) => roleIds),
    );
    const nameOf = (id: string): string => roles.get(id)?.name ?? id;
    return {
      ...user,
      organizations: organizations.map(({ id, name, slug, ancestorIds, roleId, roleIds }) => ({
        id,
        name,
        slug,
        role: nameOf(roleId),
        roles: roleIds.map((roleId) => ({ id: roleId, name: nameOf(roleId) })),
        permissions: [...permissionsAt(ctx.caller, { id, ancestorIds })],
      })),
      session: CurrentSessionResponse.from(sessionOf(ctx)),
    };
  }

  /**
   * Returns the permissions of the signed-in user in an organization by the rules of the access guard.
   * @throws ResourceNotFound (404) if the user has no role in the organization, and the errors of `SessionAcceptanceService`
   */
  async getPermissions(ctx: RequestContext, handle: string): Promise<OwnPermissionsResponse> {
    const organization = await this.organizationScopes.findScope(ctx, handle);
    if (!organization || !reaches(ctx.caller, organization)) throw new ResourceNotFound('organization', handle);
    await this.sessionAcceptance.assertAccepted(ctx, sessionOf(ctx), organization);
    const permissions = [...permissionsAt(ctx.caller, organization)];
    const servicePermissions = SERVICE_PERMISSIONS.filter((permission) => hasPermission(permissions, permission));
    return { organizationId: organization.id, permissions, servicePermissions };
  }
}
