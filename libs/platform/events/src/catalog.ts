import { DeclaredNames } from '#platform/common';
import type { EventDefinition } from './catalog/event-definition.js';
import { IDENTITY_PROVIDER_EVENTS } from './catalog/identity-provider-events.js';
import { ORGANIZATION_EVENTS } from './catalog/organization-events.js';
import { ROLE_EVENTS } from './catalog/role-events.js';
import { SECURITY_EVENTS } from './catalog/security-events.js';
import { USER_EVENTS } from './catalog/user-events.js';
import { WEBHOOK_EVENTS } from './catalog/webhook-events.js';

const OWN_EVENTS = {
  ...USER_EVENTS,
  ...ORGANIZATION_EVENTS,
  ...ROLE_EVENTS,
  ...WEBHOOK_EVENTS,
  ...IDENTITY_PROVIDER_EVENTS,
  ...SECURITY_EVENTS,
};

type DataOf<Events extends Record<string, { readonly example: object }>> = {
  readonly [Type in keyof Events]: Events[Type]['example'];
};

/**
 * The shape of `data` by event type. Contains the types of the specification (6.1). A library adds the types of its own resources with
 * `declare module '#platform/events'` and `defineEvents`.
 */
export interface EventCatalog extends DataOf<typeof OWN_EVENTS> {}

export type EventType = keyof EventCatalog;
export type EventData<T extends EventType> = EventCatalog[T];

type EventDefinitions = { readonly [Type in EventType]: EventDefinition<EventCatalog[Type]> };

/** All event types. OpenAPI, docs, test deliveries and tests are derived from this table. */
export const EVENTS = { ...OWN_EVENTS } as EventDefinitions;

const types = new DeclaredNames<EventType>('.', Object.keys(OWN_EVENTS) as EventType[]);

export const EVENT_TYPES = types.names;
/** The values that `events` of a webhook can contain: `*`, groups such as `user.*`, and event types. */
export const SUBSCRIPTIONS = types.patterns;

/** Defines event types: each with a description and an example of its data. */
export function defineEvents<Type extends EventType>(events: Pick<EventDefinitions, Type>): void {
  Object.assign(EVENTS, events);
  types.add(Object.keys(events) as Type[]);
}
