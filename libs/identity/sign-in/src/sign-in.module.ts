import { Module } from '@nestjs/common';
import { AuthModule } from '#identity/auth';
import { CredentialsModule } from '#identity/credentials';
import { MfaModule } from '#identity/mfa';
import { OrganizationsModule } from '#directory/organizations';
import { SessionsModule } from '#directory/sessions';
import { ThreatsModule } from '#platform/threats';
import { UsersModule } from '#directory/users';
import { AccountChanges } from './account/account-changes.service.js';
import { OwnAccountController } from './account/own-account.controller.js';
import { AttemptQueue } from './attempts/attempt-queue.js';
import { SignInAttempts } from './attempts/sign-in-attempts.service.js';
import { SignInCleanup } from './attempts/sign-in-cleanup.js';
import { SignInFailureRepository } from './attempts/sign-in-failure.repository.js';
import { SignInOriginRepository } from './attempts/sign-in-origin.repository.js';
import { SignInOrigins } from './attempts/sign-in-origins.service.js';
import { EmailVerificationController } from './email/email-verification.controller.js';
import { EmailVerification } from './email/email-verification.service.js';
import { AccountMails } from './links/account-mails.service.js';
import { LookAtLinksController } from './links/look.controller.js';
import { LookAtLinks } from './links/look.service.js';
import { MailBudget } from './links/mail-budget.js';
import { MailedLinks } from './links/mailed-links.service.js';
import { LoginController } from './login/login.controller.js';
import { FailedSignIns } from './login/failed-sign-ins.service.js';
import { PasswordSignIn } from './login/password-sign-in.service.js';
import { SignInOptionsController } from './options/sign-in-options.controller.js';
import { SignInOptions } from './options/sign-in-options.service.js';
import { PasskeyController } from './passkey/passkey.controller.js';
import { PasskeySignIn } from './passkey/passkey-sign-in.service.js';
import { SecondFactorController } from './second-factor/second-factor.controller.js';
import { SecondFactorSignIn } from './second-factor/second-factor-sign-in.service.js';
import { PasswordRecovery } from './recovery/password-recovery.service.js';
import { PasswordResetsController } from './recovery/password-resets.controller.js';
import { PasswordResets } from './recovery/password-resets.service.js';
import { RecoveryController } from './recovery/recovery.controller.js';
import { SignUpController } from './sign-up/sign-up.controller.js';
import { SignUps } from './sign-up/sign-up.service.js';
import { SignIn } from './sign-in.service.js';

/** Signing in, and what people do to be able to. */
@Module({
  imports: [AuthModule, CredentialsModule, MfaModule, OrganizationsModule, SessionsModule, ThreatsModule, UsersModule],
  controllers: [
    EmailVerificationController,
    LoginController,
    LookAtLinksController,
    OwnAccountController,
    PasskeyController,
    PasswordResetsController,
    RecoveryController,
    SecondFactorController,
    SignInOptionsController,
    SignUpController,
  ],
  providers: [
    AccountChanges,
    AccountMails,
    AttemptQueue,
    EmailVerification,
    FailedSignIns,
    LookAtLinks,
    PasskeySignIn,
    MailBudget,
    MailedLinks,
    PasswordRecovery,
    PasswordResets,
    PasswordSignIn,
    SecondFactorSignIn,
    SignIn,
    SignInAttempts,
    SignInCleanup,
    SignInFailureRepository,
    SignInOptions,
    SignInOriginRepository,
    SignInOrigins,
    SignUps,
  ],
  exports: [EmailVerification, SignIn],
})
export class SignInModule {}
