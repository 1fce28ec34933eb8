import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '#identity/auth';
import { CredentialsModule } from '#identity/credentials';
import { MfaModule } from '#identity/mfa';
import { OrganizationsModule } from '#directory/organizations';
import { SessionsModule } from '#directory/sessions';
import { ThreatsModule } from '#platform/threats';
import { UsersModule } from '#directory/users';
import { AccountChangesService } from './account/account-changes.service.js';
import { OwnAccountController } from './account/own-account.controller.js';
import { AttemptQueue } from './attempts/attempt-queue.js';
import { ExpiredSignInQuery } from './attempts/expired-sign-in.query.js';
import { SignInAttemptsService } from './attempts/sign-in-attempts.service.js';
import { SignInCleanup } from './attempts/sign-in-cleanup.js';
import { SignInFailureQuery } from './attempts/sign-in-failure.query.js';
import { SignInOrigin } from './attempts/sign-in-origin.entity.js';
import { SignInOriginRepository } from './attempts/sign-in-origin.repository.js';
import { SignInOriginsService } from './attempts/sign-in-origins.service.js';
import { EmailVerificationController } from './email/email-verification.controller.js';
import { EmailVerificationService } from './email/email-verification.service.js';
import { AccountMailsService } from './links/account-mails.service.js';
import { LookAtLinksController } from './links/look.controller.js';
import { LookAtLinksService } from './links/look.service.js';
import { MailBudget } from './links/mail-budget.js';
import { MailedLinksService } from './links/mailed-links.service.js';
import { LoginController } from './login/login.controller.js';
import { FailedSignInsService } from './login/failed-sign-ins.service.js';
import { PasswordSignInService } from './login/password-sign-in.service.js';
import { SignInOptionsController } from './options/sign-in-options.controller.js';
import { SignInOptionsService } from './options/sign-in-options.service.js';
import { PasskeyController } from './passkey/passkey.controller.js';
import { PasskeySignInService } from './passkey/passkey-sign-in.service.js';
import { ChallengedSignInsService } from './second-factor/challenged-sign-ins.service.js';
import { SecondFactorController } from './second-factor/second-factor.controller.js';
import { SecondFactorSignInService } from './second-factor/second-factor-sign-in.service.js';
import { PasswordRecoveryService } from './recovery/password-recovery.service.js';
import { PasswordResetsController } from './recovery/password-resets.controller.js';
import { PasswordResetsService } from './recovery/password-resets.service.js';
import { RecoveryController } from './recovery/recovery.controller.js';
import { SignUpController } from './sign-up/sign-up.controller.js';
import { SignUpsService } from './sign-up/sign-up.service.js';
import { SignInService } from './sign-in.service.js';

/** Signing in, and what people do to be able to. */
@Module({
  imports: [
    AuthModule,
    CredentialsModule,
    MfaModule,
    OrganizationsModule,
    SessionsModule,
    ThreatsModule,
    TypeOrmModule.forFeature([SignInOrigin]),
    UsersModule,
  ],
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
    AccountChangesService,
    AccountMailsService,
    AttemptQueue,
    ChallengedSignInsService,
    EmailVerificationService,
    ExpiredSignInQuery,
    FailedSignInsService,
    LookAtLinksService,
    PasskeySignInService,
    MailBudget,
    MailedLinksService,
    PasswordRecoveryService,
    PasswordResetsService,
    PasswordSignInService,
    SecondFactorSignInService,
    SignInService,
    SignInAttemptsService,
    SignInCleanup,
    SignInFailureQuery,
    SignInOptionsService,
    SignInOriginRepository,
    SignInOriginsService,
    SignUpsService,
  ],
  exports: [EmailVerificationService, SignInService],
})
export class SignInModule {}
