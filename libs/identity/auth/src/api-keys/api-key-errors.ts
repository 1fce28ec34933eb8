import { DomainError } from '#platform/common';

/** A key that takes part no more can't hand over to a new one. */
export class ApiKeyExpired extends DomainError {
  readonly code = 'api_key_expired';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`The API key "${id}" has expired and can't be rotated. Create a new key.`);
  }
}

/** Rotating twice would leave two successors, of which one is easily forgotten. */
export class ApiKeyAlreadyRotated extends DomainError {
  readonly code = 'api_key_already_rotated';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`The API key "${id}" has already been rotated. Rotate its successor, or create a new key.`);
  }
}

/** A key creates no key that works from more networks, or for longer, than itself: 403. */
export class KeyLimitsExceeded extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      "The new API key can't work from networks that the API key of this request does not allow, and can't expire later than the API key of this request.",
    );
  }
}
