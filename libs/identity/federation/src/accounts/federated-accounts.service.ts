import { Injectable } from '@nestjs/common';
import { covers, emailKey, type RequestContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { UserGrantsQuery } from '#directory/memberships';
import { EffectiveSettingsService, type SignInProvider } from '#directory/organizations';
import { unneeded } from '#directory/privileges';
import {
  AccountTaken,
  EmailTaken,
  FederatedUsersService,
  SignInUsersService,
  UnconfirmedAccessService,
  type User,
  UserActivationService,
  type UserWithOrganization,
} from '#directory/users';
import { AccountNotLinked, VerifiedEmailMissing } from '../federation-errors.js';
import { type AuthenticatedPerson, identityOf, trustedEmailOf } from './authenticated-person.js';

/** Finds, links or registers the user of an authenticated person. Its only caller, `OidcSignInService`, would have 11 dependencies with it. */
@Injectable()
export class FederatedAccountsService {
  constructor(
    private readonly federatedUsers: FederatedUsersService,
    private readonly signInUsers: SignInUsersService,
    private readonly userActivation: UserActivationService,
    private readonly userGrants: UserGrantsQuery,
    private readonly unconfirmedAccess: UnconfirmedAccessService,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly transactions: TransactionRunner,
  ) {}

  /**
   * Finds the user by issuer and subject. Without a match, links the user with the verified email address if the provider is trusted for
   * the domain. Otherwise, registers a user. The returned user can have any status.
   * @throws AccountNotLinked, VerifiedEmailMissing (403), DomainNotAllowed (422)
   */
  async resolve(ctx: RequestContext, person: AuthenticatedPerson): Promise<UserWithOrganization> {
    const linked = await this.federatedUsers.find(ctx, identityOf(person));
    if (linked) return this.assertBelongs(ctx, person, linked);
    const email = trustedEmailOf(person);
    const existing = email === null ? null : await this.signInUsers.find(ctx, person.organization, email);
    if (!existing) return this.register(ctx, person);
    return existing.user.status === 'suspended' ? existing : this.link(ctx, person, existing);
  }

  /**
   * Asserts at each sign-in that the user can use the provider. The user's grants and the positions of the organizations may have changed
   * since the link. A provider can't sign in users who are managed above its organization.
   * @throws AccountNotLinked (403)
   */
  private async assertBelongs(
    ctx: RequestContext,
    { organization, provider }: AuthenticatedPerson,
    linked: UserWithOrganization,
  ): Promise<UserWithOrganization> {
    const { user } = linked;
    if (user.status === 'deleted') return linked;
    if (!covers(provider.organizationId, linked.managingOrganization)) throw new AccountNotLinked();
    const signInUser = await this.signInUsers.find(ctx, organization, user.email);
    if (signInUser?.user.id !== user.id || !(await this.hasGrantsOnlyWithin(ctx, user, provider))) throw new AccountNotLinked();
    return linked;
  }

  private async register(ctx: RequestContext, person: AuthenticatedPerson): Promise<UserWithOrganization> {
    const { organization, provider, claims } = person;
    const { email, emailVerified, firstName, lastName, displayName, picture, locale } = claims;
    const { values } = await this.effectiveSettings.get(ctx, organization);
    const isTrusted = trustedEmailOf(person) !== null;
    if (email === null && provider.type === 'github') throw new VerifiedEmailMissing();
    if (email === null || !emailVerified || !(isTrusted || values.allowPublicSignup)) throw new AccountNotLinked();
    const profile = { email, emailVerified: isTrusted, firstName, lastName, displayName, picture, locale };
    try {
      return await this.transactions.run({ ...ctx, actor: { type: 'user', email } }, (ctx) =>
        this.federatedUsers.register(ctx, organization, profile, identityOf(person), provider.name),
      );
    } catch (error) {
      if (!(error instanceof EmailTaken || error instanceof AccountTaken)) throw error;
      // A concurrent request has registered the person, or the address belongs to a user who can't be linked.
      const linked = await this.federatedUsers.find(ctx, identityOf(person));
      if (!linked) throw new AccountNotLinked();
      return this.assertBelongs(ctx, person, linked);
    }
  }

  /**
   * Links the person to the user. If the address was not confirmed, another person may have set access to the account, which ends.
   * @throws AccountNotLinked (403)
   */
  private async link(
    ctx: RequestContext,
    person: AuthenticatedPerson,
    { user }: UserWithOrganization,
  ): Promise<UserWithOrganization> {
    return this.transactions.run({ ...ctx, actor: { type: 'user', id: user.id, email: user.email } }, async (ctx) => {
      const owner = await this.userActivation.lock(ctx, user);
      if (!owner || !(await this.canLink(ctx, person, owner))) throw new AccountNotLinked();
      await this.unconfirmedAccess.strip(ctx, owner, 'account_linked');
      if (owner.user.status === 'pending') await this.federatedUsers.activate(ctx, owner);
      const signIn = unneeded<'sign_in'>('trusted_provider');
      await this.federatedUsers.link(ctx, owner, identityOf(person), person.provider.name, signIn);
      return owner;
    });
  }

  /**
   * Returns whether all grants of the user are in the provider's organization or its descendants. The administrator of a provider must not
   * get permissions in other organizations.
   */
  private async hasGrantsOnlyWithin(ctx: RequestContext, user: User, { organizationId }: SignInProvider): Promise<boolean> {
    const grants = await this.userGrants.listByUser(ctx, user);
    return grants.every((grant) => covers(organizationId, { id: grant.organizationId, ancestorIds: grant.ancestorIds }));
  }

  /** Returns whether the person can be linked to the user. The user is locked, so that the result stays valid. */
  private async canLink(ctx: RequestContext, person: AuthenticatedPerson, owner: UserWithOrganization): Promise<boolean> {
    const { user, managingOrganization } = owner;
    const { provider, claims } = person;
    if (claims.email === null || emailKey(user.email) !== emailKey(claims.email)) return false;
    if (!covers(provider.organizationId, managingOrganization)) return false;
    // A provider can assign an address to another person, who must not get the account.
    if (await this.federatedUsers.isLinked(ctx, owner, identityOf(person)))
      return (await this.federatedUsers.find(ctx, identityOf(person)))?.user.id === user.id;
    return this.hasGrantsOnlyWithin(ctx, user, provider);
  }
}
