import { Module } from '@nestjs/common';
import { CredentialsModule } from '#identity/credentials';
import { OrganizationsModule } from '#directory/organizations';
import { SessionsModule } from '#directory/sessions';
import { ThreatsModule } from '#platform/threats';
import { UsersModule } from '#directory/users';
import { FactorEnrolmentController } from './account/factor-enrolment.controller.js';
import { MfaController } from './account/mfa.controller.js';
import { OwnMfa } from './account/own-mfa.service.js';
import { PasskeysController } from './account/passkeys.controller.js';
import { UserMfaController } from './administration/user-mfa.controller.js';
import { ChallengeMeans } from './challenges/challenge-means.service.js';
import { FactorOffers } from './challenges/factor-offers.service.js';
import { MfaChallengeRepository } from './challenges/mfa-challenge.repository.js';
import { Proofs } from './challenges/proofs.service.js';
import { SecondFactors } from './challenges/second-factors.service.js';
import { CodeEnrolment } from './codes/code-enrolment.service.js';
import { CodeFactorRepository } from './codes/code-factor.repository.js';
import { CodeSender } from './codes/code-sender.service.js';
import { SentCodeCounts } from './codes/sent-code-count.repository.js';
import { EnrolmentRepository } from './enrolment/enrolment.repository.js';
import { PendingEnrolments } from './enrolment/pending-enrolments.service.js';
import { ExpiredMfaRepository } from './expired-mfa.repository.js';
import { EnrolledFactors } from './factors/enrolled-factors.service.js';
import { FactorAddition } from './factors/factor-addition.service.js';
import { FactorNotices } from './factors/factor-notices.service.js';
import { FactorRemoval } from './factors/factor-removal.service.js';
import { FactorRules } from './factors/factor-rules.service.js';
import { FactorStore } from './factors/factor-store.service.js';
import { MfaCleanup } from './mfa-cleanup.js';
import { PasskeyEnrolment } from './passkeys/passkey-enrolment.service.js';
import { PasskeyProofs } from './passkeys/passkey-proofs.service.js';
import { PasskeySignInRepository } from './passkeys/passkey-sign-in.repository.js';
import { PasskeyRepository } from './passkeys/passkey.repository.js';
import { Passkeys } from './passkeys/passkeys.service.js';
import { WebAuthn } from './passkeys/web-authn.js';
import { ReauthenticationController } from './reauthentication/reauthentication.controller.js';
import { Reauthentication } from './reauthentication/reauthentication.service.js';
import { ReauthenticationTries } from './reauthentication/reauthentication-try.repository.js';
import { RecoveryCodeRenewal } from './recovery-codes/recovery-code-renewal.service.js';
import { RecoveryCodeRepository } from './recovery-codes/recovery-code.repository.js';
import { RecoveryCodes } from './recovery-codes/recovery-codes.service.js';
import { TotpEnrolment } from './totp/totp-enrolment.service.js';
import { TotpFactorRepository } from './totp/totp-factor.repository.js';

/** Second factors: what users add, how it is proven at sign-in, and passkeys in place of passwords. */
@Module({
  imports: [CredentialsModule, OrganizationsModule, SessionsModule, ThreatsModule, UsersModule],
  controllers: [FactorEnrolmentController, PasskeysController, MfaController, ReauthenticationController, UserMfaController],
  providers: [
    ChallengeMeans,
    CodeEnrolment,
    CodeFactorRepository,
    CodeSender,
    EnrolledFactors,
    EnrolmentRepository,
    ExpiredMfaRepository,
    FactorAddition,
    FactorNotices,
    FactorOffers,
    FactorRemoval,
    FactorRules,
    FactorStore,
    MfaChallengeRepository,
    MfaCleanup,
    OwnMfa,
    PasskeyEnrolment,
    PasskeyProofs,
    PasskeyRepository,
    Passkeys,
    PasskeySignInRepository,
    PendingEnrolments,
    Proofs,
    Reauthentication,
    ReauthenticationTries,
    RecoveryCodeRenewal,
    RecoveryCodeRepository,
    RecoveryCodes,
    SecondFactors,
    SentCodeCounts,
    TotpEnrolment,
    TotpFactorRepository,
    WebAuthn,
  ],
  exports: [Passkeys, Reauthentication, SecondFactors],
})
export class MfaModule {}
