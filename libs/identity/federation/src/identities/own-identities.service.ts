import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext, ResourceNotFound, sessionOf } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { TransactionRunner } from '#platform/database';
import { ReauthenticationService } from '#identity/mfa';
import { unneeded } from '#directory/privileges';
import { SessionService } from '#directory/sessions';
import { FederatedUsersService, UserActivationService, type UserWithOrganization, type UserIdentity } from '#directory/users';
import { SignInMethodNeeded } from '../federation-errors.js';

@Injectable()
export class OwnIdentitiesService {
  constructor(
    private readonly federatedUsers: FederatedUsersService,
    private readonly userActivation: UserActivationService,
    private readonly passwords: PasswordsService,
    private readonly reauthentication: ReauthenticationService,
    private readonly sessions: SessionService,
    private readonly transactions: TransactionRunner,
  ) {}

  async list(ctx: RequestContext): Promise<UserIdentity[]> {
    return this.federatedUsers.list(ctx, ownUserOf(ctx));
  }

  /**
   * Unlinks an identity and ends the user's other sessions.
   * @throws ReauthenticationRequired (401), CurrentPasswordWrong (403), ResourceNotFound (404), SignInMethodNeeded (409), ReauthenticationLocked (429),
   * HashingOverloaded (503)
   */
  async unlink(ctx: RequestContext, identityProviderId: string, currentPassword: string | undefined): Promise<void> {
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

  /** @throws SignInMethodNeeded (409) when the user has no other way to sign in */
  private async assertCanSignIn(ctx: RequestContext, { user }: UserWithOrganization): Promise<void> {
    if (user.mfaMethods.includes('passkey') || (await this.passwords.isSet(ctx, user))) return;
    if ((await this.federatedUsers.list(ctx, user)).length === 0) throw new SignInMethodNeeded();
  }
}
