import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CredentialsModule } from '#identity/credentials';
import { OrganizationsModule } from '#directory/organizations';
import { SessionsModule } from '#directory/sessions';
import { ThreatsModule } from '#platform/threats';
import { UsersModule } from '#directory/users';
import { FactorEnrolmentController } from './account/factor-enrolment.controller.js';
import { MfaController } from './account/mfa.controller.js';
import { OwnMfaService } from './account/own-mfa.service.js';
import { PasskeysController } from './account/passkeys.controller.js';
import { MfaResetService } from './administration/mfa-reset.service.js';
import { UserMfaController } from './administration/user-mfa.controller.js';
import { ChallengeAttemptQuery } from './challenges/challenge-attempt.query.js';
import { ChallengeProofsService } from './challenges/challenge-proofs.service.js';
import { LiveChallengesService } from './challenges/live-challenges.service.js';
import { MfaChallenge } from './challenges/mfa-challenge.entity.js';
import { MfaChallengeRepository } from './challenges/mfa-challenge.repository.js';
import { MfaChallengesService } from './challenges/mfa-challenges.service.js';
import { CodeFactor } from './codes/code-factor.entity.js';
import { CodeFactorRepository } from './codes/code-factor.repository.js';
import { CodeFactorsService } from './codes/code-factors.service.js';
import { SentCodeCountQuery } from './codes/sent-code-count.query.js';
import { EnrolmentAttemptQuery } from './enrolment/enrolment-attempt.query.js';
import { MfaEnrolment } from './enrolment/mfa-enrolment.entity.js';
import { MfaEnrolmentRepository } from './enrolment/mfa-enrolment.repository.js';
import { EnrolmentsService } from './enrolment/enrolments.service.js';
import { FactorEnrolmentService } from './enrolment/factor-enrolment.service.js';
import { ExpiredMfaQuery } from './expired-mfa.query.js';
import { EnrolledFactorsService } from './factors/enrolled-factors.service.js';
import { EnrolledMethodsQuery } from './factors/enrolled-methods.query.js';
import { FactorChangesService } from './factors/factor-changes.service.js';
import { FactorNoticesService } from './factors/factor-notices.service.js';
import { ImportedFactorsService } from './imports/imported-factors.service.js';
import { MfaCleanupService } from './mfa-cleanup.service.js';
import { PasskeySignIn } from './passkeys/passkey-sign-in.entity.js';
import { PasskeySignInRepository } from './passkeys/passkey-sign-in.repository.js';
import { Passkey } from './passkeys/passkey.entity.js';
import { PasskeyRepository } from './passkeys/passkey.repository.js';
import { PasskeysService } from './passkeys/passkeys.service.js';
import { WebAuthnService } from './passkeys/web-authn.service.js';
import { ReauthenticationController } from './reauthentication/reauthentication.controller.js';
import { ReauthenticationService } from './reauthentication/reauthentication.service.js';
import { ReauthenticationAttemptQuery } from './reauthentication/reauthentication-attempt.query.js';
import { RecoveryCodeSet } from './recovery-codes/recovery-code-set.entity.js';
import { RecoveryCodeSetRepository } from './recovery-codes/recovery-code-set.repository.js';
import { RecoveryCodeUseQuery } from './recovery-codes/recovery-code-use.query.js';
import { RecoveryCodesService } from './recovery-codes/recovery-codes.service.js';
import { TotpFactor } from './totp/totp-factor.entity.js';
import { TotpFactorRepository } from './totp/totp-factor.repository.js';
import { FactorPersonalDataQuery } from './factors/factor-personal-data.query.js';

/** Second factors, challenges, and sign-in with passkeys. */
@Module({
  imports: [
    CredentialsModule,
    OrganizationsModule,
    SessionsModule,
    ThreatsModule,
    TypeOrmModule.forFeature([CodeFactor, MfaChallenge, MfaEnrolment, Passkey, PasskeySignIn, RecoveryCodeSet, TotpFactor]),
    UsersModule,
  ],
  controllers: [FactorEnrolmentController, PasskeysController, MfaController, ReauthenticationController, UserMfaController],
  providers: [
    FactorPersonalDataQuery,
    ChallengeAttemptQuery,
    ChallengeProofsService,
    CodeFactorRepository,
    CodeFactorsService,
    EnrolledFactorsService,
    EnrolledMethodsQuery,
    EnrolmentAttemptQuery,
    EnrolmentsService,
    ExpiredMfaQuery,
    FactorChangesService,
    FactorEnrolmentService,
    FactorNoticesService,
    ImportedFactorsService,
    LiveChallengesService,
    MfaChallengeRepository,
    MfaChallengesService,
    MfaCleanupService,
    MfaEnrolmentRepository,
    MfaResetService,
    OwnMfaService,
    PasskeyRepository,
    PasskeySignInRepository,
    PasskeysService,
    ReauthenticationAttemptQuery,
    ReauthenticationService,
    RecoveryCodeSetRepository,
    RecoveryCodesService,
    RecoveryCodeUseQuery,
    SentCodeCountQuery,
    TotpFactorRepository,
    WebAuthnService,
  ],
  exports: [ChallengeProofsService, LiveChallengesService, MfaChallengesService, PasskeysService, ReauthenticationService],
})
export class MfaModule {}
