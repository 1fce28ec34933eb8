import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { IdempotencyCleanup } from './idempotency/idempotency-cleanup.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';

/** What all routes share beyond the middleware of the edge: `Idempotency-Key`. */
@Module({
  providers: [IdempotencyRepository, IdempotencyCleanup, { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor }],
})
export class HttpModule {}
