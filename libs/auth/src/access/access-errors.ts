import { DomainError, type OrganizationScope } from '#common';

/** No valid credential: 401. */
export class Unauthenticated extends DomainError {
  readonly code = 'unauthenticated';
  readonly kind = 'unauthenticated';
}

/** The caller lacks a permission: 403. */
export class Forbidden extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
}

/** A write in an organization that takes none yet: 409. */
export class OrganizationPending extends DomainError {
  readonly code = 'organization_pending';
  readonly kind = 'conflict';
  constructor({ slug }: Pick<OrganizationScope, 'slug'>) {
    super(`The organization "${slug}" waits for approval, so nothing in it can be changed yet.`);
  }
}
