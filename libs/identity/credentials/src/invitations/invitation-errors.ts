import { DomainError } from '#platform/common';
import type { OneTimeTokenState } from '#directory/sessions';

/** The reason why an invitation is invalid: the state of the token, or `unknown`, for example if the user has changed. */
export type InvitationFailure = Exclude<OneTimeTokenState, 'valid'> | 'unknown';

const ADVICE: Record<InvitationFailure, string> = {
  used: 'This invitation has already been accepted. Sign in with your password, or reset the password.',
  expired: 'This invitation has expired. Ask the person who invited you to send a new one.',
  voided:
    'This invitation is no longer valid. If you received a newer one, use the link in the newest email; otherwise, ask for a new invitation.',
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
