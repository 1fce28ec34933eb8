import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository, isUniqueViolation } from '#platform/database';
import type { SignInAuthorization } from '#directory/privileges';
import type { UserKey } from '#directory/sessions';
import { In, Repository } from 'typeorm';
import { AccountTaken } from './account-taken.js';
import { UserIdentity } from './user-identity.entity.js';

/** An account at an identity provider, identified by issuer and subject together. */
export interface ProviderIdentity {
  readonly tenantId: string;
  readonly identityProviderId: string;
  readonly issuer: string;
  readonly subject: string;
}

@Injectable()
export class UserIdentityRepository extends BaseRepository<UserIdentity> {
  constructor(@InjectRepository(UserIdentity) identities: Repository<UserIdentity>) {
    super(identities);
  }

  async findUserId(ctx: RequestContext, identity: ProviderIdentity): Promise<string | null> {
    const { tenantId, identityProviderId, issuer, subject: externalId } = identity;
    const link = await this.rows(ctx).findOneBy({ tenantId, identityProviderId, issuer, externalId });
    return link?.userId ?? null;
  }

  /** Returns whether the user is linked to an account at the current issuer of the identity provider. */
  isLinked(ctx: RequestContext, { tenantId, id: userId }: UserKey, identityProviderId: string, issuer: string): Promise<boolean> {
    return this.rows(ctx).existsBy({ tenantId, userId, identityProviderId, issuer });
  }

  /** Returns the linked identities of the user, oldest first. */
  listOf(ctx: RequestContext, { tenantId, id: userId }: UserKey): Promise<UserIdentity[]> {
    return this.rows(ctx).find({ where: { tenantId, userId }, order: { createdAt: 'ASC', provider: 'ASC' } });
  }

  /** Returns the links to accounts with these subjects at identity providers, of all users and issuers. */
  listByAccounts(
    ctx: RequestContext,
    tenantId: string,
    identityProviderIds: readonly string[],
    subjects: readonly string[],
  ): Promise<UserIdentity[]> {
    const accounts = { identityProviderId: In([...identityProviderIds]), externalId: In([...subjects]) };
    return this.rows(ctx).findBy({ tenantId, ...accounts });
  }

  /** Returns the linked identities of users, oldest first. */
  listOfUsers(ctx: RequestContext, tenantId: string, userIds: readonly string[]): Promise<UserIdentity[]> {
    return this.rows(ctx).find({ where: { tenantId, userId: In([...userIds]) }, order: { createdAt: 'ASC', provider: 'ASC' } });
  }

  /** Inserts links with the next statement of the transaction, which fails with `AccountTaken` if an account is already linked. */
  insertAllDeferred(ctx: RequestContext, identities: readonly UserIdentity[], _signIn: SignInAuthorization): void {
    if (identities.length === 0) return;
    this.insertDeferred(ctx, identities, (error) =>
      isUniqueViolation(error, 'user_identities_pkey') ? new AccountTaken() : undefined,
    );
  }

  /** Inserts a link. Returns false if the account is already linked. */
  async insert(
    ctx: RequestContext,
    user: UserKey,
    identity: ProviderIdentity,
    { provider, at }: { readonly provider: string; readonly at: Date },
    _signIn: SignInAuthorization,
  ): Promise<boolean> {
    const { tenantId, identityProviderId, issuer, subject: externalId } = identity;
    const link = { tenantId, userId: user.id, identityProviderId, issuer, externalId, provider, createdAt: at };
    const { raw } = await this.rows(ctx).createQueryBuilder().insert().values(link).orIgnore().returning('user_id').execute();
    const isNew = (raw as unknown[]).length === 1;
    if (isNew) this.track(ctx, [this.keyOf(link)], { isNew });
    return isNew;
  }

  /** Deletes the links of the user to an identity provider. Returns whether a link existed. */
  async delete(
    ctx: RequestContext,
    { tenantId, id: userId }: UserKey,
    identityProviderId: string,
    _signIn: SignInAuthorization,
  ): Promise<boolean> {
    return (await this.deleteRows(ctx, { tenantId, userId, identityProviderId })) > 0;
  }

  /** Deletes all links of the user. Returns whether a link existed. */
  async deleteAllOf(ctx: RequestContext, { tenantId, id: userId }: UserKey, _signIn: SignInAuthorization): Promise<boolean> {
    return (await this.deleteRows(ctx, { tenantId, userId })) > 0;
  }
}
