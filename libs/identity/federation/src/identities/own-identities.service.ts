import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext, ResourceNotFound, sessionOf } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { TransactionRunner } from '#platform/database';
import { ReauthenticationService } from '#identity/mfa';
import { OneTimeTokenService, SessionService } from '#directory/sessions';
import { FederatedUsersService, type UserIdentity, UserAccess, UserActivationService, type UserAtHome } from '#directory/users';
import { SignInMethodNeeded } from '../federation-errors.js';

const REASON = 'identity_unlinked';

/** The accounts at identity providers that users sign in with, for users themselves and their administrators. */
@Injectable()
export class IdentitiesService {
  constructor(
    private readonly federated: FederatedUsersService,
    private readonly users: UserActivationService,
    private readonly access: UserAccess,
    private readonly passwords: PasswordsService,
    private readonly reauthentication: ReauthenticationService,
    private readonly sessions: SessionService,
    private readonly tokens: OneTimeTokenService,
    private readonly transactions: TransactionRunner,
  ) {}

  async listOwn(ctx: RequestContext): Promise<UserIdentity[]> {
    return this.federated.list(ctx, ownUserOf(ctx));
  }

  /** @throws ResourceNotFound (404), ManagedElsewhere (403) */
  async list(ctx: RequestContext, userId: string): Promise<UserIdentity[]> {
    return this.federated.list(ctx, (await this.access.findManaged(ctx, userId)).user);
  }

  /**
   * Unlinks the signed-in user from a provider and ends the user's other sessions.
   * @throws ReauthenticationRequired (401), CurrentPasswordWrong (403), ResourceNotFound (404), SignInMethodNeeded (409), ReauthenticationLocked (429),
   * HashingOverloaded (503)
   */
  async unlinkOwn(ctx: RequestContext, identityProviderId: string, currentPassword: string | undefined): Promise<void> {
    await this.reauthentication.assertConfirmed(ctx, currentPassword);
    const key = ownUserOf(ctx);
    await this.transactions.run(ctx, async (ctx) => {
      const owner = await this.users.lock(ctx, key);
      if (!owner || !(await this.federated.unlink(ctx, owner, identityProviderId))) throw notFound(identityProviderId);
      await this.demandOtherMethod(ctx, owner);
      await this.sessions.revokeAll(ctx, key, REASON, owner.home, { exceptId: sessionOf(ctx).id });
    });
  }

  /**
   * Unlinks a user from a provider, ends all sessions and voids every pending link and change of the account.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges, OwnSignIn (403)
   */
  async unlink(ctx: RequestContext, userId: string, identityProviderId: string): Promise<void> {
    await this.transactions.run(ctx, async (ctx) => {
      const owner = await this.access.lockForChange(ctx, userId);
      await this.access.assertCanChangeSignIn(ctx, owner.user);
      if (!(await this.federated.unlink(ctx, owner, identityProviderId))) throw notFound(identityProviderId);
      await this.tokens.voidAll(ctx, owner.user);
      await this.sessions.revokeAll(ctx, owner.user, REASON, owner.home);
    });
  }

  /** @throws SignInMethodNeeded (409) when the user would have no way to sign in */
  private async demandOtherMethod(ctx: RequestContext, { user }: UserAtHome): Promise<void> {
    if (user.mfaMethods.includes('passkey') || (await this.passwords.isSet(ctx, user))) return;
    if ((await this.federated.list(ctx, user)).length === 0) throw new SignInMethodNeeded();
  }
}

const notFound = (identityProviderId: string): ResourceNotFound => new ResourceNotFound('identity_provider', identityProviderId);
