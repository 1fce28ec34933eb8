import { Injectable } from '@nestjs/common';
import { assertUnchanged, organizationOf, reaches, type RequestContext, ResourceNotFound } from '#platform/common';
import { OwnersService } from '#directory/memberships';
import { type LossAuthorization, PrivilegesService, type SignInAuthorization } from '#directory/privileges';
import { assertActive, OrganizationScopeQuery, SessionRequirementsQuery } from '#directory/organizations';
import { ScimManagementService } from '#directory/scim-connections';
import { ManagedElsewhere, CurrentUserSignIn } from './user-errors.js';
import type { UserWithOrganization } from './user-activation.service.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';

type UserKey = Pick<User, 'tenantId' | 'id'>;

/** A user whose status the caller can change. */
export interface LockedForLifecycle extends UserWithOrganization {
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
    private readonly sessionRequirements: SessionRequirementsQuery,
    private readonly scim: ScimManagementService,
  ) {}

  /**
   * Locks the user until the transaction ends. Returns the user and the managing organization.
   * @throws ResourceNotFound (404) when the user is not in the directory of the addressed organization
   * @throws ManagedElsewhere, AffectedOrganizationInaccessible (403) when the caller or the session can't access the managing organization
   * @throws OrganizationSuspended, OrganizationPending (409) when the managing organization can't be changed
   * @throws PreconditionFailed (412) when the request requires another version of the user
   */
  async lockForChange(ctx: RequestContext, userId: string): Promise<UserWithOrganization> {
    const locked = await this.managed(ctx, userId, await this.users.lock(ctx, organizationOf(ctx), userId));
    if (locked.managingOrganization.id !== organizationOf(ctx).id) assertActive(locked.managingOrganization);
    assertUnchanged(ctx, locked.user.version);
    return locked;
  }

  /**
   * Returns a user and the managing organization, if the caller can manage the user.
   * @throws ResourceNotFound (404), ManagedElsewhere, AffectedOrganizationInaccessible (403)
   */
  async findManaged(ctx: RequestContext, userId: string): Promise<UserWithOrganization> {
    return this.managed(ctx, userId, await this.users.find(ctx, organizationOf(ctx), userId));
  }

  /**
   * Locks the user for an activation or restoration.
   * @throws the errors of `lockForChange`, HigherPrivileges (403), and ReauthenticationRequired (401)
   */
  async lockForReturn(ctx: RequestContext, userId: string): Promise<LockedForLifecycle> {
    const locked = await this.lockForChange(ctx, userId);
    return { ...locked, loss: await this.privileges.authorizeReturn(ctx, locked.user) };
  }

  /**
   * Locks the user for a suspension or deletion.
   * @throws the errors of `lockForChange`, HigherPrivileges (403), and LastOwner (409)
   */
  async lockForRemoval(ctx: RequestContext, userId: string): Promise<LockedForLifecycle> {
    const locked = await this.lockForChange(ctx, userId);
    const loss = await this.privileges.authorizeLoss(ctx, [locked.user]);
    await this.owners.assertOtherRemains(ctx, locked.user);
    return { ...locked, loss };
  }

  /**
   * Asserts that the caller can change the sign-in or identification of a user, because such a change could let the caller take over the
   * account. Users change their own sign-in with operations that require the password.
   * @throws CurrentUserSignIn, HigherPrivileges (403), ReauthenticationRequired (401)
   */
  async assertCanChangeSignIn(ctx: RequestContext, user: UserKey): Promise<SignInAuthorization> {
    this.assertNotOwnSignIn(ctx, user);
    return this.privileges.authorizeSignInChange(ctx, user);
  }

  /** Authorizes an invitation of a pending user. The link replaces earlier links. @throws HigherPrivileges (403), ReauthenticationRequired (401) */
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

  private async managed(ctx: RequestContext, userId: string, user: User | null): Promise<UserWithOrganization> {
    const organization = organizationOf(ctx);
    if (!user) throw new ResourceNotFound('user', userId);
    if (user.organizationId === organization.id) return { user, managingOrganization: organization };
    const managingOrganization = await this.scopes.findScope(ctx, user.organizationId);
    if (!managingOrganization || !reaches(ctx.caller, managingOrganization)) throw new ManagedElsewhere();
    await this.sessionRequirements.assertMet(ctx, [managingOrganization]);
    return { user, managingOrganization };
  }
}
