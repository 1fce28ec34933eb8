import { DomainError } from '#common';

/** The one answer to a link that opens nothing: 401. */
export class OperatorLinkInvalid extends DomainError {
  readonly code = 'operator_link_invalid';
  readonly kind = 'unauthenticated';
  constructor() {
    super('This link was used already, or is older than an hour. Make another with "npm run dashboard-link".');
  }
}
