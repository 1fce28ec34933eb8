import { DomainError } from '#common';

/** The one answer to a failed sign-in, whatever the reason: 401. */
export class InvalidCredentials extends DomainError {
  readonly code = 'invalid_credentials';
  readonly kind = 'unauthenticated';
  constructor() {
    super('Organization, e-mail address and password do not fit together, or this account can not sign in.');
  }
}

/** Too many failures in a row: 429, the same for addresses that belong to nobody. */
export class SignInLocked extends DomainError {
  readonly code = 'sign_in_locked';
  readonly kind = 'rate_limited';
  constructor(override readonly retryAfterSeconds: number) {
    super(
      `Too many failed sign-ins. Try again in ${retryAfterSeconds} seconds; the right password does not work before. Setting a new password by mail opens the account at once.`,
    );
  }
}

/** More sign-ins from one address than may wait at once: 429. */
export class TooManySignIns extends DomainError {
  readonly code = 'rate_limited';
  readonly kind = 'rate_limited';
  override readonly retryAfterSeconds = 2;
  constructor() {
    super('Too many sign-ins from this address are being checked at this moment. Try again in a few seconds.');
  }
}
