import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '#identity/auth';
import { CredentialsModule } from '#identity/credentials';
import { MfaModule } from '#identity/mfa';
import { DomainsModule } from '#directory/domains';
import { OrganizationsModule } from '#directory/organizations';
import { SessionsModule } from '#directory/sessions';
import { ThreatsModule } from '#platform/threats';
import { UsersModule } from '#directory/users';
import { OwnAccountController } from './account/own-account.controller.js';
import { OwnAccountService } from './account/own-account.service.js';
import { AccountAccessMailsService } from './accounts/account-access-mails.service.js';
import { SignInAccountQuery } from './accounts/sign-in-account.query.js';
import { AttemptQueueService } from './attempts/attempt-queue.service.js';
import { ExpiredSignInQuery } from './attempts/expired-sign-in.query.js';
import { SignInAttemptsService } from './attempts/sign-in-attempts.service.js';
import { SignInCleanupService } from './attempts/sign-in-cleanup.service.js';
import { SignInFailureQuery } from './attempts/sign-in-failure.query.js';
import { SignInOrigin } from './attempts/sign-in-origin.entity.js';
import { SignInOriginRepository } from './attempts/sign-in-origin.repository.js';
import { EmailVerificationController } from './email/email-verification.controller.js';
import { EmailVerificationService } from './email/email-verification.service.js';
import { AccountMailsService } from './links/account-mails.service.js';
import { LinkPreviewController } from './links/link-preview.controller.js';
import { LinkPreviewService } from './links/link-preview.service.js';
import { MailedLinksService } from './links/mailed-links.service.js';
import { LoginController } from './login/login.controller.js';
import { PasswordSignInService } from './login/password-sign-in.service.js';
import { SignInOptionsController } from './options/sign-in-options.controller.js';
import { SignInOptionsService } from './options/sign-in-options.service.js';
import { PasskeyController } from './passkey/passkey.controller.js';
import { PasskeySignInService } from './passkey/passkey-sign-in.service.js';
import { SecondFactorController } from './second-factor/second-factor.controller.js';
import { SecondFactorSignInService } from './second-factor/second-factor-sign-in.service.js';
import { PasswordReplacementService } from './recovery/password-replacement.service.js';
import { PasswordResetRequestService } from './recovery/password-reset-request.service.js';
import { PasswordResetController } from './recovery/password-reset.controller.js';
import { PasswordResetService } from './recovery/password-reset.service.js';
import { UserPasswordResetController } from './recovery/user-password-reset.controller.js';
import { SignUpController } from './sign-up/sign-up.controller.js';
import { SignUpService } from './sign-up/sign-up.service.js';
import { AccountOrganizationsQuery } from './sign-in-links/account-organizations.query.js';
import { SignInLinksController } from './sign-in-links/sign-in-links.controller.js';
import { SignInLinksService } from './sign-in-links/sign-in-links.service.js';
import { SignInService } from './sign-in.service.js';
import { SignInPersonalDataQuery } from './attempts/sign-in-personal-data.query.js';

/** Sign-in, sign-up, password reset and email verification. */
@Module({
  imports: [
    AuthModule,
    CredentialsModule,
    MfaModule,
    DomainsModule,
    OrganizationsModule,
    SessionsModule,
    ThreatsModule,
    TypeOrmModule.forFeature([SignInOrigin]),
    UsersModule,
  ],
  controllers: [
    EmailVerificationController,
    LoginController,
    LinkPreviewController,
    OwnAccountController,
    PasskeyController,
    UserPasswordResetController,
    PasswordResetController,
    SecondFactorController,
    SignInLinksController,
    SignInOptionsController,
    SignUpController,
  ],
  providers: [
    SignInPersonalDataQuery,
    AccountAccessMailsService,
    AccountMailsService,
    AccountOrganizationsQuery,
    AttemptQueueService,
    EmailVerificationService,
    ExpiredSignInQuery,
    LinkPreviewService,
    MailedLinksService,
    OwnAccountService,
    PasskeySignInService,
    PasswordReplacementService,
    PasswordResetRequestService,
    PasswordResetService,
    PasswordSignInService,
    SecondFactorSignInService,
    SignInAccountQuery,
    SignInAttemptsService,
    SignInCleanupService,
    SignInFailureQuery,
    SignInLinksService,
    SignInOptionsService,
    SignInOriginRepository,
    SignInService,
    SignUpService,
  ],
  exports: [EmailVerificationService, SignInService],
})
export class SignInModule {}
