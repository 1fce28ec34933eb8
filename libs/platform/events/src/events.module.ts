import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '#platform/common';
import { DomainEventBus } from './domain-event-bus.js';
import { EventStream } from './outbox/event-stream.entity.js';
import { EventStreamRepository } from './outbox/event-stream.repository.js';
import { OutboxEvent } from './outbox/outbox-event.entity.js';
import { OutboxRepository } from './outbox/outbox.repository.js';
import { EventSubscribers } from './subscribers/event-subscribers.js';
import { UnitOfWork } from './unit-of-work.js';

/** Provides the publishing of domain events to all libraries. */
@Global()
@Module({
  imports: [DiscoveryModule, TypeOrmModule.forFeature([EventStream, OutboxEvent])],
  providers: [DomainEventBus, EventStreamRepository, OutboxRepository, EventSubscribers, UnitOfWork, Clock],
  exports: [DomainEventBus, EventStreamRepository, EventSubscribers, UnitOfWork, Clock],
})
export class EventsModule {}
