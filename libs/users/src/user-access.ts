import { Injectable } from '@nestjs/common';
import {
  demandUnchanged,
  organizationOf,
  type OrganizationScope,
  permissionsAt,
  permissionsBeyond,
  reaches,
  type RequestContext,
  ResourceNotFound,
} from '#common';
import { UserGrants } from '#memberships';
import { OrganizationScopes } from '#organizations';
import { EVERY_MEMBERS_PERMISSIONS } from '#roles';
import { ManagedElsewhere, OwnSignIn, StrongerUser } from './user-errors.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

type UserKey = Pick<User, 'tenantId' | 'id'>;

/** Opens a user for a change, if the caller may make it. */
@Injectable()
export class UserAccess {
  constructor(
    private readonly users: UserRepository,
    private readonly scopes: OrganizationScopes,
    private readonly grants: UserGrants,
  ) {}

  /**
   * The user, held until the transaction ends, with the organization that manages it.
   * @throws ResourceNotFound (404) when the addressed organization does not show the user
   * @throws ManagedElsewhere (403) when the caller does not reach the managing organization
   * @throws PreconditionFailed (412) when the caller read another version
   */
  async lockForChange(ctx: RequestContext, userId: string): Promise<{ user: User; home: OrganizationScope }> {
    const opened = await this.managed(ctx, userId, await this.users.lock(ctx, organizationOf(ctx), userId));
    demandUnchanged(ctx, opened.user.version);
    return opened;
  }

  /**
   * The user, for reading what only those who manage it may see.
   * @throws ResourceNotFound (404), ManagedElsewhere (403)
   */
  async findManaged(ctx: RequestContext, userId: string): Promise<{ user: User; home: OrganizationScope }> {
    return this.managed(ctx, userId, await this.users.find(ctx, organizationOf(ctx), userId));
  }

  /**
   * Call before a change that could give the caller the user's account: a new e-mail address, a reset of the password or of second factors.
   * Nobody but the platform makes it for a user who may do more, in any organization, than the caller may there. What every member may do
   * does not count where the caller reaches: a key that manages users need not be able to do all that they can.
   * @throws StrongerUser (403), and OwnSignIn (403) for users themselves, who prove with their password that it is them
   */
  async demandTakeable(ctx: RequestContext, user: UserKey): Promise<void> {
    const { caller } = ctx;
    if (caller.kind === 'platform' || caller.kind === 'system') return;
    if (caller.kind === 'user' && caller.id === user.id) throw new OwnSignIn();
    for (const { organizationId: id, ancestorIds, permissions } of await this.grants.of(ctx, user)) {
      const place = { id, ancestorIds };
      const counted = reaches(caller, place)
        ? permissions.filter((each) => !EVERY_MEMBERS_PERMISSIONS.includes(each))
        : permissions;
      const lacking = permissionsBeyond({ ...caller, permissions: permissionsAt(caller, place) }, counted);
      if (lacking.length > 0) throw new StrongerUser();
    }
  }

  private async managed(
    ctx: RequestContext,
    userId: string,
    user: User | null,
  ): Promise<{ user: User; home: OrganizationScope }> {
    const organization = organizationOf(ctx);
    if (!user) throw new ResourceNotFound('user', userId);
    const home = user.organizationId === organization.id ? organization : await this.scopes.findScope(ctx, user.organizationId);
    if (!home || !reaches(ctx.caller, home)) throw new ManagedElsewhere();
    return { user, home };
  }
}
