import { DomainError } from '#platform/common';

/** The receiver has a stream already: 409. */
export class StreamExists extends DomainError {
  readonly code = 'ssf_stream_exists';
  readonly kind = 'conflict';
  constructor() {
    super('The receiver already has a stream. Read its configuration without stream_id, and update, replace or delete it.');
  }
}

/** The receiver requests verifications too often: 429. */
export class VerificationTooOften extends DomainError {
  readonly code = 'ssf_verification_too_often';
  readonly kind = 'rate_limited';
  override readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super(`The stream was verified recently. Request the next verification in ${retryAfterSeconds} seconds.`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
