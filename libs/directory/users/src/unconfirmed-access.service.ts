import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { unneeded } from '#directory/privileges';
import { OneTimeTokenService, SessionService } from '#directory/sessions';
import { AccountAccess } from './account-access.js';
import { FederatedUsersService } from './federation/federated-users.service.js';
import type { UserWithOrganization } from './user-activation.service.js';
import { UserChangesService } from './user-changes.service.js';

/** Why somebody takes over an account, as reported in the events. */
export type TakeoverReason = 'account_adopted' | 'account_invited' | 'account_linked';

/**
 * Removes access to accounts whose email address is not confirmed (`User.emailConfirmed`). Another person can have set the access: with a
 * sign-up, an import with a password, or before an administrator changed the address.
 */
@Injectable()
export class UnconfirmedAccessService {
  constructor(
    private readonly access: AccountAccess,
    private readonly federatedUsers: FederatedUsersService,
    private readonly tokens: OneTimeTokenService,
    private readonly sessions: SessionService,
    private readonly changes: UserChangesService,
  ) {}

  /**
   * Removes the password, factors, recovery codes, linked identities, sessions, API keys, OAuth clients, setup links and pending links of a locked user,
   * unless the address is confirmed. Then marks the address as verified and confirmed. The caller must know that whoever takes over the
   * account controls the address, and must activate a pending user, which also confirms the address.
   */
  async strip(ctx: RequestContext, owner: UserWithOrganization, reason: TakeoverReason): Promise<void> {
    const { user, managingOrganization } = owner;
    if (user.emailConfirmed) return;
    const signIn = unneeded<'sign_in'>('unconfirmed_access');
    await this.access.removeAll(ctx, owner, { reason, signIn });
    await this.federatedUsers.unlinkAll(ctx, owner, signIn);
    await this.tokens.voidAll(ctx, user);
    await this.sessions.revokeAll(ctx, user, reason, managingOrganization, signIn);
    const confirm = () => {
      user.lastPasswordChangeAt = null;
      if (user.status !== 'pending') Object.assign(user, { emailVerified: true, emailConfirmed: true });
    };
    await this.changes.apply(ctx, owner, confirm, signIn);
  }
}
