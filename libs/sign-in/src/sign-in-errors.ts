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
