import { DomainError } from '#platform/common';
import type { UserKey } from '#directory/sessions';

/** The challenge is unknown, used, expired, or has no attempts left: 401. The error doesn't reveal the reason. */
export class MfaChallengeInvalid extends DomainError {
  readonly code = 'mfa_challenge_invalid';
  readonly kind = 'unauthenticated';
  constructor() {
    super(
      'This sign-in is no longer valid: it was completed, took longer than ten minutes, or had too many wrong codes. Sign in again.',
    );
  }
}

/** The reason for a rejected proof. Only events contain the reason. */
export type MfaFailureReason =
  | 'wrong_code'
  | 'totp_reused'
  | 'recovery_code_used'
  | 'method_not_offered'
  | 'passkey_refused'
  | 'passkey_counter';

/** The proof of a second factor was wrong: 401. Contains the user, to count the failed sign-in. */
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

/** The passkey is not accepted for the sign-in: 401. Contains the user, if known, to publish the failed sign-in. */
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

/** A code was sent less than 30 s ago, or ten codes within an hour: 429. */
export class CodeLimit extends DomainError {
  readonly code = 'mfa_code_limit';
  readonly kind = 'rate_limited';
  constructor(override readonly retryAfterSeconds: number) {
    super(`A code was sent recently. You can request another one in ${retryAfterSeconds} seconds.`);
  }
}
