import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BatchService } from './batch/batch.service.js';
import { IdempotencyCleanup } from './idempotency/idempotency-cleanup.js';
import { IdempotencyQuery } from './idempotency/idempotency.query.js';
import { IdempotencyRecord } from './idempotency/idempotency-record.entity.js';
import { IdempotencyRecordRepository } from './idempotency/idempotency-record.repository.js';
import { IdempotentCallsService } from './idempotency/idempotent-calls.service.js';
import { ReplayAuthorizationService } from './idempotency/replay-authorization.service.js';
import { SessionCookie } from './session-cookie/session-cookie.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyRecord])],
  providers: [
    BatchService,
    IdempotencyCleanup,
    IdempotencyQuery,
    IdempotencyRecordRepository,
    IdempotentCallsService,
    ReplayAuthorizationService,
    SessionCookie,
  ],
  exports: [BatchService, IdempotentCallsService, ReplayAuthorizationService, SessionCookie],
})
export class HttpModule {}
