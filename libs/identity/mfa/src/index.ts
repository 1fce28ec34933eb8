export { NEEDS_PASSWORD, PASSWORD_WRONG, TOO_MANY_HASHES, TOO_MANY_PASSWORDS } from './account/answers.js';
export { ConfirmedRequest } from './account/mfa.requests.js';
export type { SentCode } from './challenges/challenge-means.service.js';
export type { OfferedProof } from './challenges/proofs.service.js';
export { type ChallengedSignIn, SecondFactorsService, type StartedChallenge } from './challenges/second-factors.service.js';
export { CodeLimit, MfaChallengeInvalid, MfaFailed, type MfaFailureReason, PasskeyRefused } from './mfa-errors.js';
export { type CodeMethod, type FactorMethod, isRestricted, MFA_METHOD_NAMES, type MfaMethod } from './mfa-method.js';
export { MfaModule } from './mfa.module.js';
export { PasskeysService } from './passkeys/passkeys.service.js';
export type { PublicKeyCredentialRequestOptionsJSON } from './passkeys/web-authn.js';
export { ReauthenticationService } from './reauthentication/reauthentication.service.js';
export { SecondFactorProofRequest } from './reauthentication/reauthentication.requests.js';
export {
  CurrentPasswordRequired,
  CurrentPasswordWrong,
  ReauthenticationLocked,
} from './reauthentication/reauthentication-errors.js';
