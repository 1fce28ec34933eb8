import { Injectable } from '@nestjs/common';
import { type RequestContext, sessionOf } from '#platform/common';
import { PasswordRefused, PasswordsService } from '#identity/credentials';
import { SsoRequirementService } from '#directory/users';
import { ReauthenticationService } from '#identity/mfa';
import { PasswordReplacementService } from '../recovery/password-replacement.service.js';
import { OwnAccountService } from './own-account.service.js';

@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly ownAccount: OwnAccountService,
    private readonly reauthentication: ReauthenticationService,
    private readonly passwords: PasswordsService,
    private readonly passwordReplacement: PasswordReplacementService,
    private readonly ssoRequirement: SsoRequirementService,
  ) {}

  /**
   * Replaces the password, ends the user's other sessions, and voids all pending links and changes of the account.
   * @throws SsoRequired, CurrentPasswordRequired, CurrentPasswordWrong (403), ReauthenticationLocked (429), PasswordRefused (422),
   * HashingOverloaded (503)
   */
  async change(ctx: RequestContext, currentPassword: string | undefined, newPassword: string): Promise<void> {
    await this.ssoRequirement.assertNotRequired(ctx, await this.ownAccount.get(ctx));
    await this.reauthentication.assertReauthenticated(ctx, currentPassword);
    const prepared = await this.passwords.prepare(ctx, await this.ownAccount.get(ctx), newPassword).catch((error: unknown) => {
      throw error instanceof PasswordRefused ? error.at('/newPassword') : error;
    });
    await this.ownAccount.change(ctx, async (ctx, owner) => {
      await this.passwordReplacement.replace(ctx, owner, prepared, { cause: 'change', exceptSessionId: sessionOf(ctx).id });
    });
  }
}
