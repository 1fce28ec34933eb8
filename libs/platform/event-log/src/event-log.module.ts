import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChainCatchUp } from './chain/chain-catch-up.js';
import { ChainCatchUpQuery } from './chain/chain-catch-up.query.js';
import { EventExportController } from './reading/event-export.controller.js';
import { EventExportService } from './reading/event-export.service.js';
import { EventLogController } from './reading/event-log.controller.js';
import { EventLogQuery } from './reading/event-log.query.js';
import { EventRedaction } from './redaction/event-redaction.js';
import { EventRedactionQuery } from './redaction/event-redaction.query.js';
import { EventRetention } from './retention/event-retention.js';
import { RetentionMetrics } from './retention/retention-metrics.js';
import { RetentionQuery } from './retention/retention.query.js';
import { DueSubscribers } from './subscribers/due-subscribers.js';
import { DurableSubscriberWorker } from './subscribers/durable-subscriber-worker.js';
import { EventSubscriberCursor } from './subscribers/event-subscriber-cursor.entity.js';
import { EventSubscriberCursorRepository } from './subscribers/event-subscriber-cursor.repository.js';
import { EventSubscribersController } from './subscribers/event-subscribers.controller.js';
import { EventSubscribersService } from './subscribers/event-subscribers.service.js';
import { SubscriberCursorQuery } from './subscribers/subscriber-cursor.query.js';
import { SubscriberMetrics } from './subscribers/subscriber-metrics.js';
import { EventFollower } from './streaming/event-follower.js';
import { EventStreamController } from './streaming/event-stream.controller.js';
import { EventStreams } from './streaming/event-streams.js';
import { EventWakeups } from './streaming/event-wakeups.js';
import { EventAnchor } from './verification/event-anchor.entity.js';
import { EventAnchorRepository } from './verification/event-anchor.repository.js';
import { EventVerificationController } from './verification/event-verification.controller.js';
import { EventVerification } from './verification/event-verification.js';
import { EventVerificationQuery } from './verification/event-verification.query.js';
import { EventPersonalDataQuery } from './reading/event-personal-data.query.js';

/** The event log: lists, streams, verification, durable event handlers, redaction and retention. */
@Module({
  imports: [TypeOrmModule.forFeature([EventAnchor, EventSubscriberCursor])],
  // `/events/stream`, `/events/verify` and `/events/export` must be registered before `/events/:id`.
  controllers: [
    EventStreamController,
    EventVerificationController,
    EventExportController,
    EventLogController,
    EventSubscribersController,
  ],
  providers: [
    EventPersonalDataQuery,
    ChainCatchUp,
    ChainCatchUpQuery,
    DueSubscribers,
    DurableSubscriberWorker,
    EventAnchorRepository,
    EventExportService,
    EventFollower,
    EventLogQuery,
    EventRedaction,
    EventRedactionQuery,
    EventRetention,
    EventStreams,
    EventSubscriberCursorRepository,
    EventSubscribersService,
    EventVerification,
    EventVerificationQuery,
    EventWakeups,
    RetentionMetrics,
    RetentionQuery,
    SubscriberCursorQuery,
    SubscriberMetrics,
  ],
  exports: [DueSubscribers, EventRedaction, EventStreams, EventWakeups],
})
export class EventLogModule {}
