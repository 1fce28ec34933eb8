import { DomainError } from '#platform/common';

/** Only a signed-in person can ask for emergency access, and only people or the platform decide: 403. */
export class PersonRequired extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
}

/** Whoever asks can't decide, nor can somebody whose own power is borrowed: 403. */
export class SecondPersonRequired extends DomainError {
  readonly code = 'second_person_required';
  readonly kind = 'forbidden';
}

/** The requester has one already that waits or runs: 409. */
export class BreakGlassOpen extends DomainError {
  readonly code = 'break_glass_open';
  readonly kind = 'conflict';
  constructor() {
    super('You already have a pending or approved break-glass request in this organization. End it first.');
  }
}

/** The request is past what is asked of it: 409. */
export class BreakGlassNotOpen extends DomainError {
  readonly code = 'break_glass_not_open';
  readonly kind = 'conflict';
  constructor(status: string, wanted: string) {
    super(`The break-glass request is ${status}, but it must be ${wanted} for this operation.`);
  }
}
