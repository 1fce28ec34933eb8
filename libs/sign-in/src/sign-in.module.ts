import { Module } from '@nestjs/common';
import { CredentialsModule } from '#credentials';
import { MfaModule } from '#mfa';
import { OrganizationsModule } from '#organizations';
import { SessionsModule } from '#sessions';
import { ThreatsModule } from '#threats';
import { UsersModule } from '#users';
import { AttemptQueue } from './attempts/attempt-queue.js';
import { SignInAttempts } from './attempts/sign-in-attempts.service.js';
import { SignInCleanup } from './attempts/sign-in-cleanup.js';
import { SignInFailureRepository } from './attempts/sign-in-failure.repository.js';
import { SignInOriginRepository } from './attempts/sign-in-origin.repository.js';
import { SignInOrigins } from './attempts/sign-in-origins.service.js';
import { LoginController } from './login/login.controller.js';
import { FailedSignIns } from './login/failed-sign-ins.service.js';
import { PasswordSignIn } from './login/password-sign-in.service.js';
import { PasskeyController } from './passkey/passkey.controller.js';
import { PasskeySignIn } from './passkey/passkey-sign-in.service.js';
import { SecondFactorController } from './second-factor/second-factor.controller.js';
import { SecondFactorSignIn } from './second-factor/second-factor-sign-in.service.js';
import { SignIn } from './sign-in.service.js';

/** Signing in, and what people do to be able to. */
@Module({
  imports: [CredentialsModule, MfaModule, OrganizationsModule, SessionsModule, ThreatsModule, UsersModule],
  controllers: [LoginController, PasskeyController, SecondFactorController],
  providers: [
    AttemptQueue,
    FailedSignIns,
    PasskeySignIn,
    PasswordSignIn,
    SecondFactorSignIn,
    SignIn,
    SignInAttempts,
    SignInCleanup,
    SignInFailureRepository,
    SignInOriginRepository,
    SignInOrigins,
  ],
  exports: [SignIn],
})
export class SignInModule {}
