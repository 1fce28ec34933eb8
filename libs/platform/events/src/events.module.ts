import { Global, Module } from '@nestjs/common';
import { Clock } from '#platform/common';
import { DomainEventBus } from './domain-event-bus.js';
import { OutboxRepository } from './outbox.repository.js';

/** The event bus, for every lib that changes something. */
@Global()
@Module({
  providers: [DomainEventBus, OutboxRepository, Clock],
  exports: [DomainEventBus, Clock],
})
export class EventsModule {}
