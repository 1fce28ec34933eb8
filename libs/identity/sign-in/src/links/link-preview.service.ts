import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { InvitationPreviewService, type LinkPreview, type PasswordLinkPreview } from '#identity/credentials';
import { OneTimeTokenService } from '#directory/sessions';
import { EmailVerificationService } from '../email/email-verification.service.js';
import { PasswordRulesResponse, SignInPlaceResponse } from '../options/sign-in-place.responses.js';
import { PasswordRecoveryService } from '../recovery/password-recovery.service.js';
import { LinkInvalid } from './link-errors.js';
import type { MailedLinkResponse } from './look.requests.js';

/** Tells what a mailed link is for, to whoever has it. Nothing is used up, since mail scanners open links, too. */
@Injectable()
export class LookAtLinksService {
  constructor(
    private readonly tokens: OneTimeTokenService,
    private readonly invitations: InvitationPreviewService,
    private readonly recovery: PasswordRecoveryService,
    private readonly verification: EmailVerificationService,
  ) {}

  /** @throws InvitationInvalid, LinkInvalid (400) with advice */
  async look(ctx: RequestContext, token: string): Promise<MailedLinkResponse> {
    const purpose = await this.tokens.findPurpose(ctx, token);
    switch (purpose) {
      case null:
        throw new LinkInvalid('unknown');
      case 'invitation':
        return { purpose, activatesAccount: true, ...shownToOwner(await this.invitations.preview(ctx, token)) };
      case 'password_reset':
        return { purpose, activatesAccount: false, ...shownToOwner(await this.recovery.look(ctx, token)) };
      case 'email_verification':
      case 'email_change':
      case 'email_change_cancel': {
        // No names: the address may be a stranger's, by mistake or on purpose.
        const offer = await this.verification.look(ctx, token);
        return { purpose, activatesAccount: offer.kind === 'sign_up', ...shown(offer) };
      }
    }
  }
}

const shown = ({ email, organization, branding, expiresAt }: LinkPreview) => ({
  organization: SignInPlaceResponse.from(organization, branding),
  email,
  expiresAt: expiresAt.toISOString(),
});

const shownToOwner = (offer: PasswordLinkPreview) => ({
  ...shown(offer),
  ...(offer.firstName === null ? {} : { firstName: offer.firstName }),
  ...(offer.lastName === null ? {} : { lastName: offer.lastName }),
  passwordPolicy: PasswordRulesResponse.from(offer.passwordPolicy),
});
