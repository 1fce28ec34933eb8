import { DomainError } from '#platform/common';

/** The change requires the current password: 403. */
export class CurrentPasswordRequired extends DomainError {
  readonly code = 'current_password_required';
  readonly kind = 'forbidden';
  constructor() {
    super('This change requires your current password. Send it as currentPassword.');
  }
}

/** The current password is wrong: 403. */
export class CurrentPasswordWrong extends DomainError {
  readonly code = 'current_password_wrong';
  readonly kind = 'forbidden';
  constructor() {
    super('The current password is wrong.');
  }
}

/** Too many failed reauthentications: 429. */
export class ReauthenticationLocked extends DomainError {
  readonly code = 'reauthentication_locked';
  readonly kind = 'rate_limited';
  constructor(override readonly retryAfterSeconds: number) {
    super(`Too many wrong passwords or codes. Try again in ${retryAfterSeconds} seconds.`);
  }
}
