import { Module } from '@nestjs/common';
import { ChainCatchUp } from './chain/chain-catch-up.js';
import { ChainCatchUpRepository } from './chain/chain-catch-up.repository.js';
import { EventLogController } from './reading/event-log.controller.js';
import { EventLogRead } from './reading/event-log.read.js';
import { EventFollower } from './streaming/event-follower.js';
import { EventStreamController } from './streaming/event-stream.controller.js';
import { EventStreams } from './streaming/event-streams.js';
import { EventWakeups } from './streaming/event-wakeups.js';

/** The event log: reading, following, proving and keeping what happened. */
@Module({
  // The first has fixed words where the second has ids, and so is asked first.
  controllers: [EventStreamController, EventLogController],
  providers: [ChainCatchUp, ChainCatchUpRepository, EventFollower, EventLogRead, EventStreams, EventWakeups],
})
export class EventLogModule {}
