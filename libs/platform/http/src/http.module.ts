import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyCleanup } from './idempotency/idempotency-cleanup.js';
import { IdempotencyQuery } from './idempotency/idempotency.query.js';
import { IdempotencyRecord } from './idempotency/idempotency-record.entity.js';
import { IdempotencyRecordRepository } from './idempotency/idempotency-record.repository.js';
import { ReplayAuthorizationService } from './idempotency/replay-authorization.service.js';
import { SessionCookie } from './session-cookie/session-cookie.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyRecord])],
  providers: [IdempotencyQuery, IdempotencyRecordRepository, IdempotencyCleanup, ReplayAuthorizationService, SessionCookie],
  exports: [IdempotencyQuery, IdempotencyRecordRepository, ReplayAuthorizationService, SessionCookie],
})
export class HttpModule {}
