import { Injectable } from '@nestjs/common';
import { emailKey, type OrganizationScope, type RequestContext } from '#platform/common';
import { EffectiveSettingsService, OrganizationScopeQuery } from '#directory/organizations';
import { EmailChangeMail } from './email-change-mail.js';
import { InvitationsService } from './invitations.service.js';
import type { UserAtHome } from './user-activation.service.js';
import { UserChangesService } from './user-changes.service.js';
import { applyFields, assertDomainAllowed, newUser } from './user-values.js';
import type { UpdateUserRequest } from './user.requests.js';
import type { User } from './user.entity.js';
import { UserRepository } from './user.repository.js';
import { UsersService } from './users.service.js';

/** Who signs up. */
export interface Registration {
  readonly email: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly locale?: string | undefined;
}

/** What people may change about themselves without more ado. */
export type OwnProfile = Pick<UpdateUserRequest, 'firstName' | 'lastName' | 'displayName' | 'picture' | 'locale' | 'phoneNumber'>;

/** What people do to their own accounts. Who they are, and that they may, was proven before; all in the caller's transaction. */
@Injectable()
export class UserSelfService {
  constructor(
    private readonly users: UserRepository,
    private readonly creation: UsersService,
    private readonly changes: UserChangesService,
    private readonly scopes: OrganizationScopeQuery,
    private readonly settings: EffectiveSettingsService,
    private readonly invitations: InvitationsService,
    private readonly emailChange: EmailChangeMail,
  ) {}

  /** The user as it would be, to judge a password by; nothing is written. @throws DomainNotAllowed (422) */
  async draft(ctx: RequestContext, organization: OrganizationScope, registration: Registration, now: Date): Promise<UserAtHome> {
    assertDomainAllowed(registration.email, (await this.settings.get(ctx, organization)).values);
    return { user: newUser(organization, registration, now), home: organization };
  }

  /** Creates a pending user with the organization's default role. @throws EmailTaken (409), DomainNotAllowed (422) */
  async register(ctx: RequestContext, organization: OrganizationScope, registration: Registration): Promise<UserAtHome> {
    const user = await this.creation.create({ ...ctx, organization }, registration);
    return { user, home: organization };
  }

  /** Whoever has this address in a tree, held until the transaction ends; not deleted ones. */
  async lockByEmail(ctx: RequestContext, tenantId: string, email: string): Promise<UserAtHome | null> {
    const user = await this.users.lockByEmailInTenant(ctx, tenantId, emailKey(email));
    const home = user && (await this.scopes.findScope(ctx, user.organizationId));
    return user && home ? { user, home } : null;
  }

  /** The user of a tree with this address; not deleted ones. */
  async findByEmail(ctx: RequestContext, tenantId: string, email: string): Promise<User | null> {
    return this.users.findByEmailInTenant(ctx, tenantId, emailKey(email));
  }

  /** Sends a pending user the link to set a password; older links of whatever kind die. */
  async invite(ctx: RequestContext, { user, home }: UserAtHome): Promise<void> {
    await this.invitations.withdraw(ctx, user);
    await this.invitations.send(ctx, home, user);
  }

  /** Notes that the address was proven to be the user's. */
  async verifyEmail(ctx: RequestContext, owner: UserAtHome): Promise<void> {
    await this.changes.apply(ctx, owner, () => {
      owner.user.emailVerified = true;
    });
  }

  /**
   * Moves a user to an address that was proven. Links that were sent to the old one die; both addresses are told.
   * @throws EmailTaken (409), DomainNotAllowed (422)
   */
  async changeEmail(ctx: RequestContext, owner: UserAtHome, email: string): Promise<void> {
    const { user, home } = owner;
    const from = user.email;
    await this.demandDomain(ctx, owner, email);
    await this.invitations.withdraw(ctx, user);
    await this.changes.apply(ctx, owner, () => {
      applyFields(user, { email });
      user.emailVerified = true;
    });
    await this.emailChange.send(ctx, home, user, from, email);
  }

  /** @throws DomainNotAllowed (422) when the organization that manages the user does not take this address */
  async demandDomain(ctx: RequestContext, { home }: UserAtHome, email: string): Promise<void> {
    assertDomainAllowed(email, (await this.settings.get(ctx, home)).values);
  }

  /** Changes the fields sent; gives whether anything changed. */
  async changeProfile(ctx: RequestContext, owner: UserAtHome, profile: OwnProfile): Promise<boolean> {
    return this.changes.apply(ctx, owner, () => applyFields(owner.user, profile));
  }
}
