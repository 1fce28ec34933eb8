import { DomainError } from '#platform/common';

/** Maximum number of setup links of an organization. */
export const SETUP_LINKS_PER_ORGANIZATION_MAX = 100;

export class SetupLinkLimit extends DomainError {
  readonly code = 'setup_link_limit';
  readonly kind = 'conflict';
  constructor() {
    super(
      `An organization can have at most ${SETUP_LINKS_PER_ORGANIZATION_MAX} setup links. Revoke one that is no longer needed.`,
    );
  }
}

/** The link is unknown, revoked or expired: 401. */
export class SetupLinkInvalid extends DomainError {
  readonly code = 'setup_link_invalid';
  readonly kind = 'unauthenticated';
  constructor() {
    super('This setup link has expired or was revoked. Ask for a new link.');
  }
}
