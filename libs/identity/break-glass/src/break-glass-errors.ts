import { DomainError } from '#platform/common';

/** The operation requires a signed-in user: 403. A decision also accepts a platform key. */
export class PersonRequired extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
}

/** The requester, or an owner only by break-glass access, can't decide on the request: 403. */
export class SecondPersonRequired extends DomainError {
  readonly code = 'second_person_required';
  readonly kind = 'forbidden';
}

/** The requester already has a pending or approved request: 409. */
export class BreakGlassOpen extends DomainError {
  readonly code = 'break_glass_open';
  readonly kind = 'conflict';
  constructor() {
    super('You already have a pending or approved break-glass request in this organization. End it first.');
  }
}

/** The status of the request does not allow the operation: 409. */
export class BreakGlassNotOpen extends DomainError {
  readonly code = 'break_glass_not_open';
  readonly kind = 'conflict';
  constructor(status: string, required: string) {
    super(`The break-glass request is ${status}, but it must be ${required} for this operation.`);
  }
}
