import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext, ResourceNotFound, sessionOf } from '#platform/common';
import { TransactionRunner } from '#platform/database';
import { PasswordsService } from '#identity/credentials';
import { ReauthenticationService } from '#identity/mfa';
import { unneeded } from '#directory/privileges';
import { OneTimeTokenService, SessionService } from '#directory/sessions';
import {
  FederatedUsersService,
  UserAccessService,
  UserActivationService,
  type UserIdentity,
  type UserWithOrganization,
} from '#directory/users';
import { SignInMethodNeeded } from '../federation-errors.js';

/** Lists and unlinks the identities of users, for the users themselves and for administrators. */
@Injectable()
export class LinkedIdentitiesService {
  constructor(
    private readonly federatedUsers: FederatedUsersService,
    private readonly userActivation: UserActivationService,
    private readonly userAccess: UserAccessService,
    private readonly passwords: PasswordsService,
    private readonly reauthentication: ReauthenticationService,
    private readonly sessions: SessionService,
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly transactions: TransactionRunner,
  ) {}

  async listOwn(ctx: RequestContext): Promise<UserIdentity[]> {
    return this.federatedUsers.list(ctx, ownUserOf(ctx));
  }

  /**
   * Unlinks an identity and ends the user's other sessions.
   * @throws ReauthenticationRequired (401), CurrentPasswordWrong (403), ResourceNotFound (404), SignInMethodNeeded (409), ReauthenticationLocked (429),
   * HashingOverloaded (503)
   */
  async unlinkOwn(ctx: RequestContext, identityProviderId: string, currentPassword: string | undefined): Promise<void> {
    await this.reauthentication.assertConfirmed(ctx, currentPassword);
    const key = ownUserOf(ctx);
    const signIn = unneeded<'sign_in'>('own_account');
    await this.transactions.run(ctx, async (ctx) => {
      const owner = await this.userActivation.lock(ctx, key);
      if (!owner || !(await this.federatedUsers.unlink(ctx, owner, identityProviderId, signIn)))
        throw new ResourceNotFound('identity_provider', identityProviderId);
      await this.assertCanSignIn(ctx, owner);
      const { id: exceptId } = sessionOf(ctx);
      await this.sessions.revokeAll(ctx, key, 'identity_unlinked', owner.managingOrganization, signIn, { exceptId });
    });
  }

  /** @throws ResourceNotFound (404), ManagedElsewhere (403) */
  async list(ctx: RequestContext, userId: string): Promise<UserIdentity[]> {
    return this.federatedUsers.list(ctx, (await this.userAccess.findManaged(ctx, userId)).user);
  }

  /**
   * Unlinks an identity of another user, ends all sessions, and voids all pending links and changes of the account.
   * @throws ResourceNotFound (404), ManagedElsewhere, HigherPrivileges, OwnSignIn (403)
   */
  async unlink(ctx: RequestContext, userId: string, identityProviderId: string): Promise<void> {
    await this.transactions.run(ctx, async (ctx) => {
      const owner = await this.userAccess.lockForChange(ctx, userId);
      const signIn = await this.userAccess.assertCanChangeSignIn(ctx, owner.user);
      if (!(await this.federatedUsers.unlink(ctx, owner, identityProviderId, signIn)))
        throw new ResourceNotFound('identity_provider', identityProviderId);
      await this.oneTimeTokens.voidAll(ctx, owner.user);
      await this.sessions.revokeAll(ctx, owner.user, 'identity_unlinked', owner.managingOrganization, signIn);
    });
  }

  /** @throws SignInMethodNeeded (409) when the user has no other way to sign in */
  private async assertCanSignIn(ctx: RequestContext, { user }: UserWithOrganization): Promise<void> {
    if (user.mfaMethods.includes('passkey') || (await this.passwords.isSet(ctx, user))) return;
    if ((await this.federatedUsers.list(ctx, user)).length === 0) throw new SignInMethodNeeded();
  }
}
