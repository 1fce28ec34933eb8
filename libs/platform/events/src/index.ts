export * from './catalogue.js';
export * from './domain-event-bus.js';
export type * from './event-data.js';
export { type EventPayload, eventPayload } from './event-payload.js';
export { EventsModule } from './events.module.js';
export * from './payload-digests.js';
export { type DurableSubscriber, EventSubscribers } from './subscribers/event-subscribers.js';
export { type DomainEvent, OnDomainEvent, type OnDomainEventOptions } from './subscribers/on-domain-event.js';
export * from './subscriptions.js';
