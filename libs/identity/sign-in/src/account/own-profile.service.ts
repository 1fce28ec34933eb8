import { Injectable } from '@nestjs/common';
import { type RequestContext, sessionOf } from '#platform/common';
import { ReauthenticationService } from '#identity/mfa';
import { unneeded } from '#directory/privileges';
import { SessionService } from '#directory/sessions';
import { type OwnProfile, type User, UserSelfService } from '#directory/users';
import { OwnAccountService } from './own-account.service.js';

@Injectable()
export class OwnProfileService {
  constructor(
    private readonly ownAccount: OwnAccountService,
    private readonly userSelf: UserSelfService,
    private readonly reauthentication: ReauthenticationService,
    private readonly sessions: SessionService,
  ) {}

  /**
   * Updates the given fields. A new phone number requires the current password and ends the user's other sessions.
   * @throws the errors of `PasswordChangeService.change` for the current password
   */
  async update(ctx: RequestContext, currentPassword: string | undefined, profile: OwnProfile): Promise<User> {
    const { user } = await this.ownAccount.get(ctx);
    const changesPhone = profile.phoneNumber !== undefined && profile.phoneNumber !== user.phoneNumber;
    if (changesPhone) await this.reauthentication.assertReauthenticated(ctx, currentPassword);
    return this.ownAccount.change(ctx, async (ctx, owner) => {
      await this.userSelf.changeProfile(ctx, owner, profile);
      if (changesPhone) {
        const { id: exceptId } = sessionOf(ctx);
        const loss = unneeded<'loss'>('own_account');
        await this.sessions.revokeAll(ctx, owner.user, 'phone_changed', owner.managingOrganization, loss, { exceptId });
      }
      return owner.user;
    });
  }
}
