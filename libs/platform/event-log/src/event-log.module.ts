import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChainCatchUp } from './chain/chain-catch-up.js';
import { ChainCatchUpRepository } from './chain/chain-catch-up.repository.js';
import { EventLogController } from './reading/event-log.controller.js';
import { EventLogRead } from './reading/event-log.read.js';
import { EventRedaction } from './redaction/event-redaction.js';
import { EventRedactionRepository } from './redaction/event-redaction.repository.js';
import { EventRetention } from './retention/event-retention.js';
import { RetentionMetrics } from './retention/retention-metrics.js';
import { RetentionRepository } from './retention/retention.repository.js';
import { DueSubscribers } from './subscribers/due-subscribers.js';
import { DurableSubscriberWorker } from './subscribers/durable-subscriber-worker.js';
import { EventSubscriberCursorRepository } from './subscribers/event-subscriber-cursor.repository.js';
import { EventSubscribersController } from './subscribers/event-subscribers.controller.js';
import { EventSubscribersService } from './subscribers/event-subscribers.service.js';
import { SubscriberMetrics } from './subscribers/subscriber-metrics.js';
import { EventFollower } from './streaming/event-follower.js';
import { EventStreamController } from './streaming/event-stream.controller.js';
import { EventStreams } from './streaming/event-streams.js';
import { EventWakeups } from './streaming/event-wakeups.js';
import { EventVerificationController } from './verification/event-verification.controller.js';
import { EventVerification } from './verification/event-verification.js';
import { EventVerificationRead } from './verification/event-verification.read.js';
import { EventSubscriberCursor } from './subscribers/event-subscriber-cursor.entity.js';

/** The event log: reading, following, proving and keeping what happened. */
@Module({
  imports: [TypeOrmModule.forFeature([EventSubscriberCursor])],
  // Those with fixed words where the last has ids are asked before it.
  controllers: [EventStreamController, EventVerificationController, EventLogController, EventSubscribersController],
  providers: [
    ChainCatchUp,
    ChainCatchUpRepository,
    DueSubscribers,
    DurableSubscriberWorker,
    EventFollower,
    EventLogRead,
    EventRedaction,
    EventRedactionRepository,
    EventRetention,
    EventStreams,
    EventSubscriberCursorRepository,
    EventSubscribersService,
    EventVerification,
    EventVerificationRead,
    EventWakeups,
    RetentionMetrics,
    RetentionRepository,
    SubscriberMetrics,
  ],
  exports: [DueSubscribers, EventRedaction],
})
export class EventLogModule {}
