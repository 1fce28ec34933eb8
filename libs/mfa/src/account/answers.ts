/** Words for answers that many operations share. */
export const NEEDS_PASSWORD = '`currentPassword` is missing (`current_password_required`) or wrong (`current_password_wrong`).';
export const TOO_MANY_PASSWORDS = 'Too many wrong passwords; `Retry-After` tells how long to wait.';
export const TOO_MANY_PASSWORDS_OR_CODES = 'Too many wrong passwords, or codes sent; `Retry-After` tells how long to wait.';
export const TOO_MANY_HASHES = 'Too many passwords are being checked at this moment.';
export const NOTHING_TO_CONFIRM = 'There is nothing (any more) to confirm: begin again.';
export const NOT_CONFIRMED = 'The code is wrong.';
export const NOT_ALLOWED = 'The organization that you signed in to does not allow this method, or not without a stronger factor.';
export const ADDED = 'Your other sessions end, and you are told by mail.';
