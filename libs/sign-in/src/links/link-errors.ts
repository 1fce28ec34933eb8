import { DomainError } from '#common';
import type { OneTimeTokenState } from '#sessions';

/** Why a link does not work: the token's state, or `unknown` (also when the account may not use it any more). */
export type LinkFailure = Exclude<OneTimeTokenState, 'valid'> | 'unknown';

const ADVICE: Record<LinkFailure, string> = {
  used: 'This link has been used already. If there is still something to do, ask for a new one.',
  expired: 'This link has expired. Ask for a new one.',
  voided: 'This link is no longer valid. If a newer one was sent, use that; otherwise ask for a new one.',
  unknown: 'This link does not work. Check that it was copied whole, or ask for a new one.',
};

/** A token of a mail that opens nothing: 400. */
export class LinkInvalid extends DomainError {
  readonly code = 'link_invalid';
  readonly kind = 'malformed';
  constructor(readonly failure: LinkFailure) {
    super(ADVICE[failure]);
  }
}
