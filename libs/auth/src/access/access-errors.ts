import { DomainError } from '#common';

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
