/** Descriptions of error responses that several operations share. */
export const NEEDS_PASSWORD = '`currentPassword` is missing (`current_password_required`) or wrong (`current_password_wrong`).';
export const PASSWORD_WRONG = '`currentPassword` is wrong (`current_password_wrong`).';
export const TOO_MANY_PASSWORDS =
  'There were too many wrong passwords (`reauthentication_locked`). `Retry-After` contains the number of seconds to wait.';
export const TOO_MANY_PASSWORDS_OR_CODES =
  'There were too many wrong passwords (`reauthentication_locked`), or too many codes were sent (`mfa_code_limit`). `Retry-After` contains the number of seconds to wait.';
export const TOO_MANY_HASHES =
  'The service is processing too many passwords and codes at the moment (`unavailable`). Try again after the number of seconds in `Retry-After`.';
export const NOTHING_TO_CONFIRM =
  'There is no new factor to confirm, the time limit has passed, or there were too many wrong codes (`mfa_enrolment_missing`). Start again.';
export const NOT_CONFIRMED = 'The code is wrong (`mfa_not_confirmed`).';
export const NOT_ALLOWED = 'The organization that you signed in to does not allow this MFA method (`mfa_method_not_allowed`).';
export const CODES_NOT_ALLOWED =
  'The organization that you signed in to does not allow this MFA method (`mfa_method_not_allowed`), or you must add an authenticator app or a passkey first (`stronger_factor_needed`).';
export const FACTOR_NEEDED =
  'You cannot remove this factor (`mfa_factor_needed`). Without this factor, you would have no factor that your organization allows, although your organization requires MFA. Or you would have only email or SMS codes, although your organization allows stronger methods.';
export const ADDED = 'Ends your other sessions and notifies you by email. Publishes `user.mfa_enabled`.';
