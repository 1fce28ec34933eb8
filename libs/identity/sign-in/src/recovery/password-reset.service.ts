import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { PasswordsService } from '#identity/credentials';
import { SsoRequirementService } from '#directory/users';
import { UnconfirmedAccountsService } from '../accounts/unconfirmed-accounts.service.js';
import { SignInAttemptsService } from '../attempts/sign-in-attempts.service.js';
import { MailedLinksService } from '../links/mailed-links.service.js';
import { PasswordReplacementService } from './password-replacement.service.js';
import { isResetUsable } from './password-reset-link.js';

/** Sets new passwords with links that work once, within an hour. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly mailedLinks: MailedLinksService,
    private readonly passwords: PasswordsService,
    private readonly passwordReplacement: PasswordReplacementService,
    private readonly unconfirmedAccounts: UnconfirmedAccountsService,
    private readonly signInAttempts: SignInAttemptsService,
    private readonly ssoRequirement: SsoRequirementService,
  ) {}

  /**
   * Sets the password, ends all sessions, and voids all pending links and changes of the account. Verifies the email address; if it was
   * unconfirmed, removes linked identities. Opens no session and keeps second factors.
   * @throws LinkInvalid (400), SsoRequired (403), PasswordRefused (422), HashingOverloaded (503)
   */
  async reset(ctx: RequestContext, { token: secret, password }: { token: string; password: string }): Promise<void> {
    return this.mailedLinks.reportReuse(ctx, secret, 'password_reset', async () => {
      const link = await this.mailedLinks.get(ctx, secret, 'password_reset', isResetUsable);
      await this.ssoRequirement.assertNotRequired(ctx, link.owner);
      const prepared = await this.passwords.prepare(ctx, link.owner, password);
      return this.mailedLinks.use(ctx, link, secret, isResetUsable, async (ctx, { owner }) => {
        if (!owner.user.emailConfirmed) await this.unconfirmedAccounts.confirm(ctx, owner);
        await this.passwordReplacement.replace(ctx, owner, prepared, { cause: 'reset' });
        // The caller can read the account's emails, so earlier failures no longer lock the account for this IP address.
        await this.signInAttempts.reset(ctx, owner.user);
        this.signInAttempts.trustAddress(ctx, owner.user);
      });
    });
  }
}
