import { DomainError } from '#common';

/** The change needs the person at the keyboard once more: 403. */
export class ReauthenticationRequired extends DomainError {
  readonly code = 'reauthentication_required';
  readonly kind = 'forbidden';
  constructor(hasPassword: boolean) {
    super(
      hasPassword
        ? 'This change needs your current password: send it as currentPassword.'
        : 'This change needs a sign-in of the last ten minutes. Sign in again, then repeat it.',
    );
  }
}

/** The password sent along with the change is not the user's: 403. */
export class CurrentPasswordWrong extends DomainError {
  readonly code = 'current_password_wrong';
  readonly kind = 'forbidden';
  constructor() {
    super('currentPassword is not your password.');
  }
}

/** Too many wrong passwords were sent along with changes: 429. */
export class ReauthenticationLocked extends DomainError {
  readonly code = 'reauthentication_locked';
  readonly kind = 'rate_limited';
  constructor(override readonly retryAfterSeconds: number) {
    super(`Too many wrong passwords. Try again in ${retryAfterSeconds} seconds.`);
  }
}
