import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { EtagInterceptor } from './etag.js';
import { IdempotencyCleanup } from './idempotency/idempotency-cleanup.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';

/** What all routes share beyond the middleware of the edge: `Idempotency-Key` and `ETag`. */
@Module({
  providers: [
    IdempotencyRepository,
    IdempotencyCleanup,
    { provide: APP_INTERCEPTOR, useClass: EtagInterceptor },
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
})
export class HttpModule {}
