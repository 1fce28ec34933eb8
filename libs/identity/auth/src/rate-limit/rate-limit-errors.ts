import { DomainError } from '#platform/common';

/** The caller has sent more requests than its rate limit allows: 429. */
export class RateLimited extends DomainError {
  readonly code = 'rate_limited';
  readonly kind = 'rate_limited';
  constructor(override readonly retryAfterSeconds: number) {
    super(`Too many requests. Try again in ${retryAfterSeconds} seconds.`);
  }
}
