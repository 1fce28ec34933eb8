import { DomainError } from '#platform/common';

/** Maximum number of domains of an organization. */
export const DOMAINS_PER_ORGANIZATION_MAX = 500;

export class DomainNameTaken extends DomainError {
  readonly code = 'domain_name_taken';
  readonly kind = 'conflict';
  constructor(name: string) {
    super(`The organization already has the domain "${name}".`);
  }
}

export class DomainLimit extends DomainError {
  readonly code = 'domain_limit';
  readonly kind = 'conflict';
  constructor() {
    super(`An organization can have at most ${DOMAINS_PER_ORGANIZATION_MAX} domains. Delete one that is no longer needed.`);
  }
}
