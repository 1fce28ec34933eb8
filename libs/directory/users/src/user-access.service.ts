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
import { OwnersService } from '#directory/memberships';
import { type LossAuthorization, PrivilegesService, type SignInAuthorization } from '#directory/privileges';
import { OrganizationScopeQuery } from '#directory/organizations';
import { ScimManagementService } from '#directory/scim-connections';
import { ManagedElsewhere, CurrentUserSignIn } from './user-errors.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

type UserKey = Pick<User, 'tenantId' | 'id'>;

/** A locked user who can lose the use of the account. */
interface LockedForLoss {
  readonly user: User;
  readonly managingOrganization: OrganizationScope;
  readonly loss: LossAuthorization;
}

/** Finds and locks users for callers who can manage the users. */
@Injectable()
export class UserAccessService {
  constructor(
    private readonly users: UserRepository,
    private readonly scopes: OrganizationScopeQuery,
    private readonly privileges: PrivilegesService,
    private readonly owners: OwnersService,
    private readonly clock: Clock,
    private readonly scim: ScimManagementService,
  ) {}

  /**
   * Locks the user until the transaction ends. Returns the user and the managing organization.
   * @throws ResourceNotFound (404) when the user is not in the directory of the addressed organization
   * @throws ManagedElsewhere (403) when the caller can't access the managing organization
   * @throws PreconditionFailed (412) when the request requires another version of the user
   */
  async lockForChange(ctx: RequestContext, userId: string): Promise<{ user: User; managingOrganization: OrganizationScope }> {
    const locked = await this.managed(ctx, userId, await this.users.lock(ctx, organizationOf(ctx), userId));
    assertUnchanged(ctx, locked.user.version);
    return locked;
  }

  /**
   * Returns a user and the managing organization, if the caller can manage the user.
   * @throws ResourceNotFound (404), ManagedElsewhere (403)
   */
  async findManaged(ctx: RequestContext, userId: string): Promise<{ user: User; managingOrganization: OrganizationScope }> {
    return this.managed(ctx, userId, await this.users.find(ctx, organizationOf(ctx), userId));
  }

  /**
   * Locks the user for a change of the status.
   * @throws the errors of `lockForChange`, and HigherPrivileges (403)
   */
  async lockForLifecycle(ctx: RequestContext, userId: string): Promise<LockedForLoss> {
    const locked = await this.lockForChange(ctx, userId);
    return { ...locked, loss: await this.privileges.authorizeLoss(ctx, [locked.user]) };
  }

  /**
   * Locks the user for a suspension or deletion.
   * @throws the errors of `lockForLifecycle`, and LastOwner (409)
   */
  async lockForRemoval(ctx: RequestContext, userId: string): Promise<LockedForLoss> {
    const locked = await this.lockForLifecycle(ctx, userId);
    await this.owners.assertOtherRemains(ctx, locked.user);
    return locked;
  }

  /**
   * Asserts that the caller can change the sign-in or identification of a user, because such a change could let the caller take over the
   * account. Users change their own sign-in with operations that require the password.
   * @throws CurrentUserSignIn, HigherPrivileges (403), ReauthenticationRequired (401)
   */
  async assertCanChangeSignIn(ctx: RequestContext, user: UserKey): Promise<SignInAuthorization> {
    this.assertNotOwnSignIn(ctx, user);
    const signIn = await this.privileges.authorizeSignInChange(ctx, user);
    assertRecentlyAuthenticated(ctx, this.clock.now());
    return signIn;
  }

  /** Authorizes an invitation of a pending user. The link replaces earlier links. @throws HigherPrivileges (403) */
  authorizeInvitation(ctx: RequestContext, user: UserKey): Promise<SignInAuthorization> {
    return this.privileges.authorizeSignInChange(ctx, user);
  }

  /** @throws ManagedByScim (409) when a SCIM connection provisions the user and the caller is somebody else */
  async assertNotProvisioned(ctx: RequestContext, user: User): Promise<void> {
    await this.scim.assertCanChange(ctx, 'user', user);
  }

  /** @throws CurrentUserSignIn (403) when the caller is the user */
  assertNotOwnSignIn({ caller }: RequestContext, user: UserKey): void {
    if (caller.kind === 'user' && caller.id === user.id) throw new CurrentUserSignIn();
  }

  private async managed(
    ctx: RequestContext,
    userId: string,
    user: User | null,
  ): Promise<{ user: User; managingOrganization: OrganizationScope }> {
    const organization = organizationOf(ctx);
    if (!user) throw new ResourceNotFound('user', userId);
    const managingOrganization =
      user.organizationId === organization.id ? organization : await this.scopes.findScope(ctx, user.organizationId);
    if (!managingOrganization || !reaches(ctx.caller, managingOrganization)) throw new ManagedElsewhere();
    return { user, managingOrganization };
  }
}
