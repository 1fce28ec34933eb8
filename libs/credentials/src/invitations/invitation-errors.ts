import { DomainError } from '#common';
import type { OneTimeTokenState } from '#sessions';

/** Why an invitation does not work: the token's state, or `unknown` (also when the account may not accept any more). */
export type InvitationFailure = Exclude<OneTimeTokenState, 'valid'> | 'unknown';

const ADVICE: Record<InvitationFailure, string> = {
  used: 'This invitation has been accepted already. Sign in with the password that was set, or ask for a new one.',
  expired: 'This invitation has expired. Ask whoever invited you to send it again.',
  voided:
    'This invitation is no longer valid. If a newer one was sent, use the link in the newest mail; otherwise ask for a new one.',
  unknown:
    'This invitation does not work. Check that the link was copied whole, or ask whoever invited you to send the invitation again.',
};

/** A token that opens nothing: 400. */
export class InvitationInvalid extends DomainError {
  readonly code = 'invitation_invalid';
  readonly kind = 'malformed';
  constructor(readonly failure: InvitationFailure) {
    super(ADVICE[failure]);
  }
}
