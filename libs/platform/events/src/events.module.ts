import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Clock } from '#platform/common';
import { DomainEventBus } from './domain-event-bus.js';
import { OutboxRepository } from './outbox.repository.js';
import { EventSubscribers } from './subscribers/event-subscribers.js';
import { UnitOfWork } from './unit-of-work.js';

/** The event bus, for every lib that changes something. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [DomainEventBus, OutboxRepository, EventSubscribers, UnitOfWork, Clock],
  exports: [DomainEventBus, EventSubscribers, UnitOfWork, Clock],
})
export class EventsModule {}
