import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { PasswordsService, type PreparedPassword } from '#identity/credentials';
import { unneeded } from '#directory/privileges';
import { OneTimeTokenService, SessionService } from '#directory/sessions';
import type { UserWithOrganization } from '#directory/users';
import { AccountMailsService } from '../links/account-mails.service.js';

const REVOCATION_REASONS = { change: 'password_changed', reset: 'password_reset' } as const;
const AUTHORIZATIONS = { change: unneeded<'sign_in'>('own_account'), reset: unneeded<'sign_in'>('mailed_link') };

/** Replaces the password of a locked user, in the caller's transaction. */
@Injectable()
export class PasswordReplacementService {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly sessions: SessionService,
    private readonly accountMails: AccountMailsService,
  ) {}

  /** Stores the password, voids all pending links and changes of the account, ends the sessions and notifies the user. */
  async replace(
    ctx: RequestContext,
    owner: UserWithOrganization,
    password: PreparedPassword,
    { cause, exceptSessionId }: { readonly cause: 'change' | 'reset'; readonly exceptSessionId?: string },
  ): Promise<void> {
    const { user, managingOrganization } = owner;
    await this.passwords.store(ctx, owner, password, cause, AUTHORIZATIONS[cause]);
    await this.oneTimeTokens.voidAll(ctx, user);
    const except = exceptSessionId === undefined ? {} : { exceptId: exceptSessionId };
    await this.sessions.revokeAll(ctx, user, REVOCATION_REASONS[cause], managingOrganization, AUTHORIZATIONS[cause], except);
    await this.accountMails.sendPasswordChanged(ctx, managingOrganization, user);
  }
}
