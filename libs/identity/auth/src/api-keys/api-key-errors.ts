import { DomainError } from '#platform/common';

/** An expired API key can't be rotated: 409. */
export class ApiKeyExpired extends DomainError {
  readonly code = 'api_key_expired';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`The API key "${id}" has expired and can't be rotated. Create a new key.`);
  }
}

/** The API key already has a successor: 409. */
export class ApiKeyAlreadyRotated extends DomainError {
  readonly code = 'api_key_already_rotated';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(`The API key "${id}" has already been rotated. Rotate its successor, or create a new key.`);
  }
}

/** An API key can't create a key with more networks or a later expiry than its own: 403. */
export class KeyLimitsExceeded extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      "The new API key can't work from networks that the API key of this request does not allow, and can't expire later than the API key of this request.",
    );
  }
}
