import { DomainError } from '#platform/common';
import type { OneTimeTokenState } from '#directory/sessions';

/** The reason why a link does not work: the state of the token, or `unknown`, for example if the account has changed. */
export type LinkFailure = Exclude<OneTimeTokenState, 'valid'> | 'unknown';

const ADVICE: Record<LinkFailure, string> = {
  used: 'This link has already been used. Request a new one if you still need it.',
  expired: 'This link has expired. Request a new one.',
  voided: 'This link is no longer valid. If you received a newer one, use that; otherwise, request a new one.',
  unknown: 'This link does not work. Check that you copied the whole link, or request a new one.',
};

/** The link does not work: 400. */
export class LinkInvalid extends DomainError {
  readonly code = 'link_invalid';
  readonly kind = 'malformed';
  constructor(readonly failure: LinkFailure) {
    super(ADVICE[failure]);
  }
}
