import { Injectable } from '@nestjs/common';
import { covers, emailKey, type RequestContext } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { UserGrantsQuery } from '#directory/memberships';
import type { SignInProvider } from '#directory/organizations';
import { unneeded } from '#directory/privileges';
import {
  FederatedUsersService,
  UnconfirmedAccessService,
  type User,
  UserActivationService,
  type UserWithOrganization,
} from '#directory/users';
import { AccountNotLinked } from '../federation-errors.js';
import { type AuthenticatedPerson, identityOf } from './authenticated-person.js';

@Injectable()
export class AccountLinkingService {
  constructor(
    private readonly federatedUsers: FederatedUsersService,
    private readonly userActivation: UserActivationService,
    private readonly userGrants: UserGrantsQuery,
    private readonly unconfirmedAccess: UnconfirmedAccessService,
    private readonly transactions: TransactionRunner,
  ) {}

  /**
   * Links the person to the user. If the address was not confirmed, another person may have set access to the account, which ends.
   * @throws AccountNotLinked (403)
   */
  async link(ctx: RequestContext, person: AuthenticatedPerson, { user }: UserWithOrganization): Promise<UserWithOrganization> {
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
  async hasGrantsOnlyWithin(ctx: RequestContext, user: User, { organizationId }: SignInProvider): Promise<boolean> {
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
