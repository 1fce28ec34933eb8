import { Injectable } from '@nestjs/common';
import { ownUserOf, permissionsAt, type RequestContext, ResourceNotFound, sessionOf } from '#platform/common';
import { RolesService } from '#directory/roles';
import { UserActivationService, UserQueriesService } from '#directory/users';
import { CurrentSessionResponse, type MeResponse } from './me.responses.js';
import { OwnOrganizationsQuery } from './own-organizations.query.js';

@Injectable()
export class MeService {
  constructor(
    private readonly userActivation: UserActivationService,
    private readonly userQueries: UserQueriesService,
    private readonly ownOrganizations: OwnOrganizationsQuery,
    private readonly roles: RolesService,
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
}
