import { Injectable } from '@nestjs/common';
import { covers, emailKey, type OrganizationScope, type RequestContext } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { TransactionRunner } from '#platform/database';
import { UserGrantsQuery } from '#directory/memberships';
import { EffectiveSettingsService, type SignInProvider } from '#directory/organizations';
import {
  AccountTaken,
  EmailTaken,
  FederatedUsersService,
  type ProviderIdentity,
  SignInUsersService,
  type User,
  UserActivationService,
  type UserAtHome,
} from '#directory/users';
import { AccountNotLinked } from '../federation-errors.js';
import type { IdentityClaims } from '../provider/identity-claims.js';

/** Somebody whom a provider has authenticated. */
export interface AuthenticatedPerson {
  readonly provider: SignInProvider;
  /** Where the person signs in. */
  readonly organization: OrganizationScope;
  readonly claims: IdentityClaims;
}

/** Finds whose account it is that a provider vouches for; links it, or makes one, where the organization allows it. */
@Injectable()
export class FederatedAccountsService {
  constructor(
    private readonly users: FederatedUsersService,
    private readonly signInUsers: SignInUsersService,
    private readonly activation: UserActivationService,
    private readonly grants: UserGrantsQuery,
    private readonly passwords: PasswordsService,
    private readonly settings: EffectiveSettingsService,
    private readonly transactions: TransactionRunner,
  ) {}

  /**
   * By issuer and subject, whatever the e-mail address has become; else by a verified address at a domain for which the provider is trusted;
   * else as a new user. The user may be of any status.
   * @throws AccountNotLinked (403), DomainNotAllowed (422)
   */
  async resolve(ctx: RequestContext, person: AuthenticatedPerson): Promise<UserAtHome> {
    const linked = await this.users.find(ctx, identityOf(person));
    if (linked) return this.belonging(ctx, person, linked);
    const namesake = isVouchedFor(person) && (await this.signInUsers.find(ctx, person.organization, person.claims.email!));
    if (!namesake) return this.register(ctx, person);
    return namesake.user.status === 'suspended' ? namesake : this.link(ctx, person, namesake);
  }

  /** A user may sign in where it belongs, as long as nothing was granted to it beyond the provider's organization, also after it was linked. */
  private async belonging(
    ctx: RequestContext,
    { organization, provider }: AuthenticatedPerson,
    linked: UserAtHome,
  ): Promise<UserAtHome> {
    if (linked.user.status === 'deleted') return linked;
    const there = await this.signInUsers.find(ctx, organization, linked.user.email);
    if (there?.user.id !== linked.user.id || !(await this.hasGrantsOnlyBelow(ctx, linked.user, provider)))
      throw new AccountNotLinked();
    return linked;
  }

  private async link(ctx: RequestContext, person: AuthenticatedPerson, { user }: UserAtHome): Promise<UserAtHome> {
    const identity = identityOf(person);
    return this.transactions.run({ ...ctx, actor: { type: 'user', id: user.id, email: user.email } }, async (ctx) => {
      const owner = await this.activation.lock(ctx, user);
      if (!owner || !(await this.mayLink(ctx, person, owner))) throw new AccountNotLinked();
      if (owner.user.status === 'pending') await this.activate(ctx, owner);
      await this.users.link(ctx, owner, identity, person.provider.name);
      return owner;
    });
  }

  /** A stranger may have signed up with somebody else's address: the password and the identities of an account that nobody confirmed go. */
  private async activate(ctx: RequestContext, owner: UserAtHome): Promise<void> {
    await this.passwords.delete(ctx, owner.user);
    await this.users.unlinkAll(ctx, owner);
    await this.users.activate(ctx, owner);
  }

  /** Judged with the user locked, since all of it may have changed. */
  private async mayLink(ctx: RequestContext, person: AuthenticatedPerson, owner: UserAtHome): Promise<boolean> {
    const { user, home } = owner;
    if (emailKey(user.email) !== emailKey(person.claims.email!) || !covers(person.provider.organizationId, home)) return false;
    // An address that passed to somebody else at the provider must not bring the account with it.
    if (await this.users.isLinked(ctx, owner, identityOf(person)))
      return (await this.users.find(ctx, identityOf(person)))?.user.id === user.id;
    if (!isOwnersOwn(owner)) return false;
    return this.hasGrantsOnlyBelow(ctx, user, person.provider);
  }

  /** Who configures the provider of an organization must not get what was granted to the user above it or elsewhere. */
  private async hasGrantsOnlyBelow(
    ctx: RequestContext,
    user: User,
    { organizationId }: AuthenticatedPerson['provider'],
  ): Promise<boolean> {
    const grants = await this.grants.of(ctx, user);
    return grants.every((grant) => covers(organizationId, { id: grant.organizationId, ancestorIds: grant.ancestorIds }));
  }

  private async register(ctx: RequestContext, person: AuthenticatedPerson): Promise<UserAtHome> {
    const { organization, provider, claims } = person;
    const { email, emailVerified, firstName, lastName, displayName, picture, locale } = claims;
    const { values } = await this.settings.of(ctx, organization);
    const isTrusted = isVouchedFor(person);
    if (email === null || !emailVerified || !(isTrusted || values.allowPublicSignup)) throw new AccountNotLinked();
    const profile = { email, emailVerified: isTrusted, firstName, lastName, displayName, picture, locale };
    try {
      return await this.transactions.run({ ...ctx, actor: { type: 'user', email } }, (ctx) =>
        this.users.register(ctx, organization, profile, identityOf(person), provider.name),
      );
    } catch (error) {
      if (!(error instanceof EmailTaken || error instanceof AccountTaken)) throw error;
      // The same person in another window was a moment faster; or the address belongs to somebody who can't be linked.
      const linked = await this.users.find(ctx, identityOf(person));
      if (!linked) throw new AccountNotLinked();
      return this.belonging(ctx, person, linked);
    }
  }
}

const identityOf = ({ provider, claims }: AuthenticatedPerson): ProviderIdentity => ({
  tenantId: provider.tenantId,
  identityProviderId: provider.id,
  issuer: provider.issuer,
  subject: claims.subject,
});

/** Whether the person's address is one that the provider's word is taken for. */
function isVouchedFor({ provider, claims: { email, emailVerified } }: AuthenticatedPerson): boolean {
  if (email === null || !emailVerified) return false;
  return provider.trustedDomains.includes(emailKey(email).slice(email.lastIndexOf('@') + 1));
}

/**
 * Whether nobody but the owner of the address can have means to sign in: it was proven, or nobody has ever used the account. Else a stranger
 * might have made it beforehand, to have it linked to somebody else's. (What a pending user has is taken away.)
 */
const isOwnersOwn = ({ user: { status, emailVerified, lastLoginAt, lastPasswordChangeAt } }: UserAtHome): boolean =>
  emailVerified || status === 'pending' || (lastLoginAt === null && lastPasswordChangeAt === null);
