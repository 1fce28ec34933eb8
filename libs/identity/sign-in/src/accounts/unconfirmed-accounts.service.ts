import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { FederatedUsersService, type UserAtHome, UserSelfService } from '#directory/users';

/**
 * Accounts whose email address nobody has confirmed. Somebody else may have created such an account with an own password or linked identity,
 * so the owner of the address gets it without them.
 */
@Injectable()
export class UnconfirmedAccountsService {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly federatedUsers: FederatedUsersService,
    private readonly userSelf: UserSelfService,
  ) {}

  /** Marks the address as verified, after its owner has used a link that was sent there. */
  async confirm(ctx: RequestContext, owner: UserAtHome): Promise<void> {
    await this.federatedUsers.unlinkAll(ctx, owner);
    await this.userSelf.verifyEmail(ctx, owner);
  }

  /** Sends a new invitation. Links that were sent before stop working. */
  async invite(ctx: RequestContext, owner: UserAtHome): Promise<void> {
    await this.passwords.delete(ctx, owner.user);
    await this.federatedUsers.unlinkAll(ctx, owner);
    await this.userSelf.invite(ctx, owner);
  }
}
