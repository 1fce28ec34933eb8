import { Reflector } from '@nestjs/core';
import type { RequestContext } from '#platform/common';
import type { EventType } from '../catalog.js';
import type { EventPayload } from '../event-payload.js';

/** The event that a handler receives: the payload that webhooks receive, with the tenant. */
export type DomainEvent<T extends EventType = EventType> = T extends EventType ? EventPayload<T> & { tenantId: string } : never;

/**
 * When a handler runs:
 * - `transactional`: in the transaction of the change. If it throws, the change is rolled back.
 * - `after-commit`: after the transaction, at most once. Errors are logged.
 * - `durable`: at least once, in the order of the event log, also after a restart. `name` identifies the handler's position in the log.
 */
export type OnDomainEventOptions =
  | { readonly mode: 'transactional' }
  | { readonly mode: 'after-commit' }
  | { readonly mode: 'durable'; readonly name: string };

/** The event types and the options that `@OnDomainEvent` declares for a method. */
export interface Subscription {
  readonly types: readonly EventType[];
  readonly options: OnDomainEventOptions;
}

export type EventHandler<T extends EventType = EventType> = (ctx: RequestContext, event: DomainEvent<T>) => Promise<void>;

export const SubscriptionMetadata = Reflector.createDecorator<Subscription>();

/** Calls the method for each event of these types. Works on the methods of every provider. */
export const OnDomainEvent =
  <T extends EventType>(types: T | readonly T[], options: OnDomainEventOptions) =>
  <Handler extends EventHandler<T>>(target: object, key: string, descriptor: TypedPropertyDescriptor<Handler>): void => {
    SubscriptionMetadata({ types: [types].flat() as T[], options })(target, key, descriptor);
  };
