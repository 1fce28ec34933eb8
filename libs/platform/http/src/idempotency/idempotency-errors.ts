import { DomainError } from '#platform/common';

/** The first request with this key is still in progress. */
export class IdempotencyKeyInUse extends DomainError {
  readonly code = 'idempotency_key_in_use';
  readonly kind = 'conflict';
  override readonly retryAfterSeconds = 1;
  constructor() {
    super('A request with this Idempotency-Key is still in progress. Retry shortly to get its response.');
  }
}

/** The caller has fewer permissions than at the first request. */
export class StoredPermissionEnded extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'The first request with this Idempotency-Key had permissions that the caller no longer has, so its response is not returned again. Use a new key for a new request.',
    );
  }
}

/** The key was used for another request. */
export class IdempotencyKeyReused extends DomainError {
  readonly code = 'idempotency_key_reused';
  readonly kind = 'rule_violated';
  constructor() {
    super(
      'This Idempotency-Key was used within the last 24 hours for a request with a different body or query. Use a new key for a new request.',
    );
  }
}
