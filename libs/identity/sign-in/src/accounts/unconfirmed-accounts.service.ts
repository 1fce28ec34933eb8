import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { FederatedUsersService, type UserWithOrganization, UserSelfService } from '#directory/users';

/**
 * Confirms accounts with an unverified email address, or invites their owners again. Another person may have created such an account, so
 * the password and linked identities are removed.
 */
@Injectable()
export class UnconfirmedAccountsService {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly federatedUsers: FederatedUsersService,
    private readonly userSelf: UserSelfService,
  ) {}

  /** Removes linked identities and marks the address as verified, after the owner has used a link that was sent to the address. */
  async confirm(ctx: RequestContext, owner: UserWithOrganization): Promise<void> {
    await this.federatedUsers.unlinkAll(ctx, owner);
    await this.userSelf.verifyEmail(ctx, owner);
  }

  /** Removes the password and linked identities, and sends a new invitation. Earlier links stop working. */
  async invite(ctx: RequestContext, owner: UserWithOrganization): Promise<void> {
    await this.passwords.delete(ctx, owner.user);
    await this.federatedUsers.unlinkAll(ctx, owner);
    await this.userSelf.invite(ctx, owner);
  }
}
