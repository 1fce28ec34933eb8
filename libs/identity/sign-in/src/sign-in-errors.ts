import { DomainError } from '#platform/common';

/** The sign-in failed: 401. The error doesn't reveal the reason. */
export class InvalidCredentials extends DomainError {
  readonly code = 'invalid_credentials';
  readonly kind = 'unauthenticated';
  constructor() {
    super("The organization, email address or password is wrong, or this account can't sign in.");
  }
}

/** Too many failures in a row: 429, even for an email address without an account. */
export class SignInLocked extends DomainError {
  readonly code = 'sign_in_locked';
  readonly kind = 'rate_limited';
  constructor(override readonly retryAfterSeconds: number) {
    super(
      `Too many failed sign-ins. Try again in ${retryAfterSeconds} seconds. Until then, even the correct password is rejected. A password reset by email unlocks the account for your IP address immediately.`,
    );
  }
}

/** Too many concurrent sign-ins from one IP address: 429. */
export class TooManySignIns extends DomainError {
  readonly code = 'rate_limited';
  readonly kind = 'rate_limited';
  override readonly retryAfterSeconds = 2;
  constructor() {
    super('Too many sign-ins from this address are in progress. Try again in a few seconds.');
  }
}
