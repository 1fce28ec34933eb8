import { DomainError } from '#common';

/** A key that takes part no more can't hand over to a new one. */
export class ApiKeyExpired extends DomainError {
  readonly code = 'api_key_expired';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`The API key "${id}" has expired, so it can't be rotated. Create a new one.`);
  }
}

/** Rotating twice would leave two successors, of which one is easily forgotten. */
export class ApiKeyAlreadyRotated extends DomainError {
  readonly code = 'api_key_already_rotated';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`The API key "${id}" was rotated before. Rotate the key that came from that, or create a new one.`);
  }
}

/** A key creates no key that works from more networks, or for longer, than itself: 403. */
export class KeyLimitsExceeded extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super('An API key can create or rotate only keys that work from its own networks and end no later than itself.');
  }
}
