import { Injectable } from '@nestjs/common';
import { emailKey, type OrganizationScope, type RequestContext } from '#platform/common';
import { pipeline } from '#platform/database';
import { EffectiveSettingsService, type OrganizationSettings } from '#directory/organizations';
import {
  HigherPrivileges,
  HigherPrivilegesDeleted,
  PrivilegesService,
  type SignInAuthorization,
  unneeded,
} from '#directory/privileges';
import { type DeletedUser, DeletedUsersQuery } from './deleted-users.query.js';
import type { User } from './user.entity.js';
import { assertDomainAllowed, type ChangedIdentity, changedIdentifiers, changesIdentity } from './user-values.js';

/** Protects the identifiers of deleted users with more permissions than the caller, so that these users can be restored. */
@Injectable()
export class UserIdentifiersService {
  constructor(
    private readonly deletedUsers: DeletedUsersQuery,
    private readonly privileges: PrivilegesService,
    private readonly settings: EffectiveSettingsService,
  ) {}

  /**
   * Authorizes the identifiers of a new user, with one round trip. Returns the settings of the organization, too.
   * @throws DomainNotAllowed (422), HigherPrivilegesDeleted (403), ReauthenticationRequired (401)
   */
  async authorizeNew(
    ctx: RequestContext,
    organization: OrganizationScope,
    user: ChangedIdentity & { readonly email: string },
    isRegistration: boolean,
  ): Promise<{ settings: OrganizationSettings; signIn: SignInAuthorization }> {
    const authorize = () =>
      isRegistration ? Promise.resolve(unneeded<'sign_in'>('registration')) : this.authorize(ctx, organization.tenantId, user);
    const getSettings = () => this.settings.get(ctx, organization);
    const [{ values: settings }, signIn] = ctx.transaction
      ? await pipeline(ctx, [getSettings, authorize])
      : await Promise.all([getSettings(), authorize()]);
    assertDomainAllowed(user.email, settings);
    return { settings, signIn };
  }

  /** Authorizes that a user of a tenant gets identifiers. @throws HigherPrivilegesDeleted (403) */
  authorize(ctx: RequestContext, tenantId: string, identifiers: ChangedIdentity): Promise<SignInAuthorization> {
    return this.privileges.authorizeIdentifiers(ctx, tenantId, async () =>
      (await this.list(ctx, tenantId, [identifiers])).map(({ id }) => id),
    );
  }

  /**
   * Returns a function that authorizes a change of an existing or new user, or throws because of its identifiers. `userIds` are
   * the existing users. Reads the data of many changes at once.
   * @throws HigherPrivileges, HigherPrivilegesDeleted (403)
   */
  async authorizerFor(
    ctx: RequestContext,
    tenantId: string,
    all: readonly ChangedIdentity[],
    userIds: readonly string[],
  ): Promise<(user: User | undefined, identifiers: ChangedIdentity) => SignInAuthorization> {
    const deleted = await this.list(ctx, tenantId, all);
    const ids = [...userIds, ...deleted.map(({ id }) => id)];
    const { higherIds, authorization } = await this.privileges.authorizeSignInChanges(ctx, tenantId, ids);
    const reserved = deleted.filter(({ id }) => higherIds.has(id));
    return (user, request) => {
      if (user && !changesIdentity(user, request)) return unneeded<'sign_in'>('identity_unchanged');
      if (user && higherIds.has(user.id)) throw new HigherPrivileges();
      const { email, externalId } = changedIdentifiers(user, request);
      const isReserved = (user: DeletedUser): boolean =>
        (email !== undefined && user.emailKey === emailKey(email)) ||
        (user.externalId !== null && user.externalId === externalId);
      if (reserved.some(isReserved)) throw new HigherPrivilegesDeleted();
      return authorization;
    };
  }

  private list(ctx: RequestContext, tenantId: string, all: readonly ChangedIdentity[]): Promise<DeletedUser[]> {
    const emailKeys = all.flatMap(({ email }) => (email === undefined ? [] : [emailKey(email)]));
    const externalIds = all.flatMap(({ externalId }) => externalId ?? []);
    return this.deletedUsers.list(ctx, tenantId, emailKeys, externalIds);
  }
}
