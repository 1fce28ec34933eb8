import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import type { UserKey } from '#directory/sessions';
import { type SignInAuthorization, unneeded } from '#directory/privileges';
import { InvitationsService } from '../invitations.service.js';
import { UserActivationService, type UserWithOrganization } from '../user-activation.service.js';
import type { CreateUserRequest } from '../user.requests.js';
import { userData } from '../user-data.js';
import { UserRepository } from '../user.repository.js';
import { UsersService } from '../users.service.js';
import { AccountTaken } from './account-taken.js';
import type { UserIdentity } from './user-identity.entity.js';
import { type ProviderIdentity, UserIdentityRepository } from './user-identity.repository.js';

export interface FederatedProfile extends Pick<
  CreateUserRequest,
  'email' | 'firstName' | 'lastName' | 'displayName' | 'picture' | 'locale'
> {
  /** Whether an identity provider that is trusted for the domain has verified the email address. */
  readonly emailVerified: boolean;
}

/** Links users to accounts at identity providers. The caller must check whether the link is allowed. */
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

  /** Returns the user who is linked to an account, regardless of the user's status. */
  async find(ctx: RequestContext, identity: ProviderIdentity): Promise<UserWithOrganization | null> {
    const id = await this.identities.findUserId(ctx, identity);
    return id === null ? null : this.activation.find(ctx, { tenantId: identity.tenantId, id });
  }

  async isLinked(
    ctx: RequestContext,
    { user }: UserWithOrganization,
    { identityProviderId, issuer }: ProviderIdentity,
  ): Promise<boolean> {
    return this.identities.isLinked(ctx, user, identityProviderId, issuer);
  }

  /** Links a user whom the caller has locked. Returns whether the link is new. `provider` is the name of the identity provider. */
  async link(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    identity: ProviderIdentity,
    provider: string,
    signIn: SignInAuthorization,
  ): Promise<boolean> {
    const from = await this.linksOf(ctx, user);
    const at = this.work.now();
    if (!(await this.identities.insert(ctx, user, identity, { provider, at }, signIn))) return false;
    user.updatedAt = at;
    await this.users.saveProfile(ctx, user);
    const changes = { identityProviders: { from, to: await this.linksOf(ctx, user) } };
    await this.work.publish(ctx, 'user.updated', managingOrganization, { ...userData(user), changes }, { userId: user.id });
    return true;
  }

  /**
   * Unlinks a user from all identity providers. Required when an unverified email address becomes verified, because another person could
   * have created the links. The caller must have locked the user.
   */
  async unlinkAll(ctx: RequestContext, owner: UserWithOrganization, signIn: SignInAuthorization): Promise<void> {
    await this.unlinkBy(ctx, owner, () => this.identities.deleteAllOf(ctx, owner.user, signIn));
  }

  /** Unlinks a user from an identity provider. Returns false if the user is not linked. The caller must have locked the user. */
  async unlink(
    ctx: RequestContext,
    owner: UserWithOrganization,
    identityProviderId: string,
    signIn: SignInAuthorization,
  ): Promise<boolean> {
    return this.unlinkBy(ctx, owner, () => this.identities.delete(ctx, owner.user, identityProviderId, signIn));
  }

  async list(ctx: RequestContext, user: UserKey): Promise<UserIdentity[]> {
    return this.identities.listOf(ctx, user);
  }

  private async linksOf(ctx: RequestContext, user: UserKey): Promise<{ provider: string; externalId: string }[]> {
    const identities = await this.identities.listOf(ctx, user);
    return identities.map(({ provider, externalId }) => ({ provider, externalId }));
  }

  private async unlinkBy(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    remove: () => Promise<boolean>,
  ): Promise<boolean> {
    const from = await this.linksOf(ctx, user);
    if (!(await remove())) return false;
    user.updatedAt = this.work.now();
    await this.users.saveProfile(ctx, user);
    const changes = { identityProviders: { from, to: await this.linksOf(ctx, user) } };
    await this.work.publish(ctx, 'user.updated', managingOrganization, { ...userData(user), changes }, { userId: user.id });
    return true;
  }

  /**
   * Activates a pending user after the identity provider has verified the email address. Invalidates all emailed links. The caller must
   * have locked the user.
   */
  async activate(ctx: RequestContext, owner: UserWithOrganization): Promise<void> {
    await this.invitations.voidLinks(ctx, owner.user);
    await this.activation.activate(ctx, owner);
  }

  /**
   * Creates a linked user with the default role of the organization, in the caller's transaction. The user is active if the identity
   * provider has verified the email address, otherwise pending.
   * @throws EmailTaken (409), DomainNotAllowed (422), AccountTaken
   */
  async register(
    ctx: RequestContext,
    organization: OrganizationScope,
    { emailVerified, ...profile }: FederatedProfile,
    identity: ProviderIdentity,
    provider: string,
  ): Promise<UserWithOrganization> {
    const verified = { status: emailVerified ? 'active' : 'pending', emailVerified, emailConfirmed: emailVerified } as const;
    const gain = unneeded<'gain'>('registration');
    const user = await this.creation.create({ ...ctx, organization }, profile, verified, gain);
    const signIn = unneeded<'sign_in'>('registration');
    if (!(await this.identities.insert(ctx, user, identity, { provider, at: this.work.now() }, signIn))) throw new AccountTaken();
    return { user, managingOrganization: organization };
  }
}
