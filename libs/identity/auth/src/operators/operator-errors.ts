import { DomainError } from '#platform/common';

/** The link is unknown, used or expired: 401. */
export class OperatorLinkInvalid extends DomainError {
  readonly code = 'operator_link_invalid';
  readonly kind = 'unauthenticated';
  constructor() {
    super('This link has already been used or has expired. Create a new one with "npm run dashboard-link".');
  }
}
