/** Descriptions that many operations share. */
export const NEEDS_PASSWORD =
  '`currentPassword` is missing (`current_password_required`). `currentPassword` is wrong (`current_password_wrong`).';
export const PASSWORD_WRONG = '`currentPassword` is wrong (`current_password_wrong`).';
export const TOO_MANY_PASSWORDS =
  'Too many wrong passwords (`reauthentication_locked`). `Retry-After` contains the number of seconds to wait.';
export const TOO_MANY_PASSWORDS_OR_CODES =
  'Too many wrong passwords (`reauthentication_locked`). Too many codes were sent (`mfa_code_limit`). `Retry-After` contains the number of seconds to wait.';
export const TOO_MANY_HASHES = 'Too many passwords are being checked. Try again after the number of seconds in `Retry-After`.';
export const NOTHING_TO_CONFIRM =
  'There is no new factor to confirm, the time limit has passed, or there were too many wrong codes (`mfa_enrolment_missing`). Start again.';
export const NOT_CONFIRMED = 'The code is wrong (`mfa_not_confirmed`).';
export const NOT_ALLOWED =
  'The organization that you signed in to does not allow this method (`mfa_method_not_allowed`). The method requires a stronger factor first: an authenticator app or a passkey (`stronger_factor_needed`).';
export const ADDED = 'Ends your other sessions and notifies you by email. Publishes `user.mfa_enabled`.';
