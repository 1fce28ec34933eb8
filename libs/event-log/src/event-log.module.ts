import { Module } from '@nestjs/common';
import { ChainCatchUp } from './chain/chain-catch-up.js';
import { ChainCatchUpRepository } from './chain/chain-catch-up.repository.js';
import { EventLogController } from './reading/event-log.controller.js';
import { EventLogRead } from './reading/event-log.read.js';

/** The event log: reading, following, proving and keeping what happened. */
@Module({
  controllers: [EventLogController],
  providers: [ChainCatchUp, ChainCatchUpRepository, EventLogRead],
})
export class EventLogModule {}
