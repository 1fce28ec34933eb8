import type { Schema } from './client';
import { findText } from '../texts';
import { EVENT_CATALOG } from './event-catalog.gen';

export type EventType = Schema<'EventResponse'>['type'];

/** Returns a short name of an event type, such as "User created". */
export const eventTitle = (type: EventType): string =>
  // New resources can have no text. A newer release can send types without a text.
  findText(`eventTypes.${type}`) ?? capitalized(type.replaceAll(/[._]/g, ' '));

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The event types by resource. `wildcard` subscribes to the whole group, such as `user.*`. */
export const EVENT_GROUPS = [...new Set(EVENT_CATALOG.map(({ group }) => group))].map((name) => ({
  name,
  wildcard: `${name}.*`,
  types: EVENT_CATALOG.filter(({ group }) => group === name).map(({ type }) => type),
}));
