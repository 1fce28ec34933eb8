import { DomainError } from '#platform/common';
import type { OneTimeTokenState } from '#directory/sessions';

/** The reason why an invitation is invalid: the state of the token, `activated` by other means, or `unknown`, for example a changed user. */
export type InvitationFailure = Exclude<OneTimeTokenState, 'valid'> | 'activated' | 'unknown';

const ADVICE: Record<InvitationFailure, string> = {
  used: 'This invitation has already been accepted. Sign in with your password, or reset the password.',
  activated:
    'Your account is already active. Sign in, or use "Forgot your password?" on the sign-in page to get a link with which you set a password.',
  expired:
    'This invitation has expired. Use "Forgot your password?" on the sign-in page to get a new one, or ask the person who invited you.',
  voided:
    'This invitation is no longer valid. If you received a newer one, use the link in the newest email; otherwise, use "Forgot your password?" on the sign-in page to get a new one.',
  unknown:
    'This invitation does not work. Check that you copied the whole link, or ask the person who invited you to send a new one.',
};

/** The token of the invitation is invalid: 400. */
export class InvitationInvalid extends DomainError {
  readonly code = 'invitation_invalid';
  readonly kind = 'malformed';
  constructor(readonly failure: InvitationFailure) {
    super(ADVICE[failure]);
  }
}
