import { Injectable } from '@nestjs/common';
import { emailKey, type OrganizationScope, type RequestContext } from '#platform/common';
import { OrganizationScopeQuery } from '#directory/organizations';
import { unneeded } from '#directory/privileges';
import { InvitationsService } from './invitations.service.js';
import type { UserWithOrganization } from './user-activation.service.js';
import { UserChangesService } from './user-changes.service.js';
import { UserEmailChangesService } from './user-email-changes.service.js';
import { applyFields, changesProvisioned, newUser } from './user-values.js';
import type { UpdateUserRequest } from './user.requests.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import { UsersService } from './users.service.js';

export interface Registration {
  readonly email: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly locale?: string | undefined;
}

/** The fields that users can change in their own profile. */
export type OwnProfile = Pick<UpdateUserRequest, 'firstName' | 'lastName' | 'displayName' | 'picture' | 'locale' | 'phoneNumber'>;

/**
 * Changes accounts at the request of their users. The caller must have authenticated the user. All methods run in the caller's transaction.
 */
@Injectable()
export class UserSelfService {
  constructor(
    private readonly users: UserRepository,
    private readonly creation: UsersService,
    private readonly changes: UserChangesService,
    private readonly scopes: OrganizationScopeQuery,
    private readonly invitations: InvitationsService,
    private readonly emailChanges: UserEmailChangesService,
  ) {}

  /** Returns the user that `register` would create, for the validation of a password. Writes nothing. @throws DomainNotAllowed (422) */
  async draft(
    ctx: RequestContext,
    organization: OrganizationScope,
    registration: Registration,
    now: Date,
  ): Promise<UserWithOrganization> {
    await this.emailChanges.assertAllowed(ctx, organization, registration.email);
    return { user: newUser(organization, registration, now), managingOrganization: organization };
  }

  /** Creates a pending user with the default role of the organization. @throws EmailTaken (409), DomainNotAllowed (422) */
  async register(
    ctx: RequestContext,
    organization: OrganizationScope,
    registration: Registration,
  ): Promise<UserWithOrganization> {
    const user = await this.creation.create({ ...ctx, organization }, registration, {}, unneeded<'gain'>('registration'));
    return { user, managingOrganization: organization };
  }

  /** Locks and returns the user of a tenant with this email address, unless the user or the managing organization is deleted. */
  async lockByEmail(ctx: RequestContext, tenantId: string, email: string): Promise<UserWithOrganization | null> {
    return this.withOrganization(ctx, await this.users.lockByEmailInTenant(ctx, tenantId, emailKey(email)));
  }

  /** Returns the user of a tenant with this email address, unless deleted. */
  async findByEmail(ctx: RequestContext, tenantId: string, email: string): Promise<User | null> {
    return this.users.findByEmailInTenant(ctx, tenantId, emailKey(email));
  }

  /** Returns a user with the managing organization, or null if that organization is deleted. */
  async withOrganization(ctx: RequestContext, user: User | null): Promise<UserWithOrganization | null> {
    const managingOrganization = user && (await this.scopes.findScope(ctx, user.organizationId));
    return user && managingOrganization ? { user, managingOrganization } : null;
  }

  /** Sends a pending user a link to set a password, and voids earlier links. Publishes `user.invited`. */
  async invite(ctx: RequestContext, owner: UserWithOrganization): Promise<void> {
    await this.invitations.voidLinks(ctx, owner.user);
    await this.invitations.resendTo(ctx, owner, unneeded<'sign_in'>('link_to_owner'));
  }

  /** Marks the address as verified and, by default, as confirmed, after its owner has used a link that was sent to the address. */
  async verifyEmail(ctx: RequestContext, owner: UserWithOrganization, { confirmed = true } = {}): Promise<void> {
    const verify = () => Object.assign(owner.user, { emailVerified: true, emailConfirmed: confirmed });
    await this.changes.apply(ctx, owner, verify, unneeded<'sign_in'>('mailed_link'));
  }

  /**
   * Changes the email address of a user to a verified address. Invalidates links sent to the previous address, and notifies both addresses.
   * @throws EmailTaken, ManagedByScim (409), DomainNotAllowed (422)
   */
  async changeEmail(ctx: RequestContext, owner: UserWithOrganization, email: string): Promise<void> {
    const { user, managingOrganization } = owner;
    const from = user.email;
    await this.assertEmailAllowed(ctx, owner, email);
    const change = (): void => {
      applyFields(user, { email });
      Object.assign(user, { emailVerified: true, emailConfirmed: true });
    };
    await this.changes.apply(ctx, owner, change, unneeded<'sign_in'>('mailed_link'));
    await this.emailChanges.complete(ctx, managingOrganization, user, { from, to: email });
  }

  /**
   * @throws DomainNotAllowed (422) when the managing organization does not allow the domain of the address
   * @throws ManagedByScim (409) when a SCIM connection decides the address
   */
  async assertEmailAllowed(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    email: string,
  ): Promise<void> {
    await this.changes.assertNotProvisioned(ctx, user);
    await this.emailChanges.assertAllowed(ctx, managingOrganization, email);
  }

  /** Changes the fields in the profile. Returns whether a field changed. @throws ManagedByScim (409) */
  async changeProfile(ctx: RequestContext, owner: UserWithOrganization, profile: OwnProfile): Promise<boolean> {
    if (changesProvisioned(owner.user, profile)) await this.changes.assertNotProvisioned(ctx, owner.user);
    return this.changes.apply(ctx, owner, () => applyFields(owner.user, profile), unneeded<'sign_in'>('own_account'));
  }
}
