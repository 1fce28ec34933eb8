import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { InvitationAcceptanceService, type LinkPreview, type PasswordLinkPreview } from '#identity/credentials';
import { OneTimeTokenService } from '#directory/sessions';
import { EmailVerificationService } from '../email/email-verification.service.js';
import { PasswordRulesResponse, SignInPlaceResponse } from '../options/sign-in-place.responses.js';
import { PasswordResetService } from '../recovery/password-reset.service.js';
import { LinkInvalid } from './link-errors.js';
import type { MailedLinkResponse } from './link-preview.requests.js';

/** Returns the purpose of emailed links. Does not use up the links, because mail scanners also open links. */
@Injectable()
export class LinkPreviewService {
  constructor(
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly invitationAcceptance: InvitationAcceptanceService,
    private readonly passwordReset: PasswordResetService,
    private readonly emailVerification: EmailVerificationService,
  ) {}

  /** @throws InvitationInvalid, LinkInvalid (400) */
  async preview(ctx: RequestContext, token: string): Promise<MailedLinkResponse> {
    const purpose = await this.oneTimeTokens.findPurpose(ctx, token);
    switch (purpose) {
      case null:
        throw new LinkInvalid('unknown');
      case 'invitation':
        return { purpose, activatesAccount: true, ...passwordLinkFields(await this.invitationAcceptance.preview(ctx, token)) };
      case 'password_reset':
        return { purpose, activatesAccount: false, ...passwordLinkFields(await this.passwordReset.preview(ctx, token)) };
      case 'email_verification':
      case 'email_change':
      case 'email_change_cancel': {
        // The preview omits the user's name, because the address may belong to another person.
        const preview = await this.emailVerification.preview(ctx, token);
        return { purpose, activatesAccount: preview.kind === 'sign_up', ...linkFields(preview) };
      }
    }
  }
}

const linkFields = ({ email, organization, branding, expiresAt }: LinkPreview) => ({
  organization: SignInPlaceResponse.from(organization, branding),
  email,
  expiresAt: expiresAt.toISOString(),
});

const passwordLinkFields = (preview: PasswordLinkPreview) => ({
  ...linkFields(preview),
  ...(preview.firstName === null ? {} : { firstName: preview.firstName }),
  ...(preview.lastName === null ? {} : { lastName: preview.lastName }),
  passwordPolicy: PasswordRulesResponse.from(preview.passwordPolicy),
});
