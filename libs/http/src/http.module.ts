import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { EtagInterceptor } from './etag.js';
import { IdempotencyCleanup } from './idempotency/idempotency-cleanup.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { SessionTransportInterceptor } from './session-cookie/opens-session.js';
import { SessionCookie } from './session-cookie/session-cookie.js';

/** What all routes share beyond the middleware of the edge: `Idempotency-Key`, `ETag` and the session cookie. */
@Module({
  providers: [
    IdempotencyRepository,
    IdempotencyCleanup,
    SessionCookie,
    { provide: APP_INTERCEPTOR, useClass: EtagInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: SessionTransportInterceptor },
  ],
  exports: [SessionCookie],
})
export class HttpModule {}
