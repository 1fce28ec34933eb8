import { DomainError } from '#platform/common';
import type { UserKey } from '#directory/sessions';

/** The challenge opens nothing (any more): 401. Unknown, used, expired and worn out are one answer. */
export class MfaChallengeInvalid extends DomainError {
  readonly code = 'mfa_challenge_invalid';
  readonly kind = 'unauthenticated';
  constructor() {
    super(
      'This sign-in is no longer valid: it was completed, took longer than ten minutes, or had too many wrong codes. Sign in again.',
    );
  }
}

/** Why a proof was not accepted; for events, never for the answer. */
export type MfaFailureReason =
  | 'wrong_code'
  | 'totp_reused'
  | 'recovery_code_used'
  | 'method_not_offered'
  | 'passkey_refused'
  | 'passkey_counter';

/** A second factor that was not proven: 401. The try is counted. Whose sign-in it was stands in it, for those who count failures. */
export class MfaFailed extends DomainError {
  readonly code = 'mfa_failed';
  readonly kind = 'unauthenticated';
  constructor(
    readonly reason: MfaFailureReason,
    readonly user: UserKey,
    readonly organizationId: string,
    readonly firstMethod: string,
  ) {
    super('The factor could not be verified. Check the code, or use another factor.');
  }
}

/** A passkey that signs nobody in: 401. Whose it is, if it is known at all, stands in it for those who count failures. */
export class PasskeyRefused extends DomainError {
  readonly code = 'passkey_refused';
  readonly kind = 'unauthenticated';
  constructor(
    readonly reason: 'unknown' | 'passkey_refused' | 'passkey_counter',
    readonly user?: UserKey,
  ) {
    super("You can't sign in to this organization with this passkey. Try again, or sign in another way.");
  }
}

/** A code was sent a moment ago, or many were: 429. */
export class CodeLimit extends DomainError {
  readonly code = 'mfa_code_limit';
  readonly kind = 'rate_limited';
  constructor(override readonly retryAfterSeconds: number) {
    super(`A code was sent recently. You can request another one in ${retryAfterSeconds} seconds.`);
  }
}
