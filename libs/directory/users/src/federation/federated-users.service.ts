import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import type { UserKey } from '#directory/sessions';
import { InvitationsService } from '../invitations.service.js';
import { UserActivationService, type UserAtHome } from '../user-activation.service.js';
import type { CreateUserRequest } from '../user.requests.js';
import { userData } from '../user-data.js';
import { UserRepository } from '../user.repository.js';
import { UsersService } from '../users.service.js';
import type { UserIdentity } from './user-identity.entity.js';
import { type ProviderIdentity, UserIdentityRepository } from './user-identity.repository.js';

/** What a provider tells of a person. */
export interface FederatedProfile extends Pick<
  CreateUserRequest,
  'email' | 'firstName' | 'lastName' | 'displayName' | 'picture' | 'locale'
> {
  /** The address is known to be the person's. */
  readonly emailVerified: boolean;
}

/** The account at the provider became somebody else's at the same moment. */
export class AccountTaken extends Error {}

/** Users and the accounts at identity providers that they sign in with. Whether a link may be made was decided before. */
@Injectable()
export class FederatedUsersService {
  constructor(
    private readonly users: UserRepository,
    private readonly identities: UserIdentityRepository,
    private readonly activation: UserActivationService,
    private readonly creation: UsersService,
    private readonly invitations: InvitationsService,
    private readonly work: UnitOfWork,
  ) {}

  /** The user that an account is linked to, whatever the status. */
  async find(ctx: RequestContext, identity: ProviderIdentity): Promise<UserAtHome | null> {
    const id = await this.identities.findUserId(ctx, identity);
    return id === null ? null : this.activation.find(ctx, { tenantId: identity.tenantId, id });
  }

  /** Whether the user signs in with some account at the provider already. */
  async isLinked(ctx: RequestContext, { user }: UserAtHome, { identityProviderId, issuer }: ProviderIdentity): Promise<boolean> {
    return this.identities.isLinked(ctx, user, identityProviderId, issuer);
  }

  /** Links a user, locked by the caller. Gives whether the link is new; `provider` is the name that it is shown under. */
  async link(ctx: RequestContext, { user, home }: UserAtHome, identity: ProviderIdentity, provider: string): Promise<boolean> {
    const from = await this.linksOf(ctx, user);
    if (!(await this.identities.insert(ctx, user, identity, provider, this.work.now()))) return false;
    user.updatedAt = this.work.now();
    await this.users.save(ctx, user);
    const changes = { identityProviders: { from, to: await this.linksOf(ctx, user) } };
    await this.work.publish(ctx, 'user.updated', home, { ...userData(user), changes }, { userId: user.id });
    return true;
  }

  /**
   * Unlinks a user, locked by the caller, from all identity providers: for an account whose address is proven only now, since whoever linked
   * it before may have been somebody else.
   */
  async unlinkAll(ctx: RequestContext, owner: UserAtHome): Promise<void> {
    await this.unlinkBy(ctx, owner, () => this.identities.deleteAllOf(ctx, owner.user));
  }

  /** Unlinks a user, locked by the caller, from a provider; returns false if they are not linked. */
  async unlink(ctx: RequestContext, owner: UserAtHome, identityProviderId: string): Promise<boolean> {
    return this.unlinkBy(ctx, owner, () => this.identities.delete(ctx, owner.user, identityProviderId));
  }

  async list(ctx: RequestContext, user: UserKey): Promise<UserIdentity[]> {
    return this.identities.listOf(ctx, user);
  }

  /** Returns the linked identities as users show them. */
  private async linksOf(ctx: RequestContext, user: UserKey): Promise<{ provider: string; externalId: string }[]> {
    const identities = await this.identities.listOf(ctx, user);
    return identities.map(({ provider, externalId }) => ({ provider, externalId }));
  }

  private async unlinkBy(ctx: RequestContext, { user, home }: UserAtHome, remove: () => Promise<boolean>): Promise<boolean> {
    const from = await this.linksOf(ctx, user);
    if (!(await remove())) return false;
    user.updatedAt = this.work.now();
    await this.users.save(ctx, user);
    const changes = { identityProviders: { from, to: await this.linksOf(ctx, user) } };
    await this.work.publish(ctx, 'user.updated', home, { ...userData(user), changes }, { userId: user.id });
    return true;
  }

  /** Makes a pending user, locked by the caller, active: the provider has proven the address. Links that were mailed die. */
  async activate(ctx: RequestContext, owner: UserAtHome): Promise<void> {
    await this.invitations.withdraw(ctx, owner.user);
    await this.activation.activate(ctx, owner);
  }

  /**
   * Creates a user with the organization's default role, linked from the start, in the caller's transaction: active if the address is known
   * to be the person's, else pending until it is proven.
   * @throws EmailTaken (409), DomainNotAllowed (422), AccountTaken
   */
  async register(
    ctx: RequestContext,
    organization: OrganizationScope,
    { emailVerified, ...profile }: FederatedProfile,
    identity: ProviderIdentity,
    provider: string,
  ): Promise<UserAtHome> {
    const user = await this.creation.create({ ...ctx, organization }, profile, {
      status: emailVerified ? 'active' : 'pending',
      emailVerified,
    });
    if (!(await this.identities.insert(ctx, user, identity, provider, this.work.now()))) throw new AccountTaken();
    return { user, home: organization };
  }
}
