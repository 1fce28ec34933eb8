import { Injectable } from '@nestjs/common';
import {
  assertRecentlyAuthenticated,
  Clock,
  assertUnchanged,
  organizationOf,
  type OrganizationScope,
  reaches,
  type RequestContext,
  ResourceNotFound,
} from '#platform/common';
import { PrivilegeCheckService } from '#directory/memberships';
import { OrganizationScopeQuery } from '#directory/organizations';
import { ManagedElsewhere, OwnSignIn } from './user-errors.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

type UserKey = Pick<User, 'tenantId' | 'id'>;

/** Opens a user for a change, if the caller may make it. */
@Injectable()
export class UserAccess {
  constructor(
    private readonly users: UserRepository,
    private readonly scopes: OrganizationScopeQuery,
    private readonly privileges: PrivilegeCheckService,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the user until the transaction ends and returns it with the organization that manages it.
   * @throws ResourceNotFound (404) when the addressed organization does not show the user
   * @throws ManagedElsewhere (403) when the caller does not reach the managing organization
   * @throws PreconditionFailed (412) when the caller read another version
   */
  async lockForChange(ctx: RequestContext, userId: string): Promise<{ user: User; home: OrganizationScope }> {
    const opened = await this.managed(ctx, userId, await this.users.lock(ctx, organizationOf(ctx), userId));
    assertUnchanged(ctx, opened.user.version);
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
   * Locks the user for a suspension, a deletion or the like.
   * @throws as `lockForChange`, and HigherPrivileges (403)
   */
  async lockForLifecycle(ctx: RequestContext, userId: string): Promise<{ user: User; home: OrganizationScope }> {
    const opened = await this.lockForChange(ctx, userId);
    await this.privileges.assertCanManage(ctx, opened.user);
    return opened;
  }

  /**
   * Call before a change of how a user signs in or is recognized, with which the caller could become the user. Users change their own by the
   * operations of the own account, which ask for the password.
   * @throws OwnSignIn, HigherPrivileges (403), ReauthenticationRequired (401)
   */
  async assertCanChangeSignIn(ctx: RequestContext, user: UserKey): Promise<void> {
    this.assertNotOwnSignIn(ctx, user);
    await this.privileges.assertCanChangeSignIn(ctx, user);
    assertRecentlyAuthenticated(ctx, this.clock.now());
  }

  /** @throws OwnSignIn (403) when the caller is the user */
  assertNotOwnSignIn({ caller }: RequestContext, user: UserKey): void {
    if (caller.kind === 'user' && caller.id === user.id) throw new OwnSignIn();
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
