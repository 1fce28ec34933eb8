import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { unneeded } from '#directory/privileges';
import { FederatedUsersService, UnconfirmedAccessService, type UserWithOrganization, UserSelfService } from '#directory/users';

/**
 * Confirms accounts with an unconfirmed email address, or invites their owners again. Another person may have created such an account.
 */
@Injectable()
export class UnconfirmedAccountsService {
  constructor(
    private readonly unconfirmedAccess: UnconfirmedAccessService,
    private readonly federatedUsers: FederatedUsersService,
    private readonly userSelf: UserSelfService,
  ) {}

  /**
   * Removes linked identities and marks the address as verified, after the owner has used a link that was sent to the address. The link does
   * not replace a second factor, so factors stay. The address of a user with factors stays unconfirmed, because another person may have
   * added the factors.
   */
  async confirm(ctx: RequestContext, owner: UserWithOrganization): Promise<void> {
    await this.federatedUsers.unlinkAll(ctx, owner, unneeded<'sign_in'>('mailed_link'));
    await this.userSelf.verifyEmail(ctx, owner, { confirmed: !owner.user.mfaEnabled });
  }

  /** Removes all access to the account, and sends a new invitation. Earlier links stop working. */
  async invite(ctx: RequestContext, owner: UserWithOrganization): Promise<void> {
    await this.unconfirmedAccess.strip(ctx, owner, 'account_invited');
    await this.userSelf.invite(ctx, owner);
  }
}
