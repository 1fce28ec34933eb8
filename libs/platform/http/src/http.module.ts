import { Global, Module } from '@nestjs/common';
import { IdempotencyCleanup } from './idempotency/idempotency-cleanup.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { SessionCookie } from './session-cookie/session-cookie.js';

/** What the interceptors of this lib need in whatever module a route lies. */
@Global()
@Module({
  providers: [IdempotencyRepository, IdempotencyCleanup, SessionCookie],
  exports: [IdempotencyRepository, SessionCookie],
})
export class HttpModule {}
